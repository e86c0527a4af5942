package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestHeaderTellsALife gives an engine the events of elicit.h's manual, in their order. It finds the effects that the
// manual promises, and no member that the manual does not name.
func TestHeaderTellsALife(t *testing.T) {
	header := must.Text(t, "elicit.h")
	_, life, _ := strings.Cut(header, "A QUESTION'S LIFE:")
	life, _, _ = strings.Cut(life, "AN EXAMPLE")
	life = regexp.MustCompile(`\n \*   +"`).ReplaceAllString(life, ` "`) // a document on two lines
	var table abi.Table
	engine, _, _ := table.Open([]byte("{}"), nil)
	var asked, id string
	effects := map[string]map[string]json.RawMessage{}
	events, found := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^ \*   (  -> )?(\{"(?:event|effect)":.*\})$`).FindAllStringSubmatch(life,
		-1) {
		document := strings.Replace(m[2], `"ID"`, `"`+id+`"`, 1)
		if m[1] != "" {
			found++
			named(t, document, effects)
			continue
		}
		if strings.Contains(document, `"ref":"2"`) {
			stepped(t, &table, engine, strings.Replace(asked, `"ref":"1"`, `"ref":"2"`, 1))
		}
		events++
		effects = stepped(t, &table, engine, document)
		if show, ok := effects["show"]; ok {
			asked, id = document, strings.Trim(string(show["id"]), `"`)
		}
	}
	if events != 5 || found != 4 {
		t.Errorf("%d events and %d effects in the header", events, found)
	}
}

// TestHeaderTellsAConnectionsLife opens the connection of elicit.h's manual and gives it the manual's events, unchanged
// but for the ids.
func TestHeaderTellsAConnectionsLife(t *testing.T) {
	_, life, _ := strings.Cut(must.Text(t, "elicit.h"), "A CONNECTION'S LIFE:")
	life, _, _ = strings.Cut(life, "A QUESTION'S LIFE:")
	opening := regexp.MustCompile(`(?m)^ \*   (\{"relay":.*\})$`).FindStringSubmatch(life)
	var table abi.Table
	relay, out, status := table.Open([]byte(opening[1]), nil)
	if status != abi.OK {
		t.Fatalf("%s: %s", opening[1], out)
	}
	messages := regexp.MustCompile(`(?s)static const char (?:hello|welcome|question)\[\] =(.*?);`)
	var shown []byte
	for i, m := range messages.FindAllStringSubmatch(must.Text(t, "example/connection.c"), -1) {
		from := []string{"client", "server", "server"}[i]
		text := regexp.MustCompile(`"\s+"`).ReplaceAllString(strings.TrimSpace(m[1]), "")
		event := fmt.Sprintf(`{"event":{"event":"received","from":%q},"message":%s}`, from, text)
		if shown, status = table.Step(relay, []byte(event), nil); status != abi.OK {
			t.Fatalf("%s: %s", event, shown)
		}
	}
	named := regexp.MustCompile(`"show","session":"([^"]+)","id":"([^"]+)"`).FindSubmatch(shown)
	if named == nil {
		t.Fatalf("no question is shown: %s", shown)
	}
	ids := strings.NewReplacer("SESSION", string(named[1]), "ID", string(named[2]))
	done := ""
	for _, m := range regexp.MustCompile(`(?m)^ \*   (\{"event":.*\})$`).FindAllStringSubmatch(life, -1) {
		out, status := table.Step(relay, []byte(ids.Replace(m[1])), nil)
		if status != abi.OK {
			t.Errorf("%s: %s", m[1], out)
		}
		done += string(out)
	}
	for _, want := range []string{`"outcome":"accept","cause":"user"`, `{"effect":"close","end":"server"}`} {
		if !strings.Contains(done, want) {
			t.Errorf("no %s in %s", want, done)
		}
	}
}

// stepped gives an engine an event and returns the effects by name.
func stepped(t *testing.T, table *abi.Table, engine abi.Handle, event string) map[string]map[string]json.RawMessage {
	t.Helper()
	out, status := table.Step(engine, []byte(event), nil)
	var list struct{ Effects []map[string]json.RawMessage }
	if err := json.Unmarshal(out, &list); status != abi.OK || err != nil {
		t.Fatalf("%s: %s", event, out)
	}
	effects := map[string]map[string]json.RawMessage{}
	for _, effect := range list.Effects {
		effects[strings.Trim(string(effect["effect"]), `"`)] = effect
	}
	return effects
}

// named compares an effect of the manual, such as {"effect":"show","id","form"?}, with the effect of the engine.
func named(t *testing.T, manual string, came map[string]map[string]json.RawMessage) {
	t.Helper()
	manual = regexp.MustCompile(`:\[.*?\]`).ReplaceAllString(manual, "") // what is inside a list
	name, manual, _ := strings.Cut(strings.TrimPrefix(manual, `{"effect":"`), `"`)
	effect, ok := came[name]
	if !ok {
		t.Errorf("no effect %s, but %v", name, slices.Collect(maps.Keys(came)))
		return
	}
	members := map[string]bool{"effect": true}
	for _, m := range regexp.MustCompile(`"(\w+)"(\??)[,}]`).FindAllStringSubmatch(manual, -1) {
		members[m[1]] = true
		if effect[m[1]] == nil && m[2] == "" {
			t.Errorf("%s has no %s", name, m[1])
		}
	}
	for member := range effect {
		if !members[member] {
			t.Errorf("%s has %s, which the manual does not name", name, member)
		}
	}
}

// TestDocumentsAreWhatThePageSays compares the tables of docs/reference/abi.md with the engine. Both have the same
// events and effects. An event has exactly the members of the table. No effect in any vector has a member that the
// table lacks.
func TestDocumentsAreWhatThePageSays(t *testing.T) {
	var table abi.Table
	_, out, _ := table.Call(abi.OpDescribe, 0, nil, nil)
	var described struct{ Events, Effects, Abouts []string }
	must.Unmarshal(t, out, &described)
	page := must.Text(t, "../docs/reference/abi.md")
	events, effects := tabled(t, page, "Events", described.Events), tabled(t, page, "Effects", described.Effects)
	tabled(t, page, "Problems by what they are about", described.Abouts)
	universe := map[string]bool{"withheld": true, "when": true}
	for _, members := range events {
		maps.Copy(universe, members)
	}
	for _, v := range vectors.Read(t) {
		for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllSubmatch(v.In, -1) {
			universe[string(m[1])] = true
		}
	}
	engine, _, _ := table.Open([]byte("{}"), nil)
	for event, members := range events {
		for member := range universe {
			document, isText := strings.CutSuffix(member, "_text")
			if _, listed := members[document]; member == "event" || isText && listed {
				continue
			}
			out, _ := table.Step(engine, fmt.Appendf(nil, `{"event":{"event":%q,%q:0}}`, event, member), nil)
			refused := strings.Contains(string(out), `{"code":"unknown_member","pointer":"/event/`+member+`"`)
			if _, listed := members[member]; listed == refused {
				t.Errorf("%s: the page lists %s: %v, the engine refuses it: %v", event, member, listed, refused)
			}
		}
	}
	seen := map[string]bool{}
	for _, v := range vectors.Read(t) {
		var want struct {
			Effects [][]map[string]json.RawMessage
		}
		if v.Op != "run" || json.Unmarshal(v.Want, &want) != nil {
			continue
		}
		for _, effect := range slices.Concat(want.Effects...) {
			name := strings.Trim(string(effect["effect"]), `"`)
			seen[name] = true
			for member := range effect {
				if _, listed := effects[name][member]; name != "" && !listed && member != "effect" {
					t.Errorf("%s: an effect %s has %s", v, name, member)
				}
			}
			for member, always := range effects[name] {
				if always && effect[member] == nil {
					t.Errorf("%s: an effect %s has no %s", v, name, member)
				}
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("the vectors hold only %d kinds of effects", len(seen))
	}
}

// tabled reads one table of the page: for each name its members, with true for a member that is always there.
func tabled(t *testing.T, page, title string, names []string) map[string]map[string]bool {
	t.Helper()
	_, page, _ = strings.Cut(page, "\n## "+title+"\n")
	page, _, _ = strings.Cut(page, "\n## ")
	rows := map[string]map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|(.*?)\\|").FindAllStringSubmatch(page, -1) {
		rows[row[1]] = map[string]bool{}
		for _, m := range regexp.MustCompile("`(\\w+)(\\??)`").FindAllStringSubmatch(row[2], -1) {
			rows[row[1]][m[1]] = m[2] == ""
		}
	}
	if got, want := slices.Sorted(maps.Keys(rows)), slices.Sorted(slices.Values(names)); !slices.Equal(got, want) {
		t.Errorf("%s: the page has %v, the engine %v", title, got, want)
	}
	return rows
}

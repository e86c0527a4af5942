package relay

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// page returns a section of docs/reference/relay.md.
func page(t *testing.T, title string) string {
	t.Helper()
	_, section, found := strings.Cut(must.Text(t, "../../docs/reference/relay.md"), "\n## "+title+"\n")
	if !found {
		t.Fatalf("no section %s", title)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

var quoted = regexp.MustCompile("`(\\w+)(\\??)`")

// table reads the rows of a section: the second column by each name in the first.
func table(section string) map[string]string {
	rows := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|(.*?)\\|").FindAllStringSubmatch(section, -1) {
		for _, name := range quoted.FindAllStringSubmatch(row[1], -1) {
			rows[name[1]] = row[2]
		}
	}
	return rows
}

// listedIn returns the members in a row, with true for a member that is always present.
func listedIn(row string) map[string]bool {
	listed := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(row, -1) {
		listed[m[1]] = m[2] == ""
	}
	return listed
}

// TestEventsAreDocumented checks that the page lists exactly the events that a connection takes from its host.
func TestEventsAreDocumented(t *testing.T) {
	told := slices.Collect(maps.Keys(table(page(t, "Other events"))))
	if strings.Contains(page(t, "Messages in"), `{"event": "received", "from": "server"}`) {
		told = append(told, "received")
	}
	machine, _, problems := New(Config{Server: "s"}, Input{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	taken := EventNames()
	for _, ev := range []event.Event{
		event.Opened{}, event.Asked{}, event.Answered{}, event.Noted{}, event.Drafted{},
		event.Extended{}, event.Completed{}, event.Cancelled{}, event.Closed{}, event.Resumed{},
		event.Configured{Config: []byte("{}")},
		event.Preferred{}, event.Revoked{}, event.Unmuted{}, event.Forgotten{}, event.Consulted{}, event.Ticked{}} {
		refused := slices.ContainsFunc(machine.Step(Input{Event: ev}), func(e Effect) bool {
			n, ok := e.(Note)
			return ok && n.Problems[0].Code == "event_unfit"
		})
		var named struct{ Event string }
		must.Unmarshal(t, ev.AppendJSON(nil), &named)
		if !refused {
			taken = append(taken, named.Event)
		}
		if !slices.Contains(event.Names(), named.Event) {
			t.Errorf("%s is no event of the engine", named.Event)
		}
	}
	slices.Sort(told)
	slices.Sort(taken)
	if !slices.Equal(told, taken) {
		t.Errorf("the page has %v, the machine takes %v", told, taken)
	}
	for name, document := range map[string]string{
		"ended":         `{"event":"ended","end":"host"}`,
		"append_failed": `{"event":"append_failed"}`,
	} {
		var given map[string]any
		if _, wrong := ReadEvent([]byte(document)); len(wrong) > 0 || json.Unmarshal([]byte(document), &given) != nil {
			t.Errorf("%s: %v", document, wrong)
		}
		listed := listedIn(strings.Split(table(page(t, "Other events"))[name], ":")[0])
		for member := range given {
			if _, ok := listed[member]; !ok && member != "event" {
				t.Errorf("%s: the page does not tell of %s", name, member)
			}
		}
		if len(listed) != len(given)-1 {
			t.Errorf("%s: the page tells of %v", name, listed)
		}
	}
}

// TestEffectsAreDocumented checks that the page lists every effect of a connection, and that each effect in a vector
// has the members in its row.
func TestEffectsAreDocumented(t *testing.T) {
	rows := table(page(t, "Effects"))
	told := slices.Sorted(maps.Keys(rows))
	want := EffectNames()
	for _, name := range effect.Names() {
		if name != "reply" { // it becomes a send and a settled
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if !slices.Equal(told, want) {
		t.Errorf("the page has %v, the machine %v", told, want)
	}
	listed := map[string]map[string]bool{}
	for _, name := range append(EffectNames(), "append", "wake") {
		listed[name] = listedIn(rows[name])
	}
	// "the same without …, and …" means the row before it, without some members.
	less, more, found := strings.Cut(rows["settled"], ", and ")
	if !found || !strings.HasPrefix(strings.TrimSpace(less), "the same without ") {
		t.Fatalf("settled: %s", rows["settled"])
	}
	listed["settled"] = maps.Clone(listed["question"])
	for member := range listedIn(less) {
		delete(listed["settled"], member)
	}
	maps.Copy(listed["settled"], listedIn(more))
	seen := map[string]int{}
	for name, next := range shownIn(t) {
		seen[name[0]]++
		known, check := listed[name[0]]
		for member := range next {
			if _, told := known[member]; check && !told && member != "effect" {
				t.Errorf("%s: an effect %s has %s", name[1], name[0], member)
			}
		}
		for member, always := range known {
			if _, there := next[member]; always && !there {
				t.Errorf("%s: an effect %s has no %s", name[1], name[0], member)
			}
		}
	}
	for _, name := range EffectNames() {
		if seen[name] == 0 && name != "new_journal" { // a broken engine is in no vector
			t.Errorf("no vector shows %s", name)
		}
	}
}

// shownIn yields every effect in the vectors of a connection, with its name and the file.
func shownIn(t *testing.T) func(yield func(name [2]string, next map[string]json.RawMessage) bool) {
	t.Helper()
	return func(yield func([2]string, map[string]json.RawMessage) bool) {
		for _, v := range vectors.Read(t, "relay") {
			var want struct {
				Effects [][]map[string]json.RawMessage
			}
			if err := json.Unmarshal(v.Want, &want); err != nil {
				t.Fatalf("%s: %v", v, err)
			}
			for _, next := range slices.Concat(want.Effects...) {
				if !yield([2]string{strings.Trim(string(next["effect"]), `"`), v.String()}, next) {
					return
				}
			}
		}
	}
}

package abi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
	"github.com/elicit-engine/elicit/internal/vectors"
)

const contractFile = "../../docs/contract.schema.json"

// contract is the published schema of what goes in and out, read so that an object has no member that it does not list.
type contract struct {
	root  *jsonschema.Schema
	ready map[string]*jsonschema.Resolved
	seen  map[string]bool // "Show.form": the members that documents had
}

func readContract(t *testing.T) *contract {
	t.Helper()
	text := must.Read(t, contractFile)
	// The schema of a configuration stands in its own file, and has its own test.
	text = bytes.ReplaceAll(text, []byte(`"$ref": "config.schema.json"`), []byte(`"type": "object"`))
	c := &contract{root: new(jsonschema.Schema), ready: map[string]*jsonschema.Resolved{}, seen: map[string]bool{}}
	must.Unmarshal(t, text, c.root)
	for _, s := range c.root.Defs {
		closeObjects(s)
	}
	return c
}

// closeObjects refuses the members that a schema does not list.
func closeObjects(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Properties != nil {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, sub := range slices.Concat(slices.Collect(maps.Values(s.Properties)), s.AnyOf, []*jsonschema.Schema{s.Items}) {
		closeObjects(sub)
	}
}

// fits validates a document, and remembers which members it has.
func (c *contract) fits(ref string, raw []byte) error {
	r := c.ready[ref]
	if r == nil {
		s := &jsonschema.Schema{Ref: "#/$defs/" + ref, Defs: c.root.Defs}
		var err error
		if r, err = s.CloneSchemas().Resolve(nil); err != nil {
			panic(ref + ": " + err.Error())
		}
		c.ready[ref] = r
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return err
	}
	return r.Validate(value)
}

// named returns the definition of a union whose member event or effect is the name.
func (c *contract) named(union, member, name string) string {
	for _, s := range c.root.Defs[union].AnyOf {
		def := strings.TrimPrefix(s.Ref, "#/$defs/")
		if said := c.root.Defs[def].Properties[member]; said != nil && said.Const != nil && *said.Const == name {
			return def
		}
	}
	return ""
}

// one checks an event or an effect.
func (c *contract) one(union, member string, raw []byte) error {
	var said map[string]json.RawMessage
	if err := json.Unmarshal(raw, &said); err != nil {
		return err
	}
	name := strings.Trim(string(said[member]), `"`)
	def := c.named(union, member, name)
	if def == "" {
		return fmt.Errorf("%s has no %s %q", union, member, name)
	}
	for key := range said {
		c.seen[def+"."+key] = true
	}
	return c.fits(def, raw)
}

var listed = regexp.MustCompile(`"x-list": "([\w.]+)", "enum": \[(.*?)\]`)

// TestContractHasEveryName compares the lists of the contract with those of describe. -update writes them.
func TestContractHasEveryName(t *testing.T) {
	var described map[string]json.RawMessage
	must.Unmarshal(t, Describe(nil), &described)
	text := must.Read(t, contractFile)
	fresh := listed.ReplaceAllFunc(text, func(found []byte) []byte {
		list := string(listed.FindSubmatch(found)[1])
		return fmt.Appendf(nil, `"x-list": %q, "enum": [%s]`, list, strings.Join(describedNames(t, described, list), ", "))
	})
	pages.File(t, contractFile, "go test ./engine/abi -run TestContract -update", string(fresh), *update)
	c := readContract(t)
	for union, names := range map[string][]string{
		"Event": event.Names(), "Effect": effect.Names(),
		"RelayEvent": relay.EventNames(), "RelayEffect": relay.EffectNames(),
		"AskingEvent": asking.EventNames(), "AskingEffect": asking.EffectNames(),
		"AskerEvent": asker.EventNames(), "AskerEffect": asker.EffectNames(),
	} {
		member := map[bool]string{true: "event", false: "effect"}[strings.HasSuffix(union, "Event")]
		for _, name := range names {
			if c.named(union, member, name) == "" {
				t.Errorf("%s has no %s", union, name)
			}
		}
	}
	ops := slices.Sorted(maps.Keys(c.root.Defs["Operations"].Properties))
	if want := slices.Sorted(slices.Values(Ops())); !slices.Equal(ops, want) {
		t.Errorf("operations %v, want %v", ops, want)
	}
}

// describedNames returns a list of describe, each name in quotes.
func describedNames(t *testing.T, described map[string]json.RawMessage, list string) (names []string) {
	t.Helper()
	list, member, inside := strings.Cut(list, ".")
	var rows []json.RawMessage
	if err := json.Unmarshal(described[list], &rows); err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	for _, row := range rows {
		var said struct {
			Name, Code string
			Values     []json.RawMessage
		}
		switch err := json.Unmarshal(row, &said); {
		case inside && said.Name == member:
			for _, value := range said.Values {
				names = append(names, string(value))
			}
		case err != nil:
			names = append(names, string(row))
		case !inside:
			names = append(names, `"`+said.Code+`"`)
		}
	}
	return names
}

// TestContractHasEveryMember: an event has exactly the members that the contract gives it, for each machine.
func TestContractHasEveryMember(t *testing.T) {
	c := readContract(t)
	universe := map[string]bool{}
	for _, s := range c.root.Defs {
		for name := range s.Properties {
			universe[name] = true
		}
	}
	var table Table
	for union, config := range map[string]string{"Event": `{}`, "RelayEvent": `{"relay":{"server":"s","role":"between"}}`,
		"AskingEvent": `{"asking":{"server":"s","version":"2025-11-25"}}`, "AskerEvent": `{"asker":{"server":"s"}}`} {
		h, out, status := table.Open([]byte(config), nil)
		if status != OK {
			t.Fatalf("%s", out)
		}
		for _, ref := range c.root.Defs[union].AnyOf {
			def := strings.TrimPrefix(ref.Ref, "#/$defs/")
			members := c.root.Defs[def].Properties
			name := *members["event"].Const
			for member := range universe {
				rest := ""
				if end := map[string]string{"received": "from", "ended": "end"}[name.(string)]; end != "" && end != member {
					rest = fmt.Sprintf(`,%q:"client"`, end)
				}
				out, _ := table.Step(h, fmt.Appendf(nil, `{"event":{"event":%q,%q:0%s}}`, name, member, rest), nil)
				refused := strings.Contains(string(out), `{"code":"unknown_member","pointer":"/event/`+member+`"`)
				if _, has := members[member]; member != "event" && has == refused {
					t.Errorf("%s lists %s: %v, the machine refuses it: %v: %s", def, member, has, refused, out)
				}
			}
		}
	}
}

// unmet are members that no vector shows, with the reason.
var unmet = map[string]string{
	"NewJournal.effect":   "a vector cannot break an engine",
	"Consult.wasi":        "a vector loads no module",
	"Show.by_client":      "a connection performs such a show itself",
	"AskingSettled.by":    "only the machine of a process knows it, whose reply holds the effect",
	"AskerCommit.records": "a vector leaves them out",
	"AskerDue.skip":       "a vector has no more sessions than one list",
	"AskingResume.method": "left out for tools/call, the only method that a fallback has",
}

// foreign are vectors about a word that no list has, or a number that Go cannot hold.
var foreign = []string{"explain/not-a-list", "explain/warnings-alike", "explain/whys-others", "guardian/fault-unknown",
	"json/number-beyond-double", "step/close-unknown-cause"}

// ofProcess begins the input of a vector about the machine of a process.
var ofProcess = regexp.MustCompile(`^\{\s*"asker"`)

// TestVectorsFitTheContract validates the input and the output of every vector, and each event and effect in them. An
// input may be wrong if the output says so. Every member of an effect stands in a vector.
func TestVectorsFitTheContract(t *testing.T) {
	c := readContract(t)
	count := map[string]int{}
	for _, v := range vectors.Read(t) {
		if slices.Contains(foreign, v.TCID) {
			continue
		}
		out := v.Output()
		if err := c.fits("Operations/properties/"+v.Op+"/properties/out", out); err != nil {
			t.Errorf("%s: out: %v", v, err)
		}
		refused := bytes.Contains(out, []byte(`"problems":[`)) || bytes.Contains(out, []byte(`"pointer":"/`))
		if err := c.fits("Operations/properties/"+v.Op+"/properties/in", v.In); err != nil && !refused {
			t.Errorf("%s: in: %v", v, err)
		}
		count["vectors"]++
		machine, is := map[string]string{"run": "", "relay": "Relay", "asking": "Asking"}[v.Op]
		if ofProcess.Match(v.In) {
			machine = "Asker"
		}
		if is {
			c.machine(t, v, machine, count)
		}
	}
	for _, union := range []string{"Effect", "RelayEffect", "AskingEffect", "AskerEffect"} {
		for _, ref := range c.root.Defs[union].AnyOf {
			def := strings.TrimPrefix(ref.Ref, "#/$defs/")
			for member := range c.root.Defs[def].Properties {
				if key := def + "." + member; !c.seen[key] && unmet[key] == "" {
					t.Errorf("no vector shows %s", key)
				}
			}
		}
	}
	t.Logf("%v", count)
	if count["events"] < 1000 || count["effects"] < 2000 {
		t.Error("the test has lost its subject")
	}
}

// machine validates the events and the effects of a vector.
func (c *contract) machine(t *testing.T, v vectors.Vector, machine string, count map[string]int) {
	var in struct{ Inputs []map[string]json.RawMessage }
	var want struct{ Effects [][]json.RawMessage }
	if json.Unmarshal(v.In, &in) != nil || json.Unmarshal(v.Output(), &want) != nil {
		return
	}
	refused := map[int]bool{}
	opening := max(0, len(want.Effects)-len(in.Inputs))
	for i, list := range want.Effects {
		for _, raw := range list {
			var err error
			if bytes.Contains(raw, []byte(`"problem`)) {
				refused[i-opening] = true
			}
			switch {
			case bytes.HasPrefix(raw, []byte(`{"effect":`)):
				count["effects"]++
				err = c.one(machine+"Effect", "effect", raw)
			case bytes.Contains(raw, []byte(`"code"`)):
				refused[i-opening] = true
				err = c.fits("Problem", raw)
			default:
				err = c.fits("Grant", raw)
			}
			if err != nil {
				t.Errorf("%s: effect %d: %v: %s", v, i, err, raw)
			}
		}
	}
	for i, input := range in.Inputs {
		raw := input["event"]
		if len(raw) > 0 && raw[0] == '"' {
			raw, _ = json.Marshal(input)
		}
		if raw == nil || refused[i] || want.Effects == nil {
			continue
		}
		count["events"]++
		if err := c.one(machine+"Event", "event", raw); err != nil {
			t.Errorf("%s: event %d: %v: %s", v, i, err, raw)
		}
	}
}

package abi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/pages"
	"github.com/elicit-engine/elicit/internal/vectors"
)

const laterFile = "../../testdata/later.json"

// later writes the output of a step as a later version may: with effects and members that no host of today knows.
type later struct {
	*rand.Rand
	defs ordered
}

// odd are names that a host may take for something of its language, or of its own.
var odd = []string{"later", "", "__proto__", "constructor", "toString", "length", "then", "__class__", "class", "self",
	"_text", "a.b", "1", "-", "Effect", "recorD", `"`, `\`, "\x00", "é", "\U0001f600", "},{", "], ",
	strings.Repeat("x", 70)}

// value is JSON of any kind, at most so deep. Some of it looks like the parts for which a reader searches.
func (l *later) value(depth int) string {
	plain := []string{"null", "true", "false", "0", "-0.0", "1e400", "12345678901234567890", `""`, `"\\"`,
		`"\"question\":{"`, `"{\"effect\":\"append\",\"record\":"`, `"]}"`, "[]", "{}", `{"effect":"append","record":{}}`,
		`{"record":1,"question":2,"effects":[3]}`, `{"effect":"consult","question":{}}`}
	if depth == 0 || l.IntN(3) > 0 {
		return plain[l.IntN(len(plain))]
	}
	if l.IntN(2) == 0 {
		return "[" + l.value(depth-1) + "," + l.value(depth-1) + "]"
	}
	return l.object(nil, nil, depth-1)
}

func quote(name string) string {
	text, _ := json.Marshal(name)
	return string(text)
}

// object joins members, and puts others between them whose names are not among those.
func (l *later) object(members, names []string, depth int) string {
	for l.IntN(5) > 1 {
		name := odd[l.IntN(len(odd))]
		if !slices.Contains(names, name) {
			names = append(names, name)
			members = slices.Insert(members, l.IntN(len(members)+1), quote(name)+":"+l.value(depth))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// effect is an effect of a later version.
func (l *later) effect() string {
	return l.object([]string{`"effect":` + quote(odd[l.IntN(len(odd))]), `"session":"s"`}, []string{"effect"}, 3)
}

// write writes a value whose definition is s. Where a host keeps the exact text of a member, nothing comes into it.
func (l *later) write(raw json.RawMessage, s *shape) string {
	if s == nil || s.Text != "" {
		return string(raw)
	}
	if s.Ref != "" {
		if s = l.defs.named(s.target()); s == nil {
			return string(raw)
		}
	}
	switch {
	case s.isRecord() && raw[0] == '{':
		var members, names []string
		for _, d := range s.Properties {
			names = append(names, d.name, d.name+"_text")
		}
		for name, value := range inOrder(raw) {
			members = append(members, quote(name)+":"+l.write(value, s.Properties.named(name)))
		}
		return l.object(members, names, 3)
	case s.Items != nil && raw[0] == '[':
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items)
		out := []string{}
		for _, item := range items {
			out = append(out, l.write(item, s.Items))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	return string(raw)
}

// inOrder iterates over the members of an object in their order.
func inOrder(raw json.RawMessage) func(yield func(string, json.RawMessage) bool) {
	return func(yield func(string, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader(raw))
		for _, _ = dec.Token(); dec.More(); {
			name, _ := dec.Token()
			var value json.RawMessage
			if dec.Decode(&value) != nil || !yield(name.(string), value) {
				return
			}
		}
	}
}

// known returns the definition of an effect, by the name of its union and its own.
func (l *later) known() map[string]*shape {
	out := map[string]*shape{}
	for _, union := range []string{"Effect", "RelayEffect", "AskingEffect"} {
		for _, one := range l.defs.named(union).AnyOf {
			def := l.defs.named(one.target())
			_, name := def.tag()
			out[union+"."+name] = def
		}
	}
	return out
}

// TestLaterIsFresh writes testdata/later.json: steps of the vectors with every effect of each machine, and each step as
// a later version may write it. A test of every binding reads both. -update writes the file.
func TestLaterIsFresh(t *testing.T) {
	l := &later{rand.New(rand.NewPCG(7, 30)), readShapes(t)}
	known, seen, lines := l.known(), map[string]int{}, []string{}
	for _, v := range vectors.Read(t) {
		union := map[string]string{"run": "Effect", "relay": "RelayEffect", "asking": "AskingEffect"}[v.Op]
		var out struct{ Effects [][]json.RawMessage }
		if union == "" || ofProcess.Match(v.In) || json.Unmarshal(v.Output(), &out) != nil {
			continue
		}
		for _, step := range out.Effects {
			var names, plain, fresh []string
			wanted := false
			for _, raw := range step {
				var tag struct{ Effect string }
				_ = json.Unmarshal(raw, &tag)
				names, plain = append(names, union+"."+tag.Effect), append(plain, string(raw))
				wanted = wanted || seen[union+"."+tag.Effect] < 2
			}
			if !wanted || len(strings.Join(plain, "")) > 3000 ||
				slices.ContainsFunc(names, func(name string) bool { return known[name] == nil }) {
				continue
			}
			for i, raw := range step {
				seen[names[i]]++
				for l.IntN(3) == 0 {
					fresh = append(fresh, l.effect())
				}
				fresh = append(fresh, l.write(raw, known[names[i]]))
			}
			list := func(effects ...string) []string { return []string{`"effects":[` + strings.Join(effects, ",") + "]"} }
			lines = append(lines, fmt.Sprintf(`{"machine":"%s","plain":%s,"later":%s}`, union,
				quote("{"+list(plain...)[0]+"}"),
				quote(l.object(list(append(fresh, l.effect())...), []string{"effects", "problems"}, 3))))
		}
	}
	if len(lines) < 50 || len(seen) < len(known)-6 {
		t.Fatalf("the test has lost its subject: %d steps, %d of %d effects", len(lines), len(seen), len(known))
	}
	pages.File(t, laterFile, "go test ./engine/abi -run TestLater -update",
		"[\n"+strings.Join(lines, ",\n")+"\n]\n", *update)
}

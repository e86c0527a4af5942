package schema

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/must"
)

// read reads a published schema as editors do.
func read(t *testing.T, name string) (gjson.Result, func(doc []byte) error) {
	t.Helper()
	raw, err := Files.ReadFile(name + ".schema.json")
	must.OK(t, err)
	var s jsonschema.Schema
	must.Unmarshal(t, raw, &s)
	r, err := s.Resolve(nil)
	must.OK(t, err)
	return gjson.ParseBytes(raw), func(doc []byte) error {
		var v any
		if err := json.Unmarshal(doc, &v); err != nil {
			return err
		}
		return r.Validate(v)
	}
}

// strict reads a document into a Go type that must know every member.
func strict(doc []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// TestDocuments holds every question, verdict and manifest of the repository's kits and guests to the schemas and
// types.
func TestDocuments(t *testing.T) {
	_, question := read(t, "question")
	_, verdict := read(t, "verdict")
	_, manifest := read(t, "manifest")
	count := map[string]int{}
	hold := func(file, what, doc string, valid func([]byte) error, into any) {
		if doc == "" {
			return
		}
		count[what]++
		if err := valid([]byte(doc)); err != nil {
			t.Errorf("%s: %s: %v", file, what, err)
		}
		if err := strict([]byte(doc), into); err != nil {
			t.Errorf("%s: %s: %v", file, what, err)
		}
	}
	dirs, _ := filepath.Glob("../guests/*/cases")
	for _, dir := range append(dirs, "../pdk/cases") {
		cases, err := guestcase.In(dir)
		must.OK(t, err)
		for _, c := range cases {
			hold(c.Name, "question", gjson.GetBytes(c.Text, "question").Raw, question, &Question{})
			hold(c.Name, "verdict", gjson.GetBytes(c.Text, "verdict").Raw, verdict, &Verdict{})
		}
	}
	for _, pattern := range []string{"../pdk/*/template/guardian.json", "../guests/*/guardian.json"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			hold(file, "manifest", must.Text(t, file), manifest, &Manifest{})
		}
	}
	if count["question"] < 100 || count["verdict"] < 80 || count["manifest"] < 9 {
		t.Errorf("too few documents: %v", count)
	}
}

// TestAgree changes documents at random. The schema and the engine's own reader must say the same of each. The changes
// leave out, or name, the rules that a schema cannot express.
func TestAgree(t *testing.T) {
	_, verdict := read(t, "verdict")
	_, manifest := read(t, "manifest")
	_, permits := read(t, "permits")
	const digest = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	across := []string{"guardian_undeclared", "phase_undeclared", "reviewer_in_audit",
		"missing"} // rules between members
	for _, tt := range []struct {
		name  string
		seeds []string
		valid func([]byte) error
		reads func([]byte) []string // codes of problems
	}{
		{"verdict", []string{`{"v":1,"decision":"deny","findings":[{"code":"a_1","pointer":"/answer/x","message":"m",` +
			`"severity":"high"}],"obligations":[{"do":"redact","pointer":"/answer/n"},{"do":"second_person"}]}`},
			verdict, func(doc []byte) []string {
				if _, p := guardian.ReadVerdict(doc, guardian.BeforeSend); p != nil {
					return []string{p.Code}
				}
				return nil
			}},
		{"manifest", []string{`{"name":"a-1","version":"1","summary":"s","phases":["before_show","before_send"],` +
			`"reads":["/request/url","/answer/*"],"codes":["a","b_1"],"settings":{"type":"object"},"license":"l",` +
			`"source":"s","x-y":1}`}, manifest, func(doc []byte) (codes []string) {
			_, problems := guardian.ParseManifest(doc)
			for _, p := range problems {
				codes = append(codes, p.Code)
			}
			return codes
		}},
		{"permits", []string{`{"name":"a","digest":"` + digest +
			`","declared":{"phases":["before_show"],"reads":["/request"],"codes":["a"]},"reads":["/request/url"],` +
			`"phases":["before_show"],"settings":{"a":1},"audit":true,"fuel":7,"wasi":true,"deadline_ms":7,` +
			`"escalate":true,"host":true}`,
			`{"name":"b","reviewer":true,"reads":["/request/message"]}`},
			permits, func(doc []byte) (codes []string) {
				_, problems := guardian.ReadPermits(gjson.Parse("[" + string(doc) + "]"))
				for _, p := range problems {
					if !slices.Contains(across, p.Code) {
						codes = append(codes, p.Code)
					}
				}
				return codes
			}},
	} {
		said := map[bool]int{}
		random := rand.New(rand.NewSource(1))
		for i := range 4_000 {
			var doc any
			must.Unmarshal(t, tt.seeds[i%len(tt.seeds)], &doc)
			for range random.Intn(3) {
				doc = changed(random, doc)
			}
			if _, object := doc.(map[string]any); !object {
				continue
			}
			text, _ := json.Marshal(doc)
			err, codes := tt.valid(text), tt.reads(text)
			if said[err == nil]++; (err == nil) != (len(codes) == 0) {
				t.Fatalf("%s: the schema says %v, the reader %v\n%s", tt.name, err, codes, text)
			}
		}
		if said[true] < 500 || said[false] < 500 {
			t.Errorf("%s: %v documents", tt.name, said)
		}
	}
}

// changed is a document with one thing otherwise somewhere.
func changed(random *rand.Rand, v any) any {
	others := []any{nil, true, "", "/answer/x", "before_send", "deny", "A b", 7.0, -1.0, 0.5, map[string]any{}, []any{},
		strings.Repeat("x", 600)}
	switch v := v.(type) {
	case map[string]any:
		names := []string{}
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		switch n := random.Intn(10); {
		case n == 0 || len(names) == 0:
			v["other"] = 1.0
		case n == 1:
			delete(v, names[random.Intn(len(names))])
		default:
			name := names[random.Intn(len(names))]
			v[name] = changed(random, v[name])
		}
		return v
	case []any:
		switch n := random.Intn(4); {
		case n == 0 && len(v) > 0:
			return append(v, v[0])
		case n == 1 && len(v) > 0:
			return v[1:]
		case len(v) > 0:
			i := random.Intn(len(v))
			v[i] = changed(random, v[i])
			return v
		}
	}
	return others[random.Intn(len(others))]
}

// TestMembers holds the members of schemas, Go types, TypeScript types and the engine's own to each other.
func TestMembers(t *testing.T) {
	for _, tt := range []struct {
		schema, at string
		of         any
		file, ts   string   // the TypeScript type
		without    []string // members that only files for --guardian have
	}{
		{"question", "properties", Question{}, "../contract.ts", "Question", nil},
		{"question", "properties.request.properties", Request{}, "", "", nil},
		{"question", "$defs.form.properties", Form{}, "../contract.ts", "Form", nil},
		{"question", "$defs.field.properties", Field{}, "../contract.ts", "Field", nil},
		{"question", "$defs.finding.properties", Inspected{}, "../contract.ts", "Finding", nil},
		{"verdict", "properties", Verdict{}, "../contract.ts", "Verdict", nil},
		{"verdict", "properties.findings.items.properties", Finding{}, "", "", nil},
		{"manifest", "properties", Manifest{}, "permit.ts", "Manifest", nil},
		{"permits", "$defs.permit.properties", Permit{}, "permit.ts", "GuardianPermit",
			[]string{"command", "data", "module"}},
	} {
		schema, _ := read(t, tt.schema)
		var want []string
		schema.Get(strings.ReplaceAll(tt.at, "$", `\$`)).ForEach(func(k, _ gjson.Result) bool {
			want = append(want, k.String())
			return true
		})
		slices.Sort(want)
		if got := members(reflect.TypeOf(tt.of)); !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%T has %q, the schema %q", tt.of, got, want)
		}
		if tt.ts == "" {
			continue
		}
		want = slices.DeleteFunc(want, func(s string) bool { return slices.Contains(tt.without, s) })
		if got := declared(t, tt.file, tt.ts); !slices.Equal(got, want) {
			t.Errorf("%s of TypeScript has %q, the schema %q", tt.ts, got, want)
		}
	}
	var own []string
	for f := range reflect.TypeFor[guardian.Manifest]().Fields() {
		own = append(own, strings.ToLower(f.Name))
	}
	slices.Sort(own)
	if got := members(reflect.TypeFor[Manifest]()); !slices.Equal(got, own) {
		t.Errorf("a manifest has %q, the engine reads %q", got, own)
	}
}

// members are the names of a Go type's members in JSON.
func members(of reflect.Type) (names []string) {
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// declared are the members of an interface in the npm package's source.
func declared(t *testing.T, file, name string) (names []string) {
	t.Helper()
	text := must.Text(t, "../../bindings/js/src/guardian/"+file)
	_, body, found := strings.Cut(text, "export interface "+name+" {\n")
	body, _, closed := strings.Cut(body, "\n}")
	if !found || !closed {
		t.Fatalf("%s has no interface %s", file, name)
	}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z_]+)\??:`).FindAllStringSubmatch(body, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

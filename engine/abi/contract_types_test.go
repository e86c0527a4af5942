package abi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
)

// shape is a schema of the contract with its members in their order.
type shape struct {
	Ref                  string `json:"$ref"`
	Description          string
	Type                 json.RawMessage
	Const                json.RawMessage
	Enum                 []string
	Items                *shape
	MaxItems             int
	AdditionalProperties json.RawMessage
	Properties           ordered
	Required             []string
	AnyOf                []*shape
	List                 string `json:"x-list"`
	Text                 string `json:"x-text"`
}

// ordered are the members of an object, or the definitions, in the order of the file.
type ordered []entry

type entry struct {
	name string
	is   *shape
}

func (o *ordered) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		is := new(shape)
		if err := dec.Decode(is); err != nil {
			return err
		}
		*o = append(*o, entry{name.(string), is})
	}
	return nil
}

func (o ordered) named(name string) *shape {
	for _, d := range o {
		if d.name == name {
			return d.is
		}
	}
	return nil
}

func (s *shape) kind() string        { return strings.Trim(string(s.Type), `"`) }
func (s *shape) target() string      { return strings.TrimPrefix(s.Ref, "#/$defs/") }
func (s *shape) isUnion() bool       { return len(s.AnyOf) > 3 && s.AnyOf[0].Ref != "" }
func (s *shape) isTag() bool         { return len(s.Const) > 0 && s.Const[0] == '"' }
func (s *shape) isRecord() bool      { return s.kind() == "object" && len(s.Properties) > 0 }
func (s *shape) needs(n string) bool { return slices.Contains(s.Required, n) }

// isOpen reports whether a definition lists codes, which nearly every version adds to.
func (s *shape) isOpen() bool { return len(s.Enum) > 30 }

// values is the schema of the values of an object with any members, or nil.
func (s *shape) values() *shape {
	out := new(shape)
	if bytes.HasPrefix(s.AdditionalProperties, []byte("{")) && json.Unmarshal(s.AdditionalProperties, out) == nil {
		return out
	}
	return nil
}

// tag returns the name of the event or effect of a definition.
func (s *shape) tag() (member, name string) {
	for _, m := range []string{"event", "effect"} {
		if is := s.Properties.named(m); is != nil && is.isTag() {
			return m, strings.Trim(string(is.Const), `"`)
		}
	}
	return "", ""
}

func readShapes(t *testing.T) ordered {
	t.Helper()
	var file struct {
		Defs ordered `json:"$defs"`
	}
	must.Unmarshal(t, must.Read(t, contractFile), &file)
	if len(file.Defs) < 100 {
		t.Fatal("the test has lost its subject")
	}
	return file.Defs
}

// flat gives each object inside another definition a definition of its own, and leaves out the operations: their
// types have no names in most languages.
func flat(defs ordered) (out ordered) {
	var hoist func(owner string, s *shape) *shape
	members := func(owner string, s *shape) *shape {
		copied := *s
		copied.Properties = nil
		for _, m := range s.Properties {
			copied.Properties = append(copied.Properties, entry{m.name, hoist(owner+camel(m.name), m.is)})
		}
		return &copied
	}
	hoist = func(name string, s *shape) *shape {
		copied := *s
		switch {
		case s.isRecord():
			out = append(out, entry{name, members(name, s)})
			return &shape{Ref: "#/$defs/" + name, Description: s.Description}
		case s.Items != nil:
			copied.Items = hoist(name, s.Items)
		case s.values() != nil:
			raw, _ := json.Marshal(map[string]string{"$ref": hoist(name, s.values()).Ref})
			if s.values().isRecord() {
				copied.AdditionalProperties = raw
			}
		}
		return &copied
	}
	for _, d := range defs {
		if d.name == "Operations" {
			continue
		}
		if d.is.isRecord() {
			d.is = members(d.name, d.is)
		}
		out = append(out, d)
	}
	return out
}

// camel writes a name as a type.
func camel(name string) string {
	out := ""
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }) {
		out += strings.ToUpper(word[:1]) + word[1:]
	}
	return out
}

// said wraps a comment: the first line and those after it have their own beginnings.
func said(text, first, next string) (out string) {
	line, start := "", first
	for _, word := range strings.Fields(text) {
		if line != "" && len(start)+len(line)+len(word)+1 > 118 {
			out += start + line + "\n"
			line, start = "", next
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		out += start + line + "\n"
	}
	return out
}

// quoted writes words in quotes, with a sign between them, in lines that a file may have.
func quoted(words []string, between, indent string) string {
	out, line := "", ""
	for i, word := range words {
		if i > 0 {
			line += between
		}
		if len(indent)+len(line)+len(word)+3 > 116 {
			out += strings.TrimRight(line, " ") + "\n" + indent
			line = ""
		}
		line += `"` + word + `"`
	}
	return out + line
}

// TestContractTypesAreFresh generates the types of each language from the contract. -update writes them.
func TestContractTypesAreFresh(t *testing.T) {
	defs := readShapes(t)
	codes := must.Text(t, "../../bindings/js/src/codes.ts")
	// Only JavaScript gives types to the machine of a process: the other languages with a host of it have none.
	others := flat(slices.DeleteFunc(slices.Clone(defs), func(d entry) bool { return strings.HasPrefix(d.name, "Asker") }))
	for name, text := range map[string]string{
		"js/src/contract.ts":                          typescript(defs, codes),
		"python/src/elicit_engine/contract.py":        python(others),
		"rust/src/contract.rs":                        rust(others),
		"java/src/main/java/dev/elicit/Contract.java": java(others),
		"cpp/elicit_contract.hpp":                     cpp(others),
		"lua/lua/elicit/contract.lua":                 lua(others),
	} {
		pages.File(t, "../../bindings/"+name, "go test ./engine/abi -run TestContract -update", text, *update)
	}
}

// TestContractTypesCompile compiles the types of Java, and gives them effects of a later version. ./build.sh compiles
// those of TypeScript, C++ and Rust, and the tests of Python and Lua load theirs.
func TestContractTypesCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("the compilers take a minute")
	}
	java := "../../bindings/java/src/"
	to := t.TempDir()
	for _, line := range [][]string{
		{"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-Xlint:all", "-Werror", "-d", to,
			java + "main/java/dev/elicit/Contract.java", java + "main/java/dev/elicit/Json.java",
			java + "test/java/dev/elicit/ContractTest.java",
			java + "test/java/dev/elicit/LaterTest.java"},
		{"java", "-XX:TieredStopAtLevel=1", "-cp", to, "dev.elicit.ContractTest"},
		{"java", "-XX:TieredStopAtLevel=1", "-cp", to, "dev.elicit.LaterTest", laterFile},
	} {
		_, err := exec.LookPath(line[0])
		out, failed := exec.Command(line[0], line[1:]...).CombinedOutput()
		if err != nil && os.Getenv("CI") == "" {
			t.Skipf("%v: %v", line[:2], err)
		} else if failed != nil {
			t.Fatalf("%v: %v\n%s", line, failed, out)
		}
	}
}

const docs = "../../docs/reference/"

// rows finds the rows of tables about events and effects: the name, the members and the meaning.
var rows = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|([^|\n]*)\\|")

// TestContractTablesAreFresh writes the members of every event and effect into the tables of the pages.
func TestContractTablesAreFresh(t *testing.T) {
	defs := readShapes(t)
	for _, page := range []struct{ file, from, to, union string }{
		{"abi.md", "### Machines of the asking side", "| effect |", "AskingEvent"},
		{"abi.md", "It also takes `ticked`", "The effects `append`", "AskingEffect"},
		{"abi.md", "\n## Events", "\n## Configuration", "Event"},
		{"abi.md", "\n## Effects", "\nA form is", "Effect"},
	} {
		text := must.Read(t, docs+page.file)
		from := strings.Index(string(text), page.from)
		to := from + strings.Index(string(text)[max(from, 0):], page.to)
		if from < 0 || to < from {
			t.Fatalf("%s has no part from %q to %q", page.file, page.from, page.to)
		}
		listed := map[string]bool{}
		table := rows.ReplaceAllStringFunc(string(text[from:to]), func(row string) string {
			name := rows.FindStringSubmatch(row)[1]
			for _, ref := range defs.named(page.union).AnyOf {
				def := defs.named(ref.target())
				if _, is := def.tag(); is == name {
					listed[name] = true
					return fmt.Sprintf("| `%s` |%s |", name, membersOf(def))
				}
			}
			return row
		})
		for _, ref := range defs.named(page.union).AnyOf {
			if _, name := defs.named(ref.target()).tag(); !listed[name] && !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%s tells nothing of the %s %s", page.file, page.union, name)
			}
		}
		pages.File(t, docs+page.file, "go test ./engine/abi -run TestContract -update",
			string(text[:from])+table+string(text[to:]), *update)
	}
}

// membersOf lists the members of an event or an effect, those that may be left out last.
func membersOf(def *shape) (out string) {
	for _, required := range []bool{true, false} {
		for _, m := range def.Properties {
			twin, isText := strings.CutSuffix(m.name, "_text")
			if m.is.isTag() && (m.name == "event" || m.name == "effect") || isText && def.Properties.named(twin) != nil ||
				def.needs(m.name) != required {
				continue
			}
			out += " `" + m.name + map[bool]string{true: "`", false: "?`"}[required]
		}
	}
	return out
}

package relay

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// spell writes a configuration with the given member and the required one.
func spell(name, value string) []byte {
	if name == "server" {
		return fmt.Appendf(nil, `{"server":%s}`, value)
	}
	return fmt.Appendf(nil, `{"server":"s",%q:%s}`, name, value)
}

// TestVocabularies checks what the gate takes for granted: it looks up the params of a method that a peer names.
func TestVocabularies(t *testing.T) {
	for _, protocol := range Protocols() {
		m, _, problems := New(Config{Server: "s", Protocol: protocol, Ask: AskClient}, Input{At: 1})
		if problems != nil {
			t.Fatal(protocol, problems)
		}
		words := m.speaks.Vocabulary()
		for i, name := range words.Methods {
			if i >= len(words.Params) || name != "" && words.Params[i] == nil {
				t.Errorf("%s: the method %q has no entry in Params of its gate.Vocabulary", protocol, name)
			}
		}
		if len(words.Meta) > 0 && words.Meta[0] != "progressToken" {
			t.Errorf("%s: the gate reads the first name of Meta, %q, as a progress token", protocol, words.Meta[0])
		}
	}
}

// TestConfigKeysAreWhatIsRead checks that the reader accepts every member of ConfigKeys, with the default and the
// values there. It must refuse a value of another type and a member that is not listed.
func TestConfigKeysAreWhatIsRead(t *testing.T) {
	some := map[string]string{"string": `"x"`, "object": `{}`, "array": `[]`, "integer": "7"}
	wrong := map[string]string{"string": "7", "object": `"x"`, "array": `"x"`, "integer": `"x"`,
		"boolean": "1"}
	left, _ := ReadConfig(spell("server", `"s"`))
	for _, key := range ConfigKeys() {
		switch {
		case key.Default != "":
			if c, problems := ReadConfig(spell(key.Name, key.Default)); len(problems) > 0 || !reflect.DeepEqual(c, left) {
				t.Errorf("%s: its default %s makes %+v, left out it is %+v (%s)",
					key.Name, key.Default, c, left, elicit.AppendList(nil, problems))
			}
		case len(key.Values) == 0:
			if _, problems := ReadConfig(spell(key.Name, some[key.Type])); len(problems) > 0 {
				t.Errorf("%s: %s is refused: %s", key.Name, some[key.Type], elicit.AppendList(nil, problems))
			}
		}
		for _, allowed := range key.Values {
			if _, problems := ReadConfig(spell(key.Name, `"`+allowed+`"`)); len(problems) > 0 {
				t.Errorf("%s: %s is refused: %s", key.Name, allowed, elicit.AppendList(nil, problems))
			}
		}
		if key.Name == "config" {
			continue // the engine reads it when the connection is opened
		}
		if _, problems := ReadConfig(spell(key.Name, wrong[key.Type])); len(problems) == 0 ||
			problems[0].Pointer != "/"+key.Name {
			t.Errorf("%s: %s gave %s", key.Name, wrong[key.Type], elicit.AppendList(nil, problems))
		}
	}
	if _, problems := ReadConfig(spell("another", "1")); len(problems) != 1 || problems[0].Code != "unknown_member" {
		t.Errorf("an unknown member gave %s", elicit.AppendList(nil, problems))
	}
	if _, problems := ReadConfig([]byte("{}")); len(problems) != 1 || problems[0].Pointer != "/server" {
		t.Errorf("no server gave %s", elicit.AppendList(nil, problems))
	}
}

// TestConfigKeysAreDocumented checks that docs/reference/relay.md has a row for every member, in order, with its
// default and values.
func TestConfigKeysAreDocumented(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (.*?) \\| (.*) \\|$").FindAllStringSubmatch(page(t, "Opening"), -1)
	var names []string
	for _, key := range ConfigKeys() {
		names = append(names, key.Name)
		at := slices.IndexFunc(rows, func(row []string) bool { return row[1] == key.Name })
		if at < 0 {
			t.Errorf("%s has no row", key.Name)
			continue
		}
		told := strings.NewReplacer("`", "").Replace(rows[at][2])
		if key.Default != "" && told != strings.Trim(key.Default, `"`) && !(key.Default == "[]" && told == "none") {
			t.Errorf("%s: the page has the default %s, the machine %s", key.Name, told, key.Default)
		}
		for _, value := range key.Values {
			if !strings.Contains(rows[at][2]+rows[at][3], "`"+value+"`") {
				t.Errorf("%s: the page does not tell of %s", key.Name, value)
			}
		}
	}
	var told []string
	for _, row := range rows {
		told = append(told, row[1])
	}
	if !slices.Equal(told, names) {
		t.Errorf("the page has %v, the machine %v", told, names)
	}
}

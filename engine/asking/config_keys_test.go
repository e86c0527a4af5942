package asking_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

// spell writes a configuration with the given member and the required ones.
func spell(name, value string) []byte {
	required := map[string]string{"server": `"s"`, "version": `"2025-11-25"`}
	required[name] = value
	var members []string
	for name, value := range required {
		members = append(members, fmt.Sprintf("%q:%s", name, value))
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

// TestConfigKeysAreWhatIsRead checks that the reader accepts every member of ConfigKeys, with the default and the
// values there. It must refuse a value of another type and a member that is not listed.
func TestConfigKeysAreWhatIsRead(t *testing.T) {
	some := map[string]string{"string": `"x"`, "object": `{}`, "array": `[]`, "integer": "7", "boolean": "true"}
	wrong := map[string]string{"string": "7", "object": `"x"`, "array": `"x"`, "integer": `"x"`, "boolean": `"x"`}
	left, problems := asking.ReadConfig(spell("server", `"s"`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, key := range asking.ConfigKeys() {
		switch {
		case key.Default != "":
			c, problems := asking.ReadConfig(spell(key.Name, key.Default))
			if len(problems) > 0 || !reflect.DeepEqual(c, left) {
				t.Errorf("%s: its default %s makes %+v, left out it is %+v (%v)", key.Name, key.Default, c, left, problems)
			}
		case key.Name != "version":
			if _, problems := asking.ReadConfig(spell(key.Name, some[key.Type])); len(problems) > 0 {
				t.Errorf("%s: %s is refused: %v", key.Name, some[key.Type], problems)
			}
		}
		for _, allowed := range key.Values {
			if _, problems := asking.ReadConfig(spell(key.Name, `"`+allowed+`"`)); len(problems) > 0 {
				t.Errorf("%s: %s is refused: %v", key.Name, allowed, problems)
			}
		}
		if key.Name == "config" {
			continue // the engine reads it when the machine is made
		}
		if _, problems := asking.ReadConfig(spell(key.Name, wrong[key.Type])); len(problems) == 0 ||
			problems[0].Pointer != "/"+key.Name {
			t.Errorf("%s: %s gave %s", key.Name, wrong[key.Type], elicit.AppendList(nil, problems))
		}
	}
	if _, problems := asking.ReadConfig(spell("another", "1")); len(problems) != 1 ||
		problems[0].Code != "unknown_member" {
		t.Errorf("an unknown member gave %s", elicit.AppendList(nil, problems))
	}
	if _, problems := asking.ReadConfig([]byte("{}")); len(problems) != 2 || problems[0].Pointer != "/server" {
		t.Errorf("no server gave %s", elicit.AppendList(nil, problems))
	}
}

// TestConfigKeysAreDocumented checks that docs/reference/asking.md has a row for every member, in order, with its
// default and values.
func TestConfigKeysAreDocumented(t *testing.T) {
	page := must.Read(t, "../../docs/reference/asking.md")
	_, after, _ := strings.Cut(string(page), "\n## Configuration\n")
	section, _, _ := strings.Cut(after, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (.*?) \\| (.*) \\|$").FindAllStringSubmatch(section, -1)
	var names, told []string
	for _, key := range asking.ConfigKeys() {
		names = append(names, key.Name)
		at := slices.IndexFunc(rows, func(row []string) bool { return row[1] == key.Name })
		if at < 0 {
			t.Errorf("%s has no row", key.Name)
			continue
		}
		if want := key.Default; want != "" && strings.Trim(rows[at][2], "`") != want {
			t.Errorf("%s: the page has the default %s, the machine %s", key.Name, rows[at][2], want)
		}
		for _, value := range key.Values {
			if !strings.Contains(rows[at][3], "`"+value+"`") {
				t.Errorf("%s: the page does not tell of %s", key.Name, value)
			}
		}
	}
	for _, row := range rows {
		told = append(told, row[1])
	}
	if !slices.Equal(told, names) {
		t.Errorf("the page has %v, the machine %v", told, names)
	}
}

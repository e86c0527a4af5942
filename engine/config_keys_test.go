package engine

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestConfigKeysAreWhatIsRead: the reader takes every member that ConfigKeys lists, of the type it names, and no other.
func TestConfigKeysAreWhatIsRead(t *testing.T) {
	wrong := map[string]string{"string": "7", "boolean": `"x"`, "array": `"x"`, "object": `"x"`}
	for _, key := range ConfigKeys() {
		value := key.Default
		if value == "" {
			value = "[]"
		}
		if _, _, problems := readConfig(fmt.Appendf(nil, `{%q:%s}`, key.Name, value), false); len(problems) > 0 {
			t.Errorf("%s: its default %s is refused: %s", key.Name, value, elicit.AppendList(nil, problems))
		}
		for _, allowed := range key.Values {
			if _, _, problems := readConfig(fmt.Appendf(nil, `{%q:%q}`, key.Name, allowed), false); len(problems) > 0 {
				t.Errorf("%s: %s is refused: %s", key.Name, allowed, elicit.AppendList(nil, problems))
			}
		}
		if len(key.Values) > 0 {
			if _, _, problems := readConfig(fmt.Appendf(nil, `{%q:"another"}`, key.Name), false); len(problems) != 1 {
				t.Errorf("%s: a value that is not listed gave %s", key.Name, elicit.AppendList(nil, problems))
			}
		}
		bad, ok := wrong[key.Type]
		if !ok {
			t.Fatalf("%s: unknown type %s", key.Name, key.Type)
		}
		_, _, problems := readConfig(fmt.Appendf(nil, `{%q:%s}`, key.Name, bad), false)
		if len(problems) == 0 || problems[0].Pointer != "/"+key.Name {
			t.Errorf("%s: %s gave %s", key.Name, bad, elicit.AppendList(nil, problems))
		}
	}
	if _, _, problems := readConfig([]byte(`{"another":true}`), false); len(problems) != 1 ||
		problems[0].Code != "unknown_member" {
		t.Errorf("an unknown member gave %s", elicit.AppendList(nil, problems))
	}
}

// TestConfigDefaultsAreThoseOfNew: a configuration that spells every default configures as an empty one does.
func TestConfigDefaultsAreThoseOfNew(t *testing.T) {
	doc := []byte("{")
	for _, key := range ConfigKeys() {
		if key.Default != "" {
			doc = fmt.Appendf(doc, "%q:%s,", key.Name, key.Default)
		}
	}
	doc[len(doc)-1] = '}'
	spelled, _, problems := readConfig(doc, false)
	empty, _, _ := readConfig([]byte("{}"), false)
	if spelled.servers, spelled.guardians = nil, nil; len(problems) > 0 || !reflect.DeepEqual(spelled, empty) {
		t.Errorf("%s configures %+v, and {} configures %+v", doc, spelled, empty)
	}
}

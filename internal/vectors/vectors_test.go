package vectors

import (
	"strings"
	"testing"
)

// TestParseTells: what is wrong in a file is told with the place of the vector.
func TestParseTells(t *testing.T) {
	const good = `{"tcId":"step/a","spec":"s","about":"b","op":"run","in":{"x": 1.0 },"want":{}}`
	list, err := Parse("step/t.json", []byte("["+good+"]"))
	if err != nil || len(list) != 1 || list[0].String() != "step/t.json#a" || string(list[0].In) != `{"x": 1.0 }` {
		t.Fatalf("%v %v", list, err)
	}
	for text, want := range map[string]string{
		good:   "step/t.json is no list",
		"[{}]": `step/t.json, element 0: tcId is ""`,
		"[" + good + "," + strings.Replace(good, "step/", "other/", 1) + "]": `element 1: tcId is "other/a"`,
		"[" + strings.Replace(good, `"op"`, `"oq"`, 1) + "]":                 `step/t.json#a, element 0: json: unknown field`,
		"[" + strings.Replace(good, `"spec":"s",`, "", 1) + "]":              "step/t.json#a: a vector has spec, about",
		"[" + strings.Replace(good, `,"want":{}`, "", 1) + "]":               "step/t.json#a: a vector has spec, about",
	} {
		if _, err := Parse("step/t.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

package house

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var named = regexp.MustCompile(`\{([a-z_]+)\}`)

// argumentsOf lists the arguments of a code: those that its sentence uses, then the others.
func argumentsOf(code, sentence string) (list []string) {
	for _, found := range named.FindAllStringSubmatch(sentence, -1) {
		if !slices.Contains(list, found[1]) {
			list = append(list, found[1])
		}
	}
	return append(list, silentArguments[code]...)
}

// TestCodesNameTheirArguments finds codes in what vectors want. A sentence or silentArguments names every argument
// that comes with one.
func TestCodesNameTheirArguments(t *testing.T) {
	known := map[string][]string{}
	for _, code := range english.Codes() {
		for _, m := range english.Meanings(code) {
			known[code] = append(known[code], argumentsOf(code, m.Sentence)...)
		}
	}
	seen, sent := map[string]bool{}, map[string]bool{}
	var walk func(of any)
	walk = func(of any) {
		switch v := of.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			code, _ := v["code"].(string)
			args, _ := v["args"].(map[string]any)
			if list, ok := known[code]; ok {
				seen[code] = true
				for name := range args {
					again := sent[code+" "+name]
					sent[code+" "+name] = true
					if !again && code != "not_in_protocol" && code != "default_unfit" &&
						code != "default_dropped" && !slices.Contains(list, name) {
						t.Errorf("code %s comes with %s, which its sentence does not name", code, name)
					}
				}
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	for _, v := range vectors.Read(t) {
		var want any
		read := json.NewDecoder(bytes.NewReader(v.Want))
		read.UseNumber() // some vectors are about numbers that no float64 holds
		if err := read.Decode(&want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		walk(want)
	}
	if len(known) < 350 {
		t.Errorf("%d codes: the test has lost its subject", len(known))
	}
	if len(seen) < 250 {
		t.Errorf("vectors show %d codes: the test has lost its subject", len(seen))
	}
	for code, list := range silentArguments {
		for _, name := range list {
			if !sent[code+" "+name] {
				t.Errorf("no vector shows %s with %s", code, name)
			}
		}
	}
}

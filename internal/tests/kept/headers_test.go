package kept

import (
	"regexp"
	"strings"
	"testing"
)

var (
	commentOfC = regexp.MustCompile(`(?s)/\*.*?\*/`)
	constants  = regexp.MustCompile(`(?m)^#define (ELICIT_\w+) (.+)$`)
)

// TestHeader tests that a program for the kept header compiles and runs with the library of today: every declaration
// and every constant of the header still stands there as it was. TestHeaderIsTheSymbols of cabi holds the library to
// the header of today.
func TestHeader(t *testing.T) {
	old, now := declarations(read(t, "0.1/elicit.h")), map[string]bool{}
	for _, d := range declarations(read(t, "../../cabi/elicit.h")) {
		now[d] = true
	}
	if len(old) < 30 {
		t.Fatalf("the kept header has only %d declarations: the test has lost its subject", len(old))
	}
	for _, d := range old {
		if !now[d] {
			t.Errorf("elicit.h has lost or changed: %s", d)
		}
	}
}

// declarations returns the constants, types and functions of a header of C, without comments and with single spaces.
// A member added to a structure changes the whole declaration, because it changes what callers pass. A new name of an
// enumeration changes none.
func declarations(header []byte) []string {
	text := commentOfC.ReplaceAllString(string(header), "")
	var list []string
	for _, m := range constants.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1]+" "+strings.TrimSpace(m[2]))
	}
	text = regexp.MustCompile(`(?m)^#.*(\\\n.*)*$|^extern "C" \{$|^\}$`).ReplaceAllString(text, "")
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case ';':
			if depth == 0 {
				one := strings.Join(strings.Fields(text[from:i]), " ")
				from = i + 1
				if names, is := strings.CutPrefix(one, "typedef enum "); is {
					for _, name := range strings.FieldsFunc(names[strings.Index(names, "{")+1:strings.Index(names, "}")], comma) {
						list = append(list, strings.TrimSpace(name))
					}
					continue
				}
				list = append(list, one)
			}
		}
	}
	return list
}

func comma(r rune) bool { return r == ',' }

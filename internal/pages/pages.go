// Package pages keeps files, and parts of pages, that are printed from code the same as the code.
package pages

import (
	"os"
	"strings"
	"testing"
)

// Section checks that a page has this text between the lines `<!-- NAME: COMMAND -->` and `<!-- end of NAME -->`. With
// update it writes the text there. The command is the one that updates the section.
func Section(t *testing.T, file, name, command, text string, update bool) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	start, end := "<!-- "+name+": "+command+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(string(raw), start)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatalf("%s has no place for %s", file, name)
	}
	File(t, file, command, before+start+"\n"+text+"\n"+end+after, update)
}

// File checks that a file has this text and nothing else. With update it writes the text there.
func File(t *testing.T, file, command, text string, update bool) {
	t.Helper()
	raw, err := os.ReadFile(file)
	switch {
	case err == nil && string(raw) == text:
	case !update:
		t.Errorf("%s is stale (%v); run: %s", file, err, command)
	default:
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

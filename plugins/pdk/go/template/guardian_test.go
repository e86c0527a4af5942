package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The rule is plain Go, so the cases beside it are tried without Wasm: go test. After a change of the rule,
// elicit guardian test guardian.wasm --update writes what it says now into them.
func TestCases(t *testing.T) {
	files, _ := filepath.Glob("cases/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if text = bytes.TrimSpace(text); !bytes.HasPrefix(text, []byte("[")) {
			text = append(append([]byte("["), text...), ']') // a file with one case
		}
		var cases []struct {
			Name                                  string
			Question, Settings, Verdict, Problems json.RawMessage
		}
		if err == nil {
			err = json.Unmarshal(text, &cases)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range cases {
			got, want := "", ""
			switch {
			case c.Verdict != nil:
				got, want = string(judge(Value(compact(c.Question)))), compact(c.Verdict)
			case c.Problems != nil:
				got, want = string(fit(Value(compact(c.Settings)))), `{"v":1,"problems":`+compact(c.Problems)+"}"
			}
			if got != want {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", file, c.Name, got, want)
			}
		}
	}
}

func compact(doc []byte) string {
	var out bytes.Buffer
	_ = json.Compact(&out, doc) // it was read as JSON
	return out.String()
}

// A rule that reads a data document is tried with the one in document (host_test.go). Lines that it logs are dropped.
func TestDocument(t *testing.T) {
	document = []byte("bad.example\nworse.example\n")
	defer func() { document = nil }()
	log(0, "reading")
	part := make([]byte, dataSize())
	if n := dataRead(len("bad.example\n"), part); string(part[:n]) != "worse.example\n" {
		t.Errorf("the second line is %q", part[:n])
	}
}

// An obligation too many must not be lost.
func TestObligations(t *testing.T) {
	var v Verdict
	for range 8 {
		v.Redact("/answer/email")
	}
	if v.Decision != Pass || v.obliges.count != 8 {
		t.Errorf("eight: decision %d, %d obligations", v.Decision, v.obliges.count)
	}
	if v.SecondPerson(); v.Decision != Deny {
		t.Errorf("nine: decision %d", v.Decision)
	}
	if n, ok := Value(`{"a":[{"b":-7}]}`).Get("/a/0/b").Int(); n != -7 || !ok {
		t.Errorf("got %d, %v", n, ok)
	}
}

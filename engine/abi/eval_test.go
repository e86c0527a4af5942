package abi

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestEvalGate has the cases that no vector can spell portably: input that is no valid JSON object.
func TestEvalGate(t *testing.T) {
	deep := strings.Repeat("[", 200)
	tests := []struct{ name, in, want string }{
		{"duplicate parameter", `{"document":1,"\u0064ocument":2}`,
			`{"problems":[{"code":"json_duplicate_key","pointer":"/document","start":14,"end":29}]}`},
		{"not JSON", `{"document":`, `{"problems":[{"code":"json_truncated","pointer":"/document"}]}`},
		{"too deep", `{"document":` + deep, `{"problems":[{"code":"json_depth","pointer":"/document` + strings.Repeat("/0",
			127) +
			`","start":139,"end":140,"args":{"limit":128}}]}`},
		{"too long", strings.Repeat(" ", 4<<20) + `{}`,
			`{"problems":[{"code":"json_size","pointer":"","start":4194304,"end":4194306,"args":{"limit":4194304}}]}`},
		{"no object", `[]`, `{"problems":[{"code":"bad_input","pointer":""}]}`},
		{"document over its own depth", `{"document":` + deep[:33] + strings.Repeat("]", 33) + `}`,
			`{"problems":[{"code":"json_depth","pointer":"` + strings.Repeat("/0", 32) +
				`","start":32,"end":33,"args":{"limit":32}}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Eval("parse", []byte(tt.in), nil)); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestFaultsHaveSentences checks that every fault has a sentence.
func TestFaultsHaveSentences(t *testing.T) {
	for _, code := range jsontext.Codes() {
		p := elicit.FromFault(&jsontext.Fault{Code: code, Limit: 7})
		if got := english.Problem(p); got == strings.ReplaceAll(code, "_", " ") || strings.ContainsAny(got, "{}") {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// TestSchemaProblemsHaveSentences renders every problem that a vector of these families expects. Each code needs a
// template, and each name in a template an argument.
func TestSchemaProblemsHaveSentences(t *testing.T) {
	codes := map[string]bool{}
	for _, v := range vectors.Read(t, "schema", "check", "coerce") {
		var want struct {
			Problems []struct {
				Code string
				Args map[string]json.RawMessage
			}
		}
		if err := json.Unmarshal(v.Want, &want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		for _, p := range want.Problems {
			codes[p.Code] = true
			problem := elicit.Problem{Code: p.Code}
			for name, arg := range p.Args {
				if strings.ContainsAny(string(arg), "{}") { // braces that are no template's
					arg = json.RawMessage(`"x"`)
				}
				problem.Args = append(problem.Args, elicit.Raw(name, string(arg)))
			}
			text := english.Problem(problem)
			if text == strings.ReplaceAll(p.Code, "_", " ") || strings.ContainsAny(text, "{}") {
				t.Errorf("%s: %s reads %q", v, p.Code, text)
			}
		}
	}
	if len(codes) < 50 {
		t.Errorf("only %d codes were seen", len(codes))
	}
}

// FuzzWire checks that decode and encode answer every input with one valid JSON document.
func FuzzWire(f *testing.F) {
	seen, scalar := map[string]bool{}, regexp.MustCompile(`:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`)
	for _, v := range vectors.Read(f, "wire") {
		// Long inputs are slow to vary and add nothing, and many vectors differ only in one word.
		if shape := v.Op + scalar.ReplaceAllString(string(v.In), ":0"); len(v.In) < 4096 && !seen[shape] {
			seen[shape] = true
			f.Add(v.Op == "encode", []byte(v.In))
		}
	}
	f.Fuzz(func(t *testing.T, encode bool, in []byte) {
		op := "decode"
		if encode {
			op = "encode"
		}
		out := Eval(op, in, nil)
		if fault := jsontext.Check(out, jsontext.Limits{Bytes: 64 << 20, Depth: 1000, Members: 1 << 22}); fault != nil {
			t.Fatalf("%s %s\nis answered with %s\n%v", op, in, out, fault)
		}
	})
}

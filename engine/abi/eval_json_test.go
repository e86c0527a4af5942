package abi

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
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

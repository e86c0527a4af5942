package abi_test

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/abi"
)

// governedTable is the table of a host on a machine with a managed policy that declines every question.
func governedTable() *abi.Table {
	machine := abi.Managed{Text: []byte(`{"version":1,"rules":[{"name":"closed","when":{},"then":"decline"}]}`),
		Path: "/etc/elicit/managed.json"}
	return &abi.Table{Governed: true, World: abi.World{Managed: func() abi.Managed { return machine }}}
}

const (
	accepts = `{"version":1,"rules":[{"when":{},"then":"accept"}]}`
	opened  = `{"event":"opened","session":"s","server":"x","side":"answering","declared":["form"],"shown":["form"]}`
	asked   = `{"event":"asked","session":"s","ref":"1","mode":"form","message":"Go on?",` +
		`"schema":{"type":"object","properties":{}}}`
)

// TestNoCallLeavesTheManagedPolicyOut gives a policy that accepts everything in each way in which a caller of
// `elicit --stdio` can give one.
func TestNoCallLeavesTheManagedPolicyOut(t *testing.T) {
	escaped := `"` + strings.ReplaceAll(accepts, `"`, `\"`) + `"`
	configs := map[string]string{
		"nothing": `{}`, "user": `{"policy":{"user":` + accepts + `}}`, "text": `{"policy":{"user_text":` + escaped + `}}`,
		"null": `{"policy":null}`, "a forged path": `{"policy":{"managed_path":"/tmp/x","user":` + accepts + `}}`,
		"an escaped name":    `{"p\u006flicy":{"user":` + accepts + `}}`,
		"a name with quotes": `{"policy":{"user":` + accepts + `},"a\",\"policy":{}}`,
	}
	mcp := `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Go on?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
	tests := map[string]func(config string) string{
		"open": func(c string) string { return engineLife(`{"op":"open","input":` + c + `}`) },
		"open with a time": func(c string) string {
			return engineLife(`{"op":"open","input":{"config":` + c + `,"at":5}}`)
		},
		"configured later": func(c string) string {
			return engineLife(`{"op":"open","input":{}}`, `{"event":"configured","config":`+c+`}`)
		},
		"configured later, around": func(c string) string {
			return engineLife(`{"op":"open","input":{}}`, `{"event":{"event":"configured","config":`+c+`},"at":7}`)
		},
		"configured later, as text": func(c string) string {
			return engineLife(`{"op":"open","input":{}}`, `{"event":"configured","config_text":`+
				gjsonString(c)+`}`)
		},
		"run": func(c string) string {
			return line(`{"op":"run","input":{"config":` + c + `,"inputs":[` + opened + `,` + asked + `]}}`)
		},
		"run, a machine beside": func(c string) string {
			return line(`{"op":"run","input":{"relay":{},"config":` + c + `,"inputs":[` + opened + `,` + asked + `]}}`)
		},
		"run, as bytes": func(c string) string {
			return line(`{"op":"run","input":{"config_text":` + gjsonString(c) + `,"inputs":[` + opened + `,` + asked + `]}}`)
		},
		"run, configured later": func(c string) string {
			return line(`{"op":"run","input":{"inputs":[{"event":"configured","config":` + c + `},` + opened + `,` +
				asked + `]}}`)
		},
		"relay": func(c string) string {
			return line(`{"op":"relay","input":{"relay":{"server":"x","config":` + c + `,"modes":["form"],"session":` +
				`{"version":"2025-11-25","declared":["form"],"calls_seen":true}},"inputs":[{"server":` +
				gjsonString(mcp) + `}]}}`)
		},
		"relay, a machine beside": func(c string) string {
			return line(`{"op":"relay","input":{"asking":{},"relay":{"server":"x","config":` + c + `,"modes":["form"],` +
				`"session":{"version":"2025-11-25","declared":["form"],"calls_seen":true}},"inputs":[{"server":` +
				gjsonString(mcp) + `}]}}`)
		},
	}
	for name, life := range tests {
		for kind, config := range configs {
			out := life(config)
			if strings.Contains(out, `"outcome":"accept"`) || strings.Contains(out, `\"action\":\"accept\"`) ||
				strings.Contains(out, `"effect":"show"`) {
				t.Errorf("%s, %s: got %s", name, kind, out)
			}
			if kind != "null" && kind != "a name with quotes" && !strings.Contains(out, `closed`) {
				t.Errorf("%s, %s: the managed rule did not decide: %s", name, kind, out)
			}
		}
	}
	facts := `"facts":{"kind":"confirm","mode":"form"}`
	for _, policy := range []string{``, `"policy":{},`, `"policy":{"user":` + accepts + `},`,
		`"policy":{"user_text":` + escaped + `},`} {
		out := line(`{"op":"decide","input":{` + policy + facts + `}}`)
		if gjson.Get(out, "output.outcome").Str != "decline" {
			t.Errorf("decide with %s: got %s", policy, out)
		}
	}
}

// TestTheManagedLayerIsTaken: another document for the layer is refused, because it would be lost, and the same one is
// not. The record names the file.
func TestTheManagedLayerIsTaken(t *testing.T) {
	table := governedTable()
	for _, in := range []string{`{"op":"open","input":{"policy":{"managed":` + accepts + `}}}`,
		`{"op":"open","input":{"relay":{"server":"x","config":{"policy":{"managed_text":"{}"}}}}}`,
		`{"op":"decide","input":{"policy":{"managed_base64":"e30="},"facts":{}}}`} {
		out := string(table.Line([]byte(in), nil))
		if gjson.Get(out, "output.problems.0.code").Str != "managed_by_machine" {
			t.Errorf("%s: got %s", in, out)
		}
	}
	given := string(table.Line([]byte(`{"op":"managed_policy","input":{}}`), nil))
	layer := gjson.Get(given, "output").Raw
	out := string(table.Line([]byte(`{"op":"open","input":`+layer+`}`), nil))
	record := gjson.Get(out, `output.effects.#(effect=="append").record`)
	if path := record.Get("event.config.policy.managed_path"); path.Str != "/etc/elicit/managed.json" {
		t.Errorf("got %s", out)
	}
}

func line(in string) string { return string(governedTable().Line([]byte(in), nil)) }

// engineLife opens an engine with one line, and gives it steps, a session and a question.
func engineLife(open string, steps ...string) string {
	table := governedTable()
	out := string(table.Line([]byte(open), nil))
	handle := gjson.Get(out, "handle").Str
	for _, step := range append(steps, opened, asked) {
		out += string(table.Line([]byte(`{"op":"step","handle":"`+handle+`","input":`+step+`}`), nil))
	}
	return out
}

func gjsonString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

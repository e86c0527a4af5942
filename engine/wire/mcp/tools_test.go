package mcp

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

func TestDecodeTools(t *testing.T) {
	tests := []struct{ name, result, want string }{
		{"all hints", `{"tools":[{"name":"a","annotations":{"title":"A","readOnlyHint":false,"destructiveHint":true,` +
			`"idempotentHint":true,"openWorldHint":false}}]}`,
			`a {"read_only":false,"destructive":true,"idempotent":true,"open_world":false}`},
		{"nothing said", `{"tools":[{"name":"a"},{"name":"b","annotations":{}},{"name":"c","annotations":null}]}`,
			`a {}, b {}, c {}`},
		{"no hint that is not true or false", `{"tools":[{"name":"a","annotations":{"readOnlyHint":"true",` +
			`"destructiveHint":0,"openWorldHint":null}}]}`, `a {}`},
		{"no tools", `{"tools":[7,"a",{"name":""},{"name":3},{"title":"b"},null]}`, ``},
		{"no list", `{"tools":{"name":"a"}}`, ``},
		{"no object", `[]`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, tool := range DecodeTools([]byte(tt.result)) {
				got = append(got, tool.Name+" "+string(tool.Annotations.AppendJSON(nil)))
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
	many := `{"tools":[` + strings.Repeat(`{"name":"a"},`, 4096) + `{"name":"z","annotations":{"readOnlyHint":true}}]}`
	list := DecodeTools([]byte(many))
	if len(list) != 4096 || list[len(list)-1].Annotations != (elicit.Annotations{}) {
		t.Errorf("%d tools of a list that is too long", len(list))
	}
}

// TestDefinition: a tool is described by five of its members, in one order and as the server spells them.
func TestDefinition(t *testing.T) {
	const schema = `{"type": "object"}`
	list := DecodeTools([]byte(`{"tools":[{"inputSchema":` + schema + `,"description":"D","_meta":{},"name":"a"},` +
		`{"name":"b","inputSchema":true,"description":7,"annotations":null,"title":"B"}]}`))
	if len(list) != 2 {
		t.Fatalf("%d tools", len(list))
	}
	a, b := list[0], list[1]
	if a.Description != "D" || b.Description != "" || string(a.InputSchema) != schema || b.InputSchema != nil {
		t.Errorf("descriptions %q and %q, schemas %q and %q", a.Description, b.Description, a.InputSchema, b.InputSchema)
	}
	for got, want := range map[string]string{
		string(a.Definition): `{"name":"a","description":"D","inputSchema":` + schema + `}`,
		string(b.Definition): `{"name":"b","title":"B","description":7,"inputSchema":true,"annotations":null}`,
	} {
		if got != want {
			t.Errorf("definition %s, want %s", got, want)
		}
	}
}

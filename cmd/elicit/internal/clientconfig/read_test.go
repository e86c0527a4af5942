package clientconfig

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestServersThatCannotBeWrapped lists the reasons.
func TestServersThatCannotBeWrapped(t *testing.T) {
	tests := []struct{ shape, text, why string }{
		{"json", `{"mcpServers":{"a":{"url":"https://x.example"}}}`, "over the network"},
		{"json", `{"mcpServers":{"a":{"httpUrl":"https://x.example"}}}`, "over the network"},
		{"json", `{"mcpServers":{"a":{"type":"http","command":"x"}}}`, "over the network"},
		{"json", `{"mcpServers":{"a":{"source":"extension"}}}`, "no command"},
		{"json", `{"mcpServers":{"a":{}}}`, "no command"},
		{"json", `{"mcpServers":{"a":7}}`, "not a table"},
		{"json", `{"mcpServers":{"a":{"command":7}}}`, "not a text"},
		{"json", `{"mcpServers":{"a":{"command":""}}}`, "empty"},
		{"json", `{"mcpServers":{"a":{"command":"x","args":"-y"}}}`, "not a list"},
		{"json", `{"mcpServers":{"a":{"command":"x","args":null}}}`, "not a list"},
		{"yaml", "extensions:\n  a:\n    type: builtin\n", "part of the client"},
		{"yaml", "extensions:\n  a:\n    type: streamable_http\n    uri: https://x.example\n", "over the network"},
		{"yaml", "x: &c run\nextensions:\n  a:\n    cmd: *c\n", "not a text"},
		{"yaml", "extensions:\n  a:\n    cmd: >\n      run\n", "not a text"},
		{"yaml", "extensions:\n  a:\n    cmd: one\n      two\n", "not a text"},
		{"yaml", "extensions:\n  a:\n    cmd: !!str run\n", "not a text"},
		{"yaml", "x: &l [a]\nextensions:\n  a:\n    cmd: run\n    args: *l\n", "not a list"},
		{"toml", "[mcp_servers.a]\nurl = \"https://x.example\"\n", "over the network"},
		{"toml", "[mcp_servers]\na = 1\n", "not a table"},
	}
	for _, tt := range tests {
		d := document(t, tt.shape, tt.text)
		if len(d.Servers) != 1 || !strings.Contains(d.Servers[0].Why, tt.why) {
			t.Errorf("%q: got %+v, want a server that is %q", tt.text, d.Servers, tt.why)
		}
	}
}

// TestHostileFilesAreNamedWithThePlace: nothing is read from a file that is not whole.
func TestHostileFilesAreNamedWithThePlace(t *testing.T) {
	tests := []struct{ shape, text, want string }{
		{"json", "{\"mcpServers\": {\n  \"a\": {\"command\": }}}", "f:2:20: this is not JSON"},
		{"json", "{\"mcpServers\": {}", "f:1:18: this is not JSON"},
		{"json", "{}\n{}", "f:2:1: this is not JSON"},
		{"json", "{\"mcpServers\": {\n \"é\": {}, \"é\": {}}}", `f:2:11: "é" is here twice`},
		{"json", `{"mcpServers":{"a":{"command":"x","command":"y"}}}`, `f:1:35: "command" is here twice`},
		{"json", `{"mcpServers":{},"mcpServers":{}}`, `f:1:18: "mcpServers" is here twice`},
		{"json", `{"mcpServers":[]}`, "f:1:15: mcpServers is not a table"},
		{"json", `[]`, "f:1:1: the whole file is not a table"},
		{"json", strings.Repeat("[", 1<<20), "f:1:501: more than 500"},
		{"json", `{"x":` + strings.Repeat(`{"x":`, 1<<20), "more than 500"},
		{"json", `/*` + strings.Repeat("[", 1000), "this is not JSON"},
		{"toml", "a = 1\n[mcp_servers.a\n", "f:2:"},
		{"toml", "[mcp_servers.a]\ncommand = \"x\"\ncommand = \"y\"\n", "f:3:1: this is not TOML"},
		{"toml", "mcp_servers = 3", "f:1:15: mcp_servers is not a table"},
		{"toml", "x = " + strings.Repeat("[", 100_000), "this is not TOML"},
		{"yaml", "extensions:\n  a: [\n", "this is not YAML"},
		{"yaml", "extensions:\n  a:\n    cmd: x\n    cmd: y\n", `f:4:5: "cmd" is here twice`},
		{"yaml", "extensions: 3\n", "f:1:13: extensions is not a table"},
		{"yaml", "a: 1\n---\nb: 2\n", "a second document begins here"},
		{"yaml", strings.Repeat("[", 100_000), "this is not YAML"},
		{"yaml", "- a\n", "f:1:1: the whole file is not a table"},
	}
	for _, tt := range tests {
		_, err := parse(File{Path: "f", shape: formats[tt.shape]}, []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60q: got %v, want %q", tt.text, err, tt.want)
		}
	}
}

// TestNothingIsAlsoAFile: empty files, files of comments and keys without a value hold no server.
func TestNothingIsAlsoAFile(t *testing.T) {
	for shape, texts := range map[string][]string{
		"json": {"", "{}", "// none\n{}", `{"mcpServers":null}`, `{"mcpServers":{}}`},
		"toml": {"", "# none\n", "[mcp_servers]\n", "[[x]]\na=1\n[[x]]\na=2\n"},
		"yaml": {"", "# none\n", "extensions:\n", "extensions: {}\n", "extensions: null\n"},
	} {
		for _, text := range texts {
			if d := document(t, shape, text); len(d.Servers) != 0 {
				t.Errorf("%q holds %v", text, d.Servers)
			}
		}
	}
}

func TestReadRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	large := must.Write(t, bytes.Repeat([]byte(" "), maxOther+1), dir, "large")
	for path, want := range map[string]string{
		large: "larger than 1 MiB", filepath.Join(dir, "none"): "no such file", dir: "",
	} {
		if _, err := Read(File{Path: path, shape: codex}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	names := []string{"json", "toml", "yaml"}
	for _, r := range rounds {
		for i, name := range names {
			if name == r.shape {
				f.Add(i, r.before)
				f.Add(i, r.after)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		d, err := parse(File{Client: clients[0], Path: "f", shape: formats[names[uint(which)%3]]}, []byte(text))
		if err != nil {
			return
		}
		var open []*Server
		for _, s := range d.Servers {
			if s.Why == "" && !s.Wrapped {
				open = append(open, s)
			}
		}
		next, err := d.Wrap(open, program)
		if err != nil {
			return // it is said, and nothing is written
		}
		var ours []*Server
		for _, s := range open {
			ours = append(ours, next.server(s.path))
		}
		back, err := next.Unwrap(ours, d)
		if err == nil && string(back.text) != text {
			t.Errorf("before %q\nwrapped %q\nback   %q", text, next.text, back.text)
		}
	})
}

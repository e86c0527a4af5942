package clientconfig

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

const program = "/opt/bin/elicit"

// TestAProgramOfAnotherName: a renamed program is known by its arguments, so that nothing is wrapped twice.
func TestAProgramOfAnotherName(t *testing.T) {
	d := document(t, "json", `{"mcpServers":{"a":{"command":"run"}}}`)
	next, err := d.Wrap(d.Servers, "/tmp/elicit-next")
	if err != nil || !next.Servers[0].Wrapped || !next.Servers[0].Ours {
		t.Errorf("got %+v, %v", next.Servers[0], err)
	}
}

var formats = map[string]*shape{"json": mcpServers, "toml": codex, "yaml": goose}

// round is a document, and the same with every server wrapped.
type round struct{ name, shape, before, after string }

var rounds = []round{
	{"a list on one line", "json",
		`{"mcpServers": {"files": {"command": "npx", "args": ["-y", "x"], "env": {"K": "v"}}}}`,
		`{"mcpServers": {"files": {"command": "/opt/bin/elicit", "args": ["proxy", "--name", "files", "--", "npx", ` +
			`"-y", "x"], "env": {"K": "v"}}}}`},
	{"comments, tabs and commas at the end", "json",
		"// mine\n{\n\t\"mcpServers\": {\n\t\t\"a\": { // the first\n\t\t\t\"command\": \"npx\", /* why */\n" +
			"\t\t\t\"args\": [\n\t\t\t\t// all of it\n\t\t\t\t\"-y\",\n\t\t\t\t\"x\",\n\t\t\t],\n\t\t},\n\t},\n}\n",
		"// mine\n{\n\t\"mcpServers\": {\n\t\t\"a\": { // the first\n\t\t\t\"command\": \"/opt/bin/elicit\", /* why */\n" +
			"\t\t\t\"args\": [\n\t\t\t\t// all of it\n\t\t\t\t\"proxy\", \"--name\", \"a\", \"--\", \"npx\",\n" +
			"\t\t\t\t\"-y\",\n" +
			"\t\t\t\t\"x\",\n\t\t\t],\n\t\t},\n\t},\n}\n"},
	{"no arguments", "json",
		"{\r\n  \"mcpServers\": {\r\n    \"a\": {\r\n      \"command\": \"run\"\r\n    }\r\n  }\r\n}",
		"{\r\n  \"mcpServers\": {\r\n    \"a\": {\r\n      \"command\": \"/opt/bin/elicit\",\r\n" +
			"      \"args\": [\"proxy\", \"--name\", \"a\", \"--\", \"run\"]\r\n    }\r\n  }\r\n}"},
	{"an empty list", "json",
		`{"mcpServers":{"a":{"args":[ ],"command":"run"}}}`,
		`{"mcpServers":{"a":{"args":["proxy", "--name", "a", "--", "run" ],"command":"/opt/bin/elicit"}}}`},
	{"names and commands that need quotes", "json",
		"\ufeff" + `{"mcpServers":{"a \"b\" é":{"command":"C:\\x y\\s.exe","args":["--"]}}}`,
		"\ufeff" + `{"mcpServers":{"a \"b\" é":{"command":"/opt/bin/elicit","args":["proxy", "--name", "a \"b\" é", "--", ` +
			`"C:\\x y\\s.exe", "--"]}}}`},
	{"a table", "toml",
		"# mine\nmodel = \"o\" # best\n\n[mcp_servers.files]\ncommand = \"npx\" # node\nargs = [\"-y\", 'x']\n" +
			"[mcp_servers.files.env]\nK = \"v\"\n",
		"# mine\nmodel = \"o\" # best\n\n[mcp_servers.files]\ncommand = \"/opt/bin/elicit\" # node\n" +
			"args = [\"proxy\", \"--name\", \"files\", \"--\", \"npx\", \"-y\", 'x']\n[mcp_servers.files.env]\nK = \"v\"\n"},
	{"a table without arguments, at the end", "toml",
		"[mcp_servers.\"a b\"]\n  command = 'run' # it",
		"[mcp_servers.\"a b\"]\n  command = \"/opt/bin/elicit\" # it\n" +
			"  args = [\"proxy\", \"--name\", \"a b\", \"--\", \"run\"]"},
	{"dotted keys and tables on one line", "toml",
		"mcp_servers.a.command = \"run\"\nmcp_servers.b = { command = \"go\", enabled = true }\n" +
			"mcp_servers.c = {command=\"c\",args=[]}\n",
		"mcp_servers.a.command = \"/opt/bin/elicit\"\n" +
			"mcp_servers.a.args = [\"proxy\", \"--name\", \"a\", \"--\", \"run\"]\n" +
			"mcp_servers.b = { command = \"/opt/bin/elicit\", args = [\"proxy\", \"--name\", \"b\", \"--\", \"go\"], " +
			"enabled = true }\n" +
			"mcp_servers.c = {command=\"/opt/bin/elicit\",args=[\"proxy\", \"--name\", \"c\", \"--\", \"c\"]}\n"},
	{"lists over several lines", "toml",
		"[mcp_servers.a]\nargs = [\n  # all\n  \"-y\",\n  \"x\",\n]\ncommand = \"\"\"npx\"\"\"\n",
		"[mcp_servers.a]\nargs = [\n  # all\n  \"proxy\", \"--name\", \"a\", \"--\", \"npx\",\n  \"-y\",\n  \"x\",\n]\n" +
			"command = \"/opt/bin/elicit\"\n"},
	{"blocks", "yaml",
		"# mine\nextensions:\n  files:\n    type: stdio\n    cmd: npx   # node\n    args:\n    - -y\n" +
			"    - \"x\"\n    envs: {}\n" +
			"  on:\n    type: stdio\n    cmd: 'it''s'\n    timeout: 300\nGOOSE_MODEL: gpt\n",
		"# mine\nextensions:\n  files:\n    type: stdio\n    cmd: /opt/bin/elicit   # node\n    args:\n    - proxy\n" +
			"    - \"--name\"\n    - files\n    - \"--\"\n    - npx\n    - -y\n    - \"x\"\n    envs: {}\n" +
			"  on:\n    type: stdio\n    cmd: /opt/bin/elicit\n    args:\n    - proxy\n    - \"--name\"\n    - \"on\"\n" +
			"    - \"--\"\n    - \"it's\"\n    timeout: 300\nGOOSE_MODEL: gpt\n"},
	{"brackets and braces", "yaml",
		"extensions:\n  a: {cmd: \"run\", args: []}\n  b: {cmd: go}\n  c:\n    cmd: c\n    args: [ -y, 'x' ]\n",
		"extensions:\n  a: {cmd: /opt/bin/elicit, args: [proxy, \"--name\", a, \"--\", run]}\n" +
			"  b: {cmd: /opt/bin/elicit, args: [proxy, \"--name\", b, \"--\", go]}\n" +
			"  c:\n    cmd: /opt/bin/elicit\n    args: [ proxy, \"--name\", c, \"--\", c, -y, 'x' ]\n"},
	{"arguments farther in, and none at the end", "yaml",
		"extensions:\n    é:\n        args:\n            -   one\n            - two\n        cmd: ü\n    b:\n" +
			"        cmd: run",
		"extensions:\n    é:\n        args:\n            - proxy\n            - \"--name\"\n            - \"é\"\n" +
			"            - \"--\"\n            - \"ü\"\n            -   one\n            - two\n        cmd: /opt/bin/elicit\n" +
			"    b:\n        cmd: /opt/bin/elicit\n        args:\n        - proxy\n        - \"--name\"\n        - b\n" +
			"        - \"--\"\n        - run"},
}

func document(t testing.TB, shape, text string) *Doc {
	t.Helper()
	d, err := parse(File{Client: clients[0], Path: "f", shape: formats[shape]}, []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// TestWrapChangesTheseBytes: the bytes after are those of the table. Without the proxies they are the bytes before.
func TestWrapChangesTheseBytes(t *testing.T) {
	for _, r := range rounds {
		t.Run(r.shape+": "+r.name, func(t *testing.T) {
			before := document(t, r.shape, r.before)
			after, err := before.Wrap(before.Servers, program)
			must.OK(t, err)
			if got := string(after.text); got != r.after {
				t.Errorf("got  %q\nwant %q", got, r.after)
			}
			if len(before.Diff(after)) == 0 {
				t.Error("no line differs")
			}
			for _, s := range after.Servers {
				if !s.Wrapped || !s.Ours || s.Inner == "" || s.Command != program {
					t.Errorf("%s is %+v", s.Key, s)
				}
			}
			back, err := after.Unwrap(after.Servers, before)
			must.OK(t, err)
			if got := string(back.text); got != r.before {
				t.Errorf("back  %q\nbefore %q", got, r.before)
			}
			// Without the old file, the server is the same, if not its spelling.
			alone, err := after.Unwrap(after.Servers, nil)
			must.OK(t, err)
			for i, s := range alone.Servers {
				if was := before.Servers[i]; s.Command != was.Command || strings.Join(s.Args, "|") != strings.Join(was.Args, "|") {
					t.Errorf("%s is %q %q, was %q %q", s.Key, s.Command, s.Args, was.Command, was.Args)
				}
			}
		})
	}
}

// TestUnwrapLeavesTheChangesOfOthers: what a client or a person has written since stays.
func TestUnwrapLeavesTheChangesOfOthers(t *testing.T) {
	for _, r := range rounds {
		before := document(t, r.shape, r.before)
		changed := map[string]func(string) string{
			"json": func(s string) string { return s + "\n// later\n" },
			"toml": func(s string) string { return "later = true\n" + s },
			"yaml": func(s string) string { return "later: true\n" + s },
		}[r.shape]
		after := document(t, r.shape, changed(r.after))
		back, err := after.Unwrap(after.Servers, before)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		if got, want := string(back.text), changed(r.before); got != want {
			t.Errorf("%s: got %q\nwant %q", r.name, got, want)
		}
	}
}

// TestALayoutToolMayHaveRewrittenTheFile: one item a line, with a comma after the last.
func TestALayoutToolMayHaveRewrittenTheFile(t *testing.T) {
	d := document(t, "json", `{"mcpServers": {"a": {"command": "elicit", "args": [`+
		"\n  \"proxy\",\n  \"--name\",\n  \"a\",\n  \"--\",\n  \"run\",\n]}}}")
	back, err := d.Unwrap(d.Servers, nil)
	must.OK(t, err)
	want := `{"mcpServers": {"a": {"command": "run", "args": [` + "\n  \n]}}}"
	if got := string(back.text); got != want {
		t.Errorf("got %q", got)
	}
}

func TestOnlyOurOwnArgumentsAreTakenAway(t *testing.T) {
	for args, ours := range map[string]bool{
		`["proxy","--name","a","--","run"]`:                     true,
		`["proxy","--name","a","--","run","--","x"]`:            true,
		`["proxy","--name","b","--","run"]`:                     false, // somebody chose another name
		`["proxy","--name","a","--policy","p.json","--","run"]`: false,
		`["proxy","--","run"]`:                                  false,
		`["proxy","--name","a","--"]`:                           false,
		`["proxy","--name","a"]`:                                false,
	} {
		d := document(t, "json", `{"mcpServers":{"a":{"command":"C:\\bin\\Elicit.EXE","args":`+args+`}}}`)
		if s := d.Servers[0]; !s.Wrapped || s.Ours != ours {
			t.Errorf("%s: wrapped %t, ours %t", args, s.Wrapped, s.Ours)
		}
	}
	for _, text := range []string{`{"command":"elicit","args":["log"]}`,
		`{"command":"elicit-2","args":["proxy","--","x"]}`,
		`{"command":"other","args":["proxy","--","x"]}`} {
		if d := document(t, "json", `{"mcpServers":{"a":`+text+`}}`); d.Servers[0].Wrapped {
			t.Errorf("%s is taken for a proxy", text)
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// example is an example compiled as its own comment says, against the installed files, with the address sanitizer where
// there is one.
func example(t *testing.T, name string, libraries ...string) string {
	t.Helper()
	tool(t, "pkg-config")
	for _, library := range libraries {
		if exec.Command("pkg-config", "--exists", library).Run() != nil {
			t.Skipf("%s is not installed", library)
		}
	}
	at, dir := installed(t), given(t, "example/"+name+".c")
	run(t, dir, []string{"PKG_CONFIG_PATH=" + at + "/lib/pkgconfig"}, "sh", "-ec",
		`eval cc -std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -pedantic -g `+name+`.c -o `+name+
			` "$(pkg-config --cflags --libs elicit `+strings.Join(libraries, " ")+`)" -Wl,-rpath,"'`+at+`/lib'"`)
	return filepath.Join(dir, name)
}

func TestLoopExample(t *testing.T) {
	program := example(t, "loop", "libuv", "libcjson")
	for _, c := range []struct{ name, typed, ttl, want string }{
		{"answered", "yes\n", "60000", "reply: accept, because of user"},
		{"refused", "no\n", "60000", "reply: decline, because of user"},
		{"nobody answers", "", "50", "reply: cancel, because of timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			loop := exec.Command(program, c.ttl)
			loop.Stdin = strings.NewReader(c.typed)
			out, err := loop.CombinedOutput()
			if !strings.Contains(string(out), c.want) || (err == nil) != (c.name == "answered") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestClientExample lets the example answer the reference server: by a script, with one wrong value and its correction, and
// by both ways to say no.
func TestClientExample(t *testing.T) {
	program := example(t, "client", "libcjson")
	server := "../testdata/realparts/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
	if _, err := os.Stat(server); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("run testdata/realparts/setup.sh")
	}
	const filled = "Ada\ny\n\nnot-mail\n\n1815-12-10\n7\n2.5\nRoss\nPiano, Drums\nhero-3\nfish-1,fish-2\npet-2\nada@example.com\n"
	const aunt = `{"guardians":[{"name":"aunt","phases":["before_show"],"deadline_ms":600000}]}`
	for _, c := range []struct {
		name, typed, config string
		want                []string
	}{
		{"filled", filled, "{}", []string{"! /email", "[accept, because of user]", `\"email\": \"ada@example.com\"`, `\"Drums\"`, `\"integer\": 7`}},
		{"declined", "Ada\n!decline\n", "{}", []string{"[decline, because of user]", `\"action\": \"decline\"`}},
		{"put away", "!cancel\n", "{}", []string{"[cancel, because of user]", `\"action\": \"cancel\"`}},
		{"nobody types", "", "{}", []string{"[cancel, because of user]", `\"action\": \"cancel\"`}},
		{"nobody asks the guardian", "", aunt, []string{"[decline, because of guardian]", `\"action\": \"decline\"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			journal := filepath.Join(t.TempDir(), "journal")
			client := exec.Command(program, "-c", c.config, "-j", journal, "trigger-elicitation-request", "node", server, "stdio")
			client.Stdin = strings.NewReader(c.typed)
			out, err := client.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range c.want {
				if !bytes.Contains(out, []byte(want)) {
					t.Errorf("no %s in\n%s", want, out)
				}
			}
			verify(t, journal)
		})
	}
}

// verify asks the installed command whether the records the example kept are whole.
func verify(t *testing.T, journal string) {
	t.Helper()
	records := strings.TrimSpace(read(t, journal))
	if n := strings.Count(records, "\n") + 1; n < 3 || !json.Valid([]byte(strings.Split(records, "\n")[0])) {
		t.Fatalf("%d records:\n%s", n, records)
	}
	if out, err := exec.Command(installed(t)+"/bin/elicit", "replay", journal).CombinedOutput(); err != nil {
		t.Errorf("replay: %v\n%s", err, out)
	}
}

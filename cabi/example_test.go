package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var compiles = regexp.MustCompile(`(?m)^ \*   cc (.*\.c) \$\(pkg-config --cflags --libs elicit(.*)\) -o (\w+)`)

// example compiles an example as the comment in its source says, with the installed files, and returns the program. It
// skips the test if a library that the comment names is missing.
func example(t *testing.T, name string) string {
	t.Helper()
	tool(t, "pkg-config")
	m := compiles.FindStringSubmatch(read(t, "example/"+name+".c"))
	if m == nil || m[3] != name {
		t.Fatalf("%s.c does not say how it is compiled: %q", name, m)
	}
	for library := range strings.FieldsSeq(m[2]) {
		if exec.Command("pkg-config", "--exists", library).Run() != nil {
			t.Skipf("%s is not installed", library)
		}
	}
	at, dir := installed(t), given(t, examples(t)...)
	run(t, dir, []string{"PKG_CONFIG_PATH=" + at + "/lib/pkgconfig"}, "sh", "-ec",
		`eval cc -std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -pedantic -g `+m[1]+` -o `+name+
			` "$(pkg-config --cflags --libs elicit`+m[2]+`)" -Wl,-rpath,"'`+at+`/lib'"`)
	return filepath.Join(dir, name)
}

func examples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("example/*.[ch]")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v: %v", files, err)
	}
	return files
}

// TestConnectionExample runs the example in the header: a changed message, one that passes, a question, and the end.
func TestConnectionExample(t *testing.T) {
	t.Parallel()
	out, err := exec.Command(example(t, "connection")).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := []string{`"effect":"append"`, `"effect":"send","to":"server"`, `{"effect":"forward","to":"client"}`,
		`"effect":"show"`,
		`{"effect":"close","end":"server"}`}
	if err != nil || len(lines) != len(want) {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "ok: ") || !strings.Contains(line, want[i]) {
			t.Errorf("no %s in %s", want[i], line)
		}
	}
}

// TestProxyExample runs the example between the client of the official SDK and a server, three times: the client's
// person answers, policy answers instead, and the time runs out.
func TestProxyExample(t *testing.T) {
	t.Parallel()
	program := example(t, "proxy")
	server := filepath.Join(t.TempDir(), "demoserver")
	if out, err := exec.Command("go", "build", "-o", server, "../testdata/demoserver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const never = `{"policy":{"user":{"version":1,"approval_policy":"on-request","rules":[` +
		`{"name":"no","when":{"tool":"deploy"},"then":"decline"}]}}}`
	for _, c := range []struct {
		name, config, action, want string
		asked                      int32
	}{
		{"answered", `{}`, "accept", "Deployed shop to production.", 1},
		{"refused", `{}`, "decline", "Declined", 1},
		{"policy answers", never, "accept", "Declined", 0},
		{"time runs out", `{"limits":{"answer_ttl_ms":50}}`, "", "Cancelled", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked.Add(1)
					if c.action == "" {
						<-ctx.Done() // the proxy withdraws the question
					}
					return &mcp.ElicitResult{Action: c.action}, ctx.Err()
				}})
			var said bytes.Buffer
			proxy := exec.Command(program, c.config, server)
			proxy.Stderr = &said
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: proxy},
				&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "deploy"})
			if err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			out, _ := json.Marshal(result.Content)
			if !bytes.Contains(out, []byte(c.want)) || asked.Load() != c.asked {
				t.Errorf("asked %d times: %s\n%s", asked.Load(), out, said.String())
			}
			if err := session.Close(); err != nil {
				t.Errorf("the proxy ends with %v\n%s", err, said.String())
			}
		})
	}
}

// TestClientExample lets the example answer the reference server: with a wrong value and its correction, and with both
// ways to refuse.
func TestClientExample(t *testing.T) {
	t.Parallel()
	program := example(t, "client")
	server := "../testdata/realparts/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
	if _, err := os.Stat(server); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("run testdata/realparts/setup.sh")
	}
	const filled = "Ada\ny\n\nnot-mail\n\n1815-12-10\n7\n2.5\nRoss\nPiano, Drums\nhero-3\nfish-1,fish-2\npet-2\n" +
		"ada@example.com\n"
	const aunt = `{"guardians":[{"name":"aunt","phases":["before_show"],"deadline_ms":600000}]}`
	for _, c := range []struct {
		name, typed, config string
		want                []string
	}{
		{"filled", filled, "{}", []string{"! /email", "[accept, because of user]", `\"email\": \"ada@example.com\"`,
			`\"Drums\"`, `\"integer\": 7`}},
		{"declined", "Ada\n!decline\n", "{}", []string{"[decline, because of user]", `\"action\": \"decline\"`}},
		{"put away", "!cancel\n", "{}", []string{"[cancel, because of user]", `\"action\": \"cancel\"`}},
		{"nobody types", "", "{}", []string{"[cancel, because of user]", `\"action\": \"cancel\"`}},
		{"nobody asks the guardian", "", aunt, []string{"[decline, because of guardian]", `\"action\": \"decline\"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			journal := filepath.Join(t.TempDir(), "journal")
			client := exec.Command(program, "-c", c.config, "-j", journal, "trigger-elicitation-request", "node", server,
				"stdio")
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
	t.Run("the journal is full", func(t *testing.T) {
		client := exec.Command(program, "-j", "/dev/full", "trigger-elicitation-request", "node", server, "stdio")
		client.Stdin = strings.NewReader(filled)
		out, _ := client.CombinedOutput()
		if !bytes.Contains(out, []byte(`"isError":true`)) || bytes.Contains(out, []byte("[accept")) || bytes.Contains(out,
			[]byte("asks:")) {
			t.Errorf("an answer that is not on record came through:\n%s", out)
		}
	})
}

// verify checks with the installed command that the example's records are complete and unchanged.
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

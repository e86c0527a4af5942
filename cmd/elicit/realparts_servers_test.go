package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestRealServers tests the proxy with servers of other makers: FastMCP and the official Python SDK with pydantic
// models, both TypeScript SDKs with zod schemas, and the Java SDK. The official Go client declares no elicitation, and
// calls their tools one after the other in one session. The answers come from a file. The test compares the values that
// the server's own handler got.
func TestRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("real servers take half a minute")
	}
	p := build(t)
	t.Run("pythonsdk/sealed-state", p.sealedState)
	for name, table := range map[string]func(parts) []foreign{
		"fastmcp": parts.fastmcp, "pythonsdk": parts.pythonsdk, "zod": parts.zod, "java": parts.java,
	} {
		for _, s := range table(p) {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				s.run(t, p)
			})
		}
	}
}

// foreign is one session with one server of another maker.
type foreign struct {
	name    string
	missing error    // why its packages are missing, nil when they are installed
	command []string // of the server
	date    string
	calls   []call
}

// call is one tool call. An entry of the answers file that matches its message answers its only question once.
type call struct {
	name  string
	tool  string
	args  map[string]any
	rules []rule

	want    string   // the tool's text as JSON, with its members in any order
	says    []string // or: pieces of the text
	refused []string // or: the server's question got the error -32602 with these pieces
	failed  []string // or: the call itself failed with these pieces
	misfit  []string // pointers of the problems of the prepared answer, which cancels the question
}

// form is a call of a tool that asks one form; all those servers have such a tool.
func form(name, tool, kind string, a answer, want string) call {
	return call{name: name, tool: tool, args: map[string]any{"type": kind, "message": name},
		rules: byMessage(name, a), want: want}
}

// wrong is form with an answer that does not fit. A file cannot correct its answer, so the server gets a cancel.
func wrong(name, tool, kind string, content map[string]any, misfit ...string) call {
	c := form(name, tool, kind, accept(content), `{"action":"cancel"}`)
	c.misfit = misfit
	return c
}

// unfit is form with a schema that the engine refuses with a named problem.
func unfit(name, tool, kind string, pieces ...string) call {
	c := form(name, tool, kind, accept(map[string]any{}), "")
	c.refused = pieces
	return c
}

// unsent is form with a schema that the server's own SDK does not send.
func unsent(name, tool, kind string, pieces ...string) call {
	c := form(name, tool, kind, accept(map[string]any{}), "")
	c.says = append([]string{`"unsent":`}, pieces...)
	return c
}

func byMessage(message string, a answer) []rule {
	return []rule{{When: map[string]string{"message": message}, Answer: a}}
}

var decline, dismiss = answer{Action: "decline"}, answer{Action: "cancel"}

// need skips the test when a part is missing, but never in CI.
func (s foreign) need(t *testing.T) {
	t.Helper()
	if s.missing == nil {
		return
	}
	why := fmt.Sprintf("%v; run testdata/realparts/setup.sh", s.missing)
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// stamped returns an error unless setup.sh has installed a directory of packages completely.
func (p parts) stamped(what, dir string) error {
	if _, err := os.Stat(filepath.Join(p.drivers, dir, ".installed-from")); err != nil {
		return errors.New("the " + what + " packages are not installed")
	}
	return nil
}

func (s foreign) run(t *testing.T, p parts) {
	s.need(t)
	var rules []rule
	for _, c := range s.calls {
		rules = append(rules, c.rules...)
	}
	journal := filepath.Join(t.TempDir(), "journal.jsonl")
	line := p.behind("answers="+answersFile(t, rules), s.command, "--journal", journal)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	var errs lockedBuffer
	cmd.Stderr = &errs
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1.0.0"},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: patience / 2},
		&mcp.ClientSessionOptions{ProtocolVersion: s.date})
	if err != nil {
		t.Fatalf("no session: %v\n%s", err, clip(errs.String()))
	}
	if got := session.InitializeResult().ProtocolVersion; got != s.date {
		t.Errorf("protocol: got %s, want %s", got, s.date)
	}
	for _, c := range s.calls {
		t.Run(c.name, func(t *testing.T) { c.run(t, ctx, session) })
	}
	if err := session.Close(); err != nil {
		t.Errorf("the server's end: %v", err)
	}
	s.misfits(t, journal)
}

// misfits checks in the journal that each answer that did not fit has problems at exactly the expected fields.
func (s foreign) misfits(t *testing.T, journal string) {
	t.Helper()
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for line := range strings.Lines(string(text)) {
		var r struct {
			Event   struct{ Event string }
			Effects []struct{ Problems []struct{ Pointer string } }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("journal: %v: %s", err, clip(line))
		}
		for _, effect := range r.Effects {
			var at []string
			for _, p := range effect.Problems {
				at = append(at, p.Pointer)
			}
			if r.Event.Event == "answered" {
				got = append(got, slices.Compact(at)...) // zod adds a pattern of the same meaning to a format
			}
		}
	}
	for _, c := range s.calls {
		want = append(want, c.misfit...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("where the prepared answers did not fit: got %q, want %q", got, want)
	}
}

func (c call) run(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
	v := visit{tool: c.tool, args: c.args, timeout: patience / 2}
	o := v.callGo(ctx, session)
	if c.failed != nil {
		if o.Error == nil {
			t.Fatalf("got %s, want a failed call", clip(string(o.Result)))
		}
		contains(t, "error", fmt.Sprintf("%s %s %s", o.Error.Code, o.Error.Message, o.Error.Data), c.failed...)
		return
	}
	if o.Error != nil {
		t.Fatalf("call: %s %s %s", o.Error.Code, o.Error.Message, o.Error.Data)
	}
	if c.says != nil {
		contains(t, "the tool's words", o.text(), c.says...)
		return
	}
	if c.refused != nil {
		contains(t, "what the server got", squeezed(o.text()),
			append([]string{`"error":{`, `"code":-32602`}, c.refused...)...)
		return
	}
	if got, want := parsed(t, o.text()), parsed(t, c.want); !reflect.DeepEqual(got, want) {
		t.Errorf("the handler saw\n     %s\nwant %s", clip(o.text()), c.want)
	}
}

// parsed parses a JSON text; numbers keep their spelling.
func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return text
	}
	return v
}

// squeezed removes the white space of a JSON text.
func squeezed(text string) string {
	var v json.RawMessage
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return string(b)
}

package verbs

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// lines gives the whole input to `elicit --stdio` and returns the answers, one for each line.
func lines(t *testing.T, input string) []string {
	t.Helper()
	var out, stderr bytes.Buffer
	if code := cli.Execute(NewRoot(), []string{"--stdio"}, strings.NewReader(input), &out,
		&stderr); code != cli.Fine || stderr.Len() > 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestStdioVectors runs every vector as one line.
func TestStdioVectors(t *testing.T) {
	t.Parallel()
	var calls strings.Builder
	all := vectors.Read(t)
	for i, v := range all {
		input := bytes.ReplaceAll(v.In, []byte("\n"), []byte(" ")) // one byte for one, so that spans stay right
		fmt.Fprintf(&calls, `{"id":%d,"op":%q,"input":%s}`+"\n", i, v.Op, input)
	}
	got := lines(t, calls.String())
	if len(got) != len(all) {
		t.Fatalf("%d answers to %d vectors", len(got), len(all))
	}
	for i, v := range all {
		if want := fmt.Sprintf(`{"id":%d,"status":"ok","output":%s}`, i, v.Output()); got[i] != want {
			t.Errorf("%s\n got %s\nwant %s", v, got[i], want)
		}
	}
	t.Logf("vectors through --stdio: %d", len(all))
}

func TestStdioLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, line, want string }{
		{"not JSON", `{`, `{"id":null,"status":"invalid","output":{"problems":[{"code":"json_truncated"`},
		{"not an object", `[]`, `{"id":null,"status":"invalid","output":{"problems":[{"code":"bad_input","pointer":""}]}}`},
		{"no operation", `{"id":7}`,
			`{"id":7,"status":"invalid","output":{"problems":[{"code":"unknown_op","pointer":"/op"}]}}`},
		{"unknown operation", `{"id":7,"op":"dance"}`,
			`{"id":7,"status":"invalid","output":{"problems":[{"code":"unknown_op","pointer":"/op"}]}}`},
		{"unknown member", `{"id":"a","op":"describe","imput":1}`,
			`{"id":"a","status":"invalid","output":{"problems":[{"code":"unknown_member","pointer":"/imput"}]}}`},
		{"handle that is none", `{"op":"step","handle":"xyz"}`,
			`{"id":null,"status":"invalid","output":{"problems":[{"code":"bad_input","pointer":"/handle"}]}}`},
		{"handle of nobody", `{"op":"step","handle":"0000000100000001","input":{}}`,
			`{"id":null,"status":"unknown_handle","output":{"problems":[{"code":"unknown_handle","pointer":""}]}}`},
		{"carriage return", `{"op":"close","handle":"0000000100000001"}` + "\r",
			`{"id":null,"status":"unknown_handle","output":`},
		{"line too long", `{"id":1,"op":"parse","input":"` + strings.Repeat("x", abi.MaxLine) + `"}`,
			`{"id":null,"status":"invalid","output":{"problems":[{"code":"json_size"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(t, c.line+"\n"+`{"id":2,"op":"close","handle":"0000000000000000"}`); len(got) != 2 ||
				!strings.HasPrefix(got[0], c.want) || !strings.HasPrefix(got[1], `{"id":2,"status":"unknown_handle"`) {
				t.Errorf("\n got %.300s\nwant %s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// TestStdioSteps runs a whole elicitation, and reads each answer before it makes the next call.
func TestStdioSteps(t *testing.T) {
	t.Parallel()
	in, calls := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serveLines(in, out, nil); out.Close() }()
	read := bufio.NewScanner(answers)
	call := func(line, want string) string {
		t.Helper()
		if _, err := fmt.Fprintln(calls, line); err != nil {
			t.Fatal(err)
		}
		if !read.Scan() || !strings.Contains(read.Text(), want) {
			t.Fatalf("got  %s\nwant %s", read.Text(), want)
		}
		return read.Text()
	}
	opened := call(`{"id":1,"op":"open","input":{}}`, `"status":"ok"`)
	var engine struct{ Handle string }
	if err := json.Unmarshal([]byte(opened), &engine); err != nil || len(engine.Handle) != 16 {
		t.Fatalf("no handle in %s", opened)
	}
	step := func(input, want string) { call(`{"op":"step","handle":"`+engine.Handle+`","input":`+input+`}`, want) }
	step(`{"event":{"event":"opened","session":"s","server":"build","side":"answering",`+
		`"declared":["form"],"shown":["form"]}}`,
		`"effect":"append"`)
	step(`{"event":{"event":"asked","session":"s","ref":"1","mode":"form","message":"Go on?",`+
		`"schema":{"type":"object","properties":{}}}}`,
		`"effect":"show"`)
	step(`{"save":"s"}`, `{"state":{`)
	step(`{"event":{"event":"closed","session":"s","cause":"shutdown"}}`, `"effect":"reply"`)
	call(`{"op":"close","handle":"`+engine.Handle+`"}`, `"output":{}`)
	call(`{"op":"close","handle":"`+engine.Handle+`"}`, `"unknown_handle"`)
	calls.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestStdioGuests loads a module with one line, and asks it with others.
func TestStdioGuests(t *testing.T) {
	t.Parallel()
	module := must.Read(t, "../../../../testdata/guests/no-links.wasm")
	got := lines(t, strings.Join([]string{
		`{"id":1,"op":"guest","input":{"module":"` + base64.StdEncoding.EncodeToString(module) + `"}}`,
		`{"id":2,"op":"open","input":{"guardians":[{"name":"g","digest":"` + guardian.Digest(module) + `",` +
			`"declared":{"phases":["before_show"],"reads":["/request/mode","/request/url"]},` +
			`"reads":["/request/mode"]}]}}`,
		`{"id":3,"op":"step","handle":"0000000100000001",` +
			`"input":{"event":{"event":"opened","session":"s","server":"build","side":"answering",` +
			`"declared":["url"],"shown":["url"]}}}`,
		`{"id":4,"op":"step","handle":"0000000100000001",` +
			`"input":{"event":{"event":"asked","session":"s","ref":"1","mode":"url",` +
			`"message":"Pay","url":"https://pay.example.com/","link":"l"}}}`,
	}, "\n"))
	for i, want := range []string{`"name":"no-links"`, `"handle":"0000000100000001"`, `"status":"ok"`,
		`"outcome":"decline","cause":"guardian"`} {
		if len(got) != 4 || !strings.Contains(got[i], want) {
			t.Fatalf("answer %d\n got %s\nwant %s", i+1, strings.Join(got, "\n"), want)
		}
	}
}

// TestStdioOfAManifestWithLines loads a module whose manifest has settings on several lines, as the ready-made
// guardians have.
func TestStdioOfAManifestWithLines(t *testing.T) {
	t.Parallel()
	module := must.Read(t, "../../../../testdata/guests/no-links.wasm")
	const name = "elicit.guardian" // of the last section, whose size has two bytes
	at := bytes.Index(module, []byte(name))
	manifest := strings.TrimSuffix(string(module[at+len(name):]), "}") +
		`,"settings":{` + "\n\t\"type\":\r\n\"object\"\r}}"
	module = binary.AppendUvarint(append(module[:at-4:at-4], 0), uint64(1+len(name)+len(manifest)))
	module = append(append(module, byte(len(name))), name+manifest...)
	got := lines(t, `{"id":1,"op":"guest","input":{"module":"`+base64.StdEncoding.EncodeToString(module)+`"}}`+
		"\n"+`{"id":2,"op":"describe"}`)
	if len(got) != 2 || !strings.Contains(got[0], `"settings":{`) || strings.ContainsAny(got[0], "\r\n") {
		t.Errorf("got %d lines: %.600q", len(got), got)
	}
}

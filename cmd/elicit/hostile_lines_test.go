package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// spelling is one line of testdata/hostile, whose README.md says how they are written.
type spelling struct{ name, line string }

const hostileDir = "../../testdata/hostile"

// spellings reads a file of lines. What only a session knows ($id, $q, $t, $members) is left in them.
func spellings(t *testing.T, file string) (list []spelling) {
	t.Helper()
	words := map[string]string{}
	raw, err := os.ReadFile(filepath.Join(hostileDir, "words.json"))
	if err == nil {
		err = json.Unmarshal(raw, &words)
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err = os.ReadFile(filepath.Join(hostileDir, file+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for row := range bytes.Lines(raw) {
		if row[0] == '#' {
			continue
		}
		var r struct {
			Name   string
			Line   string
			Base64 []byte
		}
		if err := json.Unmarshal(row, &r); err != nil {
			t.Fatalf("%s: %v: %s", file, err, row)
		}
		line := r.Line + string(r.Base64)
		for range words {
			line = replaced(line, words)
		}
		line = repeated(repeated(line, "$deep(", "[", "]"), "$pad(", "x", "")
		list = append(list, spelling{r.Name, strings.ReplaceAll(line, "$name", r.Name)})
	}
	if len(list) < 20 {
		t.Fatalf("%s: %d lines", file, len(list))
	}
	return list
}

// replaced puts in what is given, the longest names first: $question before $q.
func replaced(line string, given map[string]string) string {
	var names, pairs []string
	for name := range given {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		pairs = append(pairs, name, given[name])
	}
	return strings.NewReplacer(pairs...).Replace(line)
}

// repeated writes the piece NAME N ")" as N times before and N times after.
func repeated(line, name, before, after string) string {
	head, rest, found := strings.Cut(line, name)
	number, tail, ok := strings.Cut(rest, ")")
	n, err := strconv.Atoi(number)
	if !found || !ok || err != nil {
		return line
	}
	return head + strings.Repeat(before, n) + strings.Repeat(after, n) + tail
}

// hostileScript makes rawserver say each line when the tool of its name is called and, where it is no answer, the usual
// answer after a pause of milliseconds.
func hostileScript(t *testing.T, date string, list []spelling, pause int, answer bool) string {
	t.Helper()
	var b bytes.Buffer
	row := func(v any) {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	type m = map[string]any
	done := `{"jsonrpc":"2.0","id":"$id","result":{"content":[{"type":"text","text":"done"}]}}`
	if date == july {
		done = strings.Replace(done, `{"content"`, `{"resultType":"complete","content"`, 1)
		row(m{"when": m{"method": "server/discover"}, "times": 0, "say": []string{`{"jsonrpc":"2.0","id":"$id","result":{` +
			`"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public",` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"raw","version":"1"}}}}`}})
		var tools []string
		for _, s := range append(list, spelling{name: "alive"}) {
			tools = append(tools, `{"name":"`+s.name+`","inputSchema":{"type":"object"}}`)
		}
		row(m{"when": m{"method": "tools/list"}, "times": 0, "say": []string{`{"jsonrpc":"2.0","id":"$id","result":{"resultType":"complete",` +
			`"ttlMs":0,"cacheScope":"public","tools":[` + strings.Join(tools, ",") + `]}}`}})
	}
	row(m{"when": m{"method": "tools/call", "contains": `"inputResponses"`}, "times": 0, "say": []string{done}})
	row(m{"when": m{"tool": "alive"}, "times": 0, "say": []string{done}})
	for i, s := range list {
		line := replaced(s.line, map[string]string{"$id": `"$id"`, "$t": `"$id"`, "$q": strconv.Itoa(9000 + i)})
		say := []any{m{"base64": []byte(line)}, m{"wait": pause}, done}
		if !answer {
			say = say[:1]
		}
		row(m{"when": m{"tool": s.name}, "times": 0, "say": say})
	}
	file := filepath.Join(t.TempDir(), "hostile.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

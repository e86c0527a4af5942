package main_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/testdata/hostile"
)

// spelling is one line of testdata/hostile; the README.md there describes the format.
type spelling struct{ name, line string }

const hostileDir = "../../testdata/hostile"

// spellings reads a file of lines. It leaves the placeholders for values of a session ($id, $q, $t, $members) in them.
func spellings(t *testing.T, file string) (list []spelling) {
	t.Helper()
	lines, err := hostile.Read(hostileDir, file)
	must.OK(t, err)
	for _, l := range lines {
		list = append(list, spelling{l.Name, l.Text})
	}
	if len(list) < 20 {
		t.Fatalf("%s: %d lines", file, len(list))
	}
	return list
}

// hostileScript writes a script for rawserver. The server writes each line when the tool of its name is called. When
// the line is not an answer, it writes the usual answer after a pause in milliseconds.
func hostileScript(t *testing.T, date string, list []spelling, pause int, answer bool) string {
	t.Helper()
	var b bytes.Buffer
	row := func(v any) {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		must.OK(t, e.Encode(v))
	}
	type m = map[string]any
	done := `{"jsonrpc":"2.0","id":"$id","result":{"content":[{"type":"text","text":"done"}]}}`
	if date == july {
		done = strings.Replace(done, `{"content"`, `{"resultType":"complete","content"`, 1)
		row(m{"when": m{"method": "server/discover"}, "times": 0, "say": []string{`{"jsonrpc":"2.0","id":"$id","result":{` +
			`"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
			`"ttlMs":0,"cacheScope":"public",` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"raw","version":"1"}}}}`}})
		var tools []string
		for _, s := range append(list, spelling{name: "alive"}) {
			tools = append(tools, `{"name":"`+s.name+`","inputSchema":{"type":"object"}}`)
		}
		row(m{"when": m{"method": "tools/list"}, "times": 0, "say": []string{`{"jsonrpc":"2.0","id":"$id","result":{` +
			`"resultType":"complete",` +
			`"ttlMs":0,"cacheScope":"public","tools":[` + strings.Join(tools, ",") + `]}}`}})
	}
	row(m{"when": m{"method": "tools/call", "contains": `"inputResponses"`}, "times": 0, "say": []string{done}})
	row(m{"when": m{"tool": "alive"}, "times": 0, "say": []string{done}})
	for i, s := range list {
		line := hostile.Put(s.line, map[string]string{"$id": `"$id"`, "$t": `"$id"`, "$q": strconv.Itoa(9000 + i)})
		say := []any{m{"base64": []byte(line)}, m{"wait": pause}, done}
		if !answer {
			say = say[:1]
		}
		row(m{"when": m{"tool": s.name}, "times": 0, "say": say})
	}
	return must.Write(t, b.Bytes(), t.TempDir(), "hostile.jsonl")
}

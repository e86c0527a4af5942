package relay

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// finding is what a reader finds in one message.
type finding struct {
	kind   gate.Kind
	method string
	id     string // as spelled, "" for none
	asks   bool   // a result that wants input, or the error that asks for pages
	brings bool   // a request that has answers of a round
}

// reader is a program that reads lines: how it splits them, and which members it takes for those that decide.
type reader struct {
	name  string
	lines func(line string) []string // the lines that it sees in a received line; nil for the line itself
	all   bool                       // reads a stream of values, so text after a value counts as well
	tail  bool                       // ignores text after a value
	first bool                       // the first of repeated keys counts, otherwise the last
	key   func(string) string        // the key that it takes a key for; nil for the key itself
	words func(string) string        // the text that it takes a text for; nil for the text itself
	proto bool                       // copies objects, so that members of __proto__ count
}

// cString returns a text as seen by a reader that ends texts at a zero byte.
func cString(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s }

// camel returns the name for which pydantic, serde and others also accept snake_case or kebab-case.
func camel(key string) string {
	var b strings.Builder
	for i, part := range strings.FieldsFunc(key, func(r rune) bool { return r == '_' || r == '-' }) {
		if i > 0 {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	if strings.HasPrefix(key, "_") {
		return "_" + b.String()
	}
	return b.String()
}

// ignoringCase finds the known name that equals key when case is ignored.
func ignoringCase(key string) string {
	for _, known := range decidingNames {
		if strings.EqualFold(key, known) {
			return known
		}
	}
	return key
}

// upperCase is ignoringCase as in .NET and Java: by the upper case of each letter.
func upperCase(key string) string {
	upper := strings.ToUpper(key)
	for _, known := range decidingNames {
		if upper == strings.ToUpper(known) {
			return known
		}
	}
	return key
}

var decidingNames = []string{"jsonrpc", "id", "method", "params", "result", "error", "code", "resultType",
	"inputRequests", "inputResponses", "requestState", "_meta"}

func cutAt(cuts string) func(string) []string {
	return func(line string) []string {
		return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(cuts, r) })
	}
}

// readers are the models. Each is named after programs that read in this way.
var readers = []reader{
	{name: "JSON.parse"},
	{name: "JSON.parse, copied", proto: true},
	{name: "first of repeated keys", first: true, tail: true},
	{name: "Go struct", key: ignoringCase, tail: true},
	{name: "stream of values", key: ignoringCase, all: true},
	{name: ".NET, Jackson ignoring case", key: upperCase},
	{name: "lines end at CR", lines: cutAt("\r"), tail: true},
	{name: "Python text lines", lines: cutAt("\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"), words: strings.TrimSpace},
	{name: "pydantic", key: camel},
	{name: "C strings", lines: func(line string) []string { return []string{cString(line)} },
		key: cString, words: cString},
	{name: "C strings that go on", lines: cutAt("\x00"), first: true, tail: true},
	{name: "trimmed", lines: trimmed, key: strings.TrimSpace, words: strings.TrimSpace},
	{name: "trimmed, streamed", lines: trimmed, all: true},
}

func trimmed(line string) []string {
	blank := func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' || r == 0x200B || r == 0 }
	return []string{strings.TrimFunc(line, blank)}
}

// read returns what the reader finds in a line.
func (r reader) read(line string) (found []finding) {
	lines := []string{line}
	if r.lines != nil {
		lines = r.lines(line)
	}
	for _, l := range lines {
		for {
			n, end, ok := readLenient(l)
			if !ok || !r.all && !r.tail && strings.TrimSpace(l[end:]) != "" {
				break
			}
			if n.kind == '[' {
				for _, item := range n.items {
					found = r.message(item, found)
				}
			}
			found = r.message(n, found)
			if l = l[end:]; !r.all {
				break
			}
		}
	}
	return found
}

// get returns the member that the reader takes for the one of that name.
func (r reader) get(o node, name string) *node {
	var got *node
	for i := range o.members {
		key := o.members[i].key
		if r.key != nil {
			key = r.key(key)
		}
		if key == name && (got == nil || !r.first) {
			got = &o.members[i].value
		}
	}
	for i := range o.members {
		if m := &o.members[i]; r.proto && got == nil && m.key == "__proto__" && m.value.kind == '{' {
			got = r.get(m.value, name)
		}
	}
	return got
}

func (r reader) text(n *node) string {
	switch {
	case n == nil || n.kind != '"':
		return ""
	case r.words != nil:
		return r.words(n.words)
	}
	return n.words
}

// object returns a member that is an object, otherwise an empty object.
func (r reader) object(o node, name string) node {
	if n := r.get(o, name); n != nil && n.kind == '{' {
		return *n
	}
	return node{}
}

// there reports whether an object has a member that is not null.
func (r reader) there(o node, name string) bool {
	n := r.get(o, name)
	return n != nil && n.text != "null"
}

func (r reader) message(n node, found []finding) []finding {
	if n.kind != '{' {
		return found
	}
	var f finding
	if id := r.get(n, "id"); id != nil && id.text != "null" {
		f.id = id.text
	}
	switch {
	case r.there(n, "method"):
		f.kind, f.method = gate.Notification, r.text(r.get(n, "method"))
		if f.id != "" {
			f.kind = gate.Request
		}
		params := r.object(n, "params")
		for _, o := range []node{params, r.object(params, "_meta")} {
			f.brings = f.brings || r.there(o, "inputResponses") || r.there(o, "requestState")
		}
	case r.there(n, "result"):
		f.kind = gate.Result
		o := r.object(n, "result")
		f.asks = r.text(r.get(o, "resultType")) == "input_required" || r.there(o, "inputRequests")
	case r.there(n, "error"):
		f.kind = gate.Failure
		f.asks = r.wantsPages(r.get(r.object(n, "error"), "code"))
	default:
		return found
	}
	return append(found, f)
}

// wantsPages reports whether some reading of a code is -32042: as a text, as a fraction, or as 32 bits of the number.
func (r reader) wantsPages(code *node) bool {
	for code != nil && code.kind == '[' && len(code.items) == 1 {
		code = &code.items[0] // Number([5]) is 5
	}
	if code == nil || code.kind == '{' || code.kind == '[' {
		return false
	}
	text := code.text
	if code.kind == '"' {
		text = strings.ReplaceAll(strings.TrimSpace(cString(code.words)), "_", "")
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(n) > 1<<62 {
		return false
	}
	return int32(int64(n)) == -32042
}

// The following readers are real programs and not models.

// goStruct is encoding/json into a struct, as in most Go programs.
func goStruct(line string) []finding {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Params struct {
			InputResponses json.RawMessage `json:"inputResponses"`
			RequestState   json.RawMessage `json:"requestState"`
		} `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.NewDecoder(strings.NewReader(line)).Decode(&m) != nil {
		return nil
	}
	f := finding{kind: gate.Notification, id: string(m.ID)}
	if f.id == "null" {
		f.id = ""
	}
	null := []byte("null")
	switch there := func(raw []byte) bool { return len(raw) > 0 && !bytes.Equal(raw, null) }; {
	case m.Method != nil:
		f.method, f.brings = *m.Method, there(m.Params.InputResponses) || there(m.Params.RequestState)
		if there(m.ID) {
			f.kind = gate.Request
		}
	case there(m.Result):
		var o struct {
			ResultType    string          `json:"resultType"`
			InputRequests json.RawMessage `json:"inputRequests"`
		}
		_ = json.Unmarshal(m.Result, &o) // on an error, the members before it are set
		f.kind, f.asks = gate.Result, o.ResultType == "input_required" || there(o.InputRequests)
	case there(m.Error):
		var e struct {
			Code float64 `json:"code"`
		}
		_ = json.Unmarshal(m.Error, &e)
		f.kind, f.asks = gate.Failure, e.Code == -32042
	default:
		return nil
	}
	return []finding{f}
}

// gjsonReader looks for members without reading the rest, as many C programs do too.
func gjsonReader(line string) []finding {
	o := gjson.Parse(line)
	f := finding{kind: gate.Notification, method: o.Get("method").String()}
	if id := o.Get("id"); id.Type != gjson.Null {
		f.id = id.Raw
	}
	switch {
	case !o.IsObject():
		return nil
	case o.Get("method").Exists():
		f.brings = o.Get("params.inputResponses").Exists() || o.Get("params.requestState").Exists()
		if f.id != "" {
			f.kind = gate.Request
		}
	case o.Get("result").Type != gjson.Null:
		f.kind = gate.Result
		f.asks = o.Get("result.resultType").String() == "input_required" || o.Get("result.inputRequests").Type != gjson.Null
	case o.Get("error").Type != gjson.Null:
		f.kind, f.asks = gate.Failure, o.Get("error.code").Int() == -32042
	default:
		return nil
	}
	return []finding{f}
}

var realReaders = map[string]func(string) []finding{"encoding/json": goStruct, "gjson": gjsonReader}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// script is a file of JSON objects, with one on each line. Lines that start with # are comments.
//
//	{"start":[ITEM…]}                    written before the first incoming line
//	{"when":{…},"times":1,"say":[ITEM…]} answers an incoming line: the first row that matches and is not used up
//
// The members of `when` are all optional: method, tool (params.name), answer (the id of our question that this line
// answers, in its spelling; * for any), contains (a piece of the line). `times` is 1 by default; 0 means always.
//
// ITEM is an object, written on one line; a string, written unchanged; or one of {"wait":MS}, {"exit":CODE},
// {"base64":TEXT} for a line that is not UTF-8. In each, these are replaced:
//
//	"$id"     the incoming id, in its spelling
//	"$call"   the id of the latest tools/call without answers in it
//	$line     inside a string: the incoming line, escaped
//	$pad(N)   N letters
//
// Unless a row matches, the server answers initialize, server/discover, tools/list (with the tools of the script) and
// ping as a server of 2025-11-25.
type script struct {
	start []item
	rows  []*row
	call  string // spelling of the id behind "$call"
	tools []string
}

type item struct {
	line string
	wait time.Duration
	exit *int
}

type row struct {
	When struct{ Method, Tool, Contains, Answer string }
	say  []item
	left int // uses; -1 means without end
}

func readScript(path string) (*script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &script{call: "null"}
	for n, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.add([]byte(line)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
		}
	}
	return s, nil
}

func (s *script) add(line []byte) error {
	var in struct {
		Start []json.RawMessage
		When  struct{ Method, Tool, Contains, Answer string }
		Times *int
		Say   []json.RawMessage
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return err
	}
	start, err := items(in.Start)
	if err != nil {
		return err
	}
	s.start = append(s.start, start...)
	if in.Say == nil {
		return nil
	}
	r := &row{When: in.When, left: 1}
	if in.Times != nil {
		r.left = *in.Times
		if r.left == 0 {
			r.left = -1
		}
	}
	if r.say, err = items(in.Say); err != nil {
		return err
	}
	s.rows = append(s.rows, r)
	if t := in.When.Tool; t != "" && !slices.Contains(s.tools, t) {
		s.tools = append(s.tools, t)
	}
	return nil
}

func items(raw []json.RawMessage) ([]item, error) {
	out := make([]item, 0, len(raw))
	for _, r := range raw {
		var text string
		if json.Unmarshal(r, &text) == nil {
			out = append(out, item{line: text})
			continue
		}
		var order struct {
			Wait, Exit *int
			Base64     []byte
		}
		if err := json.Unmarshal(r, &order); err != nil {
			return nil, err
		}
		switch {
		case order.Wait != nil:
			out = append(out, item{wait: time.Duration(*order.Wait) * time.Millisecond})
		case order.Exit != nil:
			out = append(out, item{exit: order.Exit})
		case order.Base64 != nil:
			out = append(out, item{line: string(order.Base64)})
		default:
			out = append(out, item{line: string(r)})
		}
	}
	return out, nil
}

// message has the members of an incoming line that rows can match. It is empty for a line that is not JSON.
type message struct {
	line   string
	Method string
	ID     json.RawMessage
	Params struct {
		Name           string
		InputResponses json.RawMessage
		RequestState   json.RawMessage
		Meta           map[string]json.RawMessage `json:"_meta"`
	}
}

func read(line []byte) *message {
	m := &message{line: strings.TrimRight(string(line), "\r\n")}
	_ = json.Unmarshal(line, m)
	return m
}

// fresh reports whether this is a first call, and not a retry with answers or a state.
func (m *message) fresh() bool {
	return m.Params.InputResponses == nil && m.Params.RequestState == nil && m.Params.Meta["requestState"] == nil
}

func (s *script) reply(m *message) []item {
	if m.Method == "tools/call" && m.fresh() {
		s.call = string(m.ID)
	}
	for _, r := range s.rows {
		if r.left != 0 && r.matches(m) {
			r.left--
			return r.say
		}
	}
	if m.Method == "" || m.ID == nil {
		return nil
	}
	return []item{{line: s.usual(m.Method)}}
}

func (r *row) matches(m *message) bool {
	w := r.When
	if w.Answer != "" && (m.Method != "" || m.ID == nil || w.Answer != "*" && string(m.ID) != w.Answer) {
		return false
	}
	if w.Answer == "" && m.Method == "" && w.Contains == "" {
		return false // a row without members matches only requests
	}
	return (w.Method == "" || w.Method == m.Method) &&
		(w.Tool == "" || w.Tool == m.Params.Name && m.Method == "tools/call") &&
		strings.Contains(m.line, w.Contains)
}

func (s *script) usual(method string) string {
	switch method {
	case "initialize":
		return `{"jsonrpc":"2.0","id":"$id","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"raw","version":"1.0.0"}}}`
	case "ping":
		return `{"jsonrpc":"2.0","id":"$id","result":{}}`
	case "tools/list":
		var list []string
		for _, t := range s.tools {
			list = append(list, `{"name":`+strconv.Quote(t)+`,"inputSchema":{"type":"object"}}`)
		}
		return `{"jsonrpc":"2.0","id":"$id","result":{"tools":[` + strings.Join(list, ",") + `]}}`
	}
	return `{"jsonrpc":"2.0","id":"$id","error":{"code":-32601,"message":"Method not found"}}`
}

func (s *script) words(m *message) map[string]string {
	id := string(m.ID)
	if id == "" {
		id = "null"
	}
	escaped, _ := json.Marshal(m.line)
	return map[string]string{`"$id"`: id, `"$call"`: s.call, `$line`: string(escaped[1 : len(escaped)-1])}
}

var pad = regexp.MustCompile(`\$pad\((\d+)\)`)

func expand(line string, words map[string]string) string {
	for from, to := range words {
		line = strings.ReplaceAll(line, from, to)
	}
	return pad.ReplaceAllStringFunc(line, func(p string) string {
		n, _ := strconv.Atoi(p[len("$pad(") : len(p)-1])
		return strings.Repeat("x", n)
	})
}

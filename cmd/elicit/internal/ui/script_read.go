package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
)

// ReadScript reads an answers file: an array of
//
//	{"when":{"server","tool","message","mode"}, "answer":{"action","content"}}
//
// whose "when" and all its globs may be left out. It is strict, because a misspelt key would silently answer the wrong
// question; every mistake is reported. Exactly one of the two results is non-nil.
func ReadScript(doc []byte, complaints io.Writer) (*Script, []elicit.Problem) {
	if p := notJSON(doc); p != nil {
		return nil, []elicit.Problem{*p}
	}
	var r reader
	root := gjson.ParseBytes(doc)
	s := &Script{complaints: complaints, told: map[string]bool{}}
	s.unknown = func(p elicit.Problem) {
		fmt.Fprintf(complaints, "elicit: %s: %s\n", oneLine(p.Pointer), oneLine(english.Problem(p)))
	}
	if !root.IsArray() {
		r.report("", "wrong_json_type", elicit.Str("want", "an array of answers"))
	} else {
		for i, item := range root.Array() {
			s.lines = append(s.lines, r.line("/"+strconv.Itoa(i), item))
		}
	}
	if r.problems != nil {
		return nil, r.problems
	}
	return s, nil
}

// notJSON reports the first mistake of spelling, or nil.
func notJSON(doc []byte) *elicit.Problem {
	var raw json.RawMessage
	err := json.Unmarshal(doc, &raw)
	if err == nil {
		return nil
	}
	p := &elicit.Problem{Code: "not_json", Args: []elicit.Arg{elicit.Str("detail", err.Error())}}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		p.Start, p.End = int(syntax.Offset)-1, int(syntax.Offset)
	}
	return p
}

// reader collects the problems of one answers file.
type reader struct{ problems []elicit.Problem }

func (r *reader) report(pointer, code string, args ...elicit.Arg) {
	r.problems = append(r.problems, elicit.Problem{Code: code, Pointer: pointer, Args: args})
}

// members calls each for every member of an object and reports repeated names.
func (r *reader) members(pointer string, v gjson.Result, each func(key, at string, v gjson.Result)) {
	if !v.IsObject() {
		r.report(pointer, "wrong_json_type", elicit.Str("want", "an object"))
		return
	}
	seen := map[string]bool{}
	v.ForEach(func(k, v gjson.Result) bool {
		key := k.String()
		here := pointer + "/" + key
		if seen[key] {
			r.report(here, "repeated_key", elicit.Str("key", key))
			return true
		}
		seen[key] = true
		each(key, here, v)
		return true
	})
}

func (r *reader) line(pointer string, v gjson.Result) (l line) {
	answered := false
	r.members(pointer, v, func(key, at string, v gjson.Result) {
		switch key {
		case "when":
			l.when = r.when(at, v)
		case "answer":
			answered = true
			r.answer(at, v, &l)
		default:
			r.report(at, "unknown_answer_key", elicit.Str("key", key), elicit.Str("known", "when, answer"))
		}
	})
	if !answered && v.IsObject() {
		r.report(pointer, "missing_key", elicit.Str("key", "answer"))
	}
	return l
}

func (r *reader) when(pointer string, v gjson.Result) (w when) {
	r.members(pointer, v, func(key, at string, v gjson.Result) {
		var to **policy.Pattern
		switch key {
		case "server":
			to = &w.server
		case "tool":
			to = &w.tool
		case "message":
			to = &w.message
		case "mode":
			to = &w.mode
		default:
			r.report(at, "unknown_answer_key", elicit.Str("key", key), elicit.Str("known", "server, tool, message, mode"))
			return
		}
		if v.Type != gjson.String {
			r.report(at, "wrong_json_type", elicit.Str("want", "a string with a pattern"))
			return
		}
		p, fault := policy.CompilePattern(v.String(), key == "message")
		if fault != "" {
			r.report(at, "policy_bad_glob", elicit.Str("glob", v.String()), elicit.Str("fault", fault))
			return
		}
		*to = &p
	})
	return w
}

func (r *reader) answer(pointer string, v gjson.Result, l *line) {
	contentAt := ""
	r.members(pointer, v, func(key, at string, v gjson.Result) {
		switch key {
		case "action":
			l.action = elicit.Action(v.String())
			if v.Type != gjson.String || !l.action.Valid() {
				r.report(at, "unknown_action", elicit.Raw("action", v.Raw))
			}
		case "content":
			contentAt = at
			l.content, l.at = []byte(v.Raw), at
			if !v.IsObject() {
				r.report(at, "wrong_json_type", elicit.Str("want", "an object"))
			}
		default:
			r.report(at, "unknown_answer_key", elicit.Str("key", key), elicit.Str("known", "action, content"))
		}
	})
	switch {
	case l.action == "" && v.IsObject():
		r.report(pointer, "missing_key", elicit.Str("key", "action"))
	case contentAt != "" && l.action != elicit.Accept:
		r.report(contentAt, "content_without_accept", elicit.Str("action", string(l.action)))
	}
}

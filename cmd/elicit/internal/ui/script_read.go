package ui

import (
	"fmt"
	"io"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
)

// ReadScript reads an answers file: an array of
//
//	{"when":{"server","tool","message","mode"}, "answer":{"action","content","note","arguments","remember"}}
//
// "when" and each of its members may be missing. ReadScript is strict, because an entry with a misspelt key would
// answer the wrong question. It reports every mistake. Exactly one of the two results is non-nil. The Script writes its
// complaints to complaints.
func ReadScript(doc []byte, complaints io.Writer) (*Script, []elicit.Problem) {
	if problems := NotStrict(doc); problems != nil {
		return nil, problems
	}
	var r reader
	root := gjson.ParseBytes(doc)
	s := &Script{complaints: complaints, told: map[string]bool{}}
	s.unknown = func(p elicit.Problem) {
		fmt.Fprintf(complaints, "elicit: %s: %s\n", oneLine(p.Pointer), oneLine(english.Problem(p)))
	}
	if !root.IsArray() {
		r.Report("", "wrong_type", elicit.Str("expected", "array"))
	} else {
		for i, item := range root.Array() {
			s.lines = append(s.lines, r.line("/"+strconv.Itoa(i), item))
		}
	}
	if r.Found != nil {
		return nil, r.Found
	}
	return s, nil
}

// NotStrict lists why a document is not JSON that every program reads alike; it is nil for a document that is.
func NotStrict(doc []byte) []elicit.Problem {
	asked := `{"document_text":` + elicit.Str("", string(doc)).Raw + `}`
	return Problems(gjson.GetBytes(abi.Eval("parse", []byte(asked), nil), "problems"))
}

// Problems reads a list of problems from JSON that the engine wrote.
func Problems(list gjson.Result) []elicit.Problem {
	return each.Of(list.Array(), func(p gjson.Result) elicit.Problem {
		return elicit.Problem{Code: p.Get("code").String(), Pointer: p.Get("pointer").String(),
			In: elicit.AnswerPart(p.Get("in").String()), Start: int(p.Get("start").Int()), End: int(p.Get("end").Int()),
			Args: Args(p)}
	})
}

// Args reads the arguments of a problem, a reason or a finding from JSON that the engine wrote.
func Args(of gjson.Result) (args []elicit.Arg) {
	of.Get("args").ForEach(func(k, v gjson.Result) bool {
		args = append(args, elicit.Raw(k.String(), v.Raw))
		return true
	})
	return args
}

// Strict collects the problems of a file that a person wrote, in which a misspelt key must not count for nothing.
type Strict struct{ Found []elicit.Problem }

// Report adds a problem.
func (s *Strict) Report(pointer, code string, args ...elicit.Arg) {
	s.Found = append(s.Found, elicit.Problem{Code: code, Pointer: pointer, Args: args})
}

// Members calls each for every member of an object. It returns false for any other value.
func (s *Strict) Members(pointer string, v gjson.Result, each func(key, at string, v gjson.Result)) bool {
	if !v.IsObject() {
		s.Report(pointer, "wrong_type", elicit.Str("expected", "object"))
		return false
	}
	v.ForEach(func(k, v gjson.Result) bool {
		each(k.String(), pointer+"/"+k.String(), v)
		return true
	})
	return true
}

// Word is the text of a value that must be one.
func (s *Strict) Word(pointer string, v gjson.Result) string {
	if v.Type != gjson.String {
		s.Report(pointer, "wrong_type", elicit.Str("expected", "string"))
	}
	return v.String()
}

// reader reads one answers file.
type reader struct{ Strict }

func (r *reader) line(pointer string, v gjson.Result) (l preparedAnswer) {
	answered := false
	r.Members(pointer, v, func(key, at string, v gjson.Result) {
		switch key {
		case "when":
			l.when = r.when(at, v)
		case "answer":
			answered = true
			r.answer(at, v, &l)
		default:
			r.Report(at, "unknown_member", elicit.Str("known", "when, answer"))
		}
	})
	if !answered && v.IsObject() {
		r.Report(pointer+"/answer", "missing")
	}
	return l
}

func (r *reader) when(pointer string, v gjson.Result) (w when) {
	r.Members(pointer, v, func(key, at string, v gjson.Result) {
		to, known := map[string]**policy.Pattern{"server": &w.server, "tool": &w.tool, "message": &w.message,
			"mode": &w.mode}[key]
		if !known {
			r.Report(at, "unknown_member", elicit.Str("known", "server, tool, message, mode"))
			return
		}
		if v.Type != gjson.String {
			r.Report(at, "wrong_type", elicit.Str("expected", "string"))
			return
		}
		p, fault := policy.CompilePattern(v.String(), key == "message")
		if fault != "" {
			r.Report(at, "bad_glob", elicit.Str("glob", v.String()), elicit.Str("fault", fault))
			return
		}
		*to = &p
	})
	return w
}

func (r *reader) answer(pointer string, v gjson.Result, l *preparedAnswer) {
	contentAt, keepAt := "", ""
	r.Members(pointer, v, func(key, at string, v gjson.Result) {
		switch key {
		case "action":
			l.action = elicit.Action(v.String())
			if v.Type != gjson.String || !l.action.Valid() {
				r.Report(at, "unknown_action", elicit.Raw("action", v.Raw))
			}
		case "content":
			contentAt = at
			l.content, l.at = []byte(v.Raw), at
			if !v.IsObject() {
				r.Report(at, "wrong_type", elicit.Str("expected", "object"))
			}
		case "note":
			l.note = r.Word(at, v)
		case "arguments":
			if l.edited = []byte(v.Raw); !v.IsObject() {
				r.Report(at, "wrong_type", elicit.Str("expected", "object"))
			}
		case "remember":
			keepAt, l.keep = at, elicit.Scope(v.Str)
			if l.keep != elicit.ForTheSession && l.keep != elicit.Always {
				r.Report(at, "unknown_scope", elicit.Raw("scope", v.Raw))
			}
		default:
			r.Report(at, "unknown_member", elicit.Str("known", "action, content, note, arguments, remember"))
		}
	})
	switch {
	case l.action == "" && v.IsObject():
		r.Report(pointer+"/action", "missing")
	case contentAt != "" && l.action != elicit.Accept:
		r.Report(contentAt, "content_without_accept", elicit.Str("action", string(l.action)))
	case keepAt != "" && l.action != elicit.Accept:
		r.Report(keepAt, "remember_without_accept", elicit.Str("action", string(l.action)))
	}
}

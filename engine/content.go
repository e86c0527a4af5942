package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

// documentLimits let every document through that any stage may accept.
var documentLimits = jsontext.DocumentLimits()

// unreadable reports content that is no JSON object; none of it is kept, because nothing tells its secrets apart.
// content is what came from outside and has passed no gate. Everything else in this file takes canonical content, which
// jsontext has written, and so meets no fault.
func unreadable(content []byte, limit int) []elicit.Problem {
	if f := jsontext.Check(content, jsontext.Limits{Bytes: limit}); f != nil {
		return []elicit.Problem{elicit.FromFault(f)}
	}
	var s jsontext.Scanner
	s.Reset(content, documentLimits)
	if got := s.Peek(); got != jsontext.KindObject {
		return []elicit.Problem{{Code: "wrong_type",
			Args: []elicit.Arg{elicit.Str("expected", "object"), elicit.Str("got", got.String())}}}
	}
	return nil
}

// without returns canonical content less the named members.
func without(content []byte, names []string) []byte {
	if len(names) == 0 || len(content) == 0 {
		return content
	}
	return rewritten(content, func(key jsontext.Text, value []byte) []byte {
		if oneOf(key, names) {
			return nil
		}
		return value
	})
}

// rewritten returns canonical content in which each member has the value that change returns. A member with nil goes.
// The result is new bytes, and content stays as it is. It is canonical again, in the order of content. One pass.
func rewritten(content []byte, change func(key jsontext.Text, value []byte) []byte) []byte {
	var s jsontext.Scanner
	s.Reset(content, documentLimits)
	o := jsontext.Begin(nil)
	// Key and value are views of content and valid only in this turn.
	for s.Enter(); s.More(); {
		key := s.Key()
		if value := change(key, s.Skip()); value != nil {
			o.Raw(key.String(), value)
		}
	}
	return o.End()
}

// oneOf reports whether a member's name is among names. The name is compared decoded, so no escape hides it.
func oneOf(key jsontext.Text, names []string) bool {
	return slices.ContainsFunc(names, key.Equal)
}

// under returns the pointer of the named member that p lies in, or "". Example: /a~1b/0 lies in the member "a/b", whose
// pointer is /a~1b. /ab does not lie in "a". The slash after the root keeps the two apart.
func under(p string, names []string) string {
	for _, name := range names {
		root := string(jsontext.AppendToken(nil, name))
		if p == root || strings.HasPrefix(p, root+"/") {
			return root
		}
	}
	return ""
}

// fieldAt names the field that a pointer into content lies in.
func fieldAt(form *schema.Form, pointer string) (string, bool) {
	for i := range form.Fields {
		if name := form.Fields[i].Name; under(pointer, []string{name}) != "" {
			return name, true
		}
	}
	return "", false
}

// together joins what was found first and later, leaving both lists as they are.
func together(first, later []elicit.Finding) []elicit.Finding {
	if len(later) == 0 {
		return first
	}
	return append(slices.Clip(first), later...)
}

// sensitive names the fields of a form whose values nobody but the peer may read.
func sensitive(form *schema.Form) (names []string) {
	for i := range form.Fields {
		if form.Fields[i].Sensitive {
			names = append(names, form.Fields[i].Name)
		}
	}
	return names
}

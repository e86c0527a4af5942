package abi

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

// OpenForm compiles the form of {schema, profile?, limits?}, as the operation compile does, and keeps it under a
// handle. A user interface can then check an answer after every key. It appends {"form"}, or {"problems"} and opens
// nothing. A form is immutable, so any number of calls may check against it at once. The handle is closed as that of an
// engine.
func (t *Table) OpenForm(input, dst []byte) (Handle, []byte, Status) {
	root, fault := gate(input, evalLimits)
	if fault != nil {
		return 0, appendProblem(dst, *fault), Invalid
	}
	form, dst, ok := compileFrom(root, dst)
	if !ok {
		return 0, dst, Invalid
	}
	return t.place(slot{form: form}), append(form.AppendJSON(append(dst, `{"form":`...)), '}'), OK
}

// CheckForm checks content against the form of h and appends {"problems":[…]} with all problems, none for a valid
// answer. Nothing is filled in: what the person sees is what is checked. The lock is held for the look-up alone.
func (t *Table) CheckForm(h Handle, content, dst []byte) ([]byte, Status) {
	t.mu.Lock()
	var form *schema.Form
	if s := t.find(h); s != nil {
		form = s.form
	}
	t.mu.Unlock()
	if form == nil {
		return appendProblem(dst, elicit.Problem{Code: Statuses()[UnknownHandle]}), UnknownHandle
	}
	if len(content) > MaxInput {
		return appendProblem(dst, tooLarge()), TooLarge
	}
	return appendProblem(dst, form.Check(content)...), OK
}

// tooLarge is the problem of an input that is refused by its length, before anything reads it.
func tooLarge() elicit.Problem {
	return elicit.Problem{Code: jsontext.CodeSize, Args: []elicit.Arg{elicit.Num("limit", MaxInput)}}
}

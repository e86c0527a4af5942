package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Extra is the data that comes with a question and is needed to write its answer.
//
// The caller keeps it with the question and gives Echo to AppendAnswer.
type Extra struct {
	Echo   []byte // the _meta object that the answer must have, or nil
	Tasked bool   // the peer asked for a task; we never declare tasks, so we answer at once (tasks, 2025-11-25)
}

// DecodeCreate reads the parameters of elicitation/create. It fills the members of the request that the wire knows. The
// caller sets the identity (ID, Session, Ref, Server, Side). Slices alias params. DecodeCreate checks only that the
// schema is an object.
//
// An empty message is a message. The engine checks the schema, the URL and the sizes.
func (d Dialect) DecodeCreate(params []byte, declared Modes) (elicit.Request, Extra, *Refusal) {
	return d.decodeCreate(params, "", declared)
}

// decodeCreate is DecodeCreate for params anywhere in a document. at is the pointer of params in the document, for an
// entry of a result. A refusal without any declared mode has the code MethodNotFound, as from a client that does not
// have elicitation at all.
func (d Dialect) decodeCreate(params []byte, at string, declared Modes) (q elicit.Request, x Extra, no *Refusal) {
	if declared.None() {
		return q, x, refuse(wire.MethodNotFound, elicit.Problem{Code: "elicitation_unsupported"})
	}
	r := read(params, at)
	if r.Problems != nil {
		return q, x, &Refusal{Code: wire.InvalidParams, Problems: r.Problems}
	}
	q.Mode = d.readMode(r, declared)
	q.Message = r.Str("message")
	switch q.Mode {
	case elicit.Form:
		q.Schema = r.Map("requestedSchema")
	case elicit.URL:
		d.readURL(r, &q)
	}
	if meta, ok := r.Child("_meta"); ok {
		ReadClaim(meta, &q)
		x.Echo = d.echo(meta)
	}
	x.Tasked = d.Tasks && r.Get("task") != nil
	if r.Problems != nil {
		return elicit.Request{}, Extra{}, &Refusal{Code: wire.InvalidParams, Problems: r.Problems}
	}
	return q, x, nil
}

// readMode reads the mode. A missing mode means form, as the protocol demands, unless the dialect always names it. A
// mode that was not declared is the peer's mistake, whatever else the request says.
func (d Dialect) readMode(r *reading, declared Modes) elicit.Mode {
	raw := r.Get("mode")
	spelled, ok := "form", true
	if raw != nil || d.Explicit {
		if spelled, ok = wire.Text(raw); !ok {
			r.WrongType("mode", raw, "string")
			return ""
		}
	}
	mode := elicit.Mode(spelled)
	switch {
	case !mode.Valid():
		r.Report("unknown_mode", "mode", elicit.Str("mode", wire.Shown(spelled)))
		return ""
	case mode == elicit.Form && !declared.Form, mode == elicit.URL && !(declared.URL && d.URL):
		r.Report("mode_undeclared", "mode", elicit.Str("mode", spelled))
		return ""
	}
	return mode
}

func (d Dialect) readURL(r *reading, q *elicit.Request) {
	q.URL = r.Filled("url", 0)
	if d.Link {
		q.Link = r.link()
	}
}

// echo returns the _meta that an answer must have: the answer to a question of a task has the same mark (2025-11-25
// basic/utilities/tasks, Related Task).
func (d Dialect) echo(meta wire.Object) []byte {
	raw := meta.Get(metaRelatedTask)
	if !d.Tasks || wire.TypeOf(raw) != wire.Map {
		return nil
	}
	dst := append([]byte(`{"`), metaRelatedTask...)
	return append(append(append(dst, '"', ':'), raw...), '}')
}

// AppendCreate appends the parameters that put q to a client of this dialect. It writes the mode if the dialect names
// modes. It returns false if the dialect cannot express q: it lacks URL mode, or a URL lacks the link that the dialect
// requires.
//
// The members of _meta are not written: they are claims of a server, and another peer must not take them for the
// machine's.
func (d Dialect) AppendCreate(dst []byte, q *elicit.Request) ([]byte, bool) {
	switch {
	case q.Mode == elicit.Form && q.Schema != nil:
		dst = append(dst, '{')
		if d.Modes {
			dst = append(dst, `"mode":"form",`...)
		}
		dst = jsontext.AppendString(append(dst, `"message":`...), q.Message)
		dst = append(append(dst, `,"requestedSchema":`...), q.Schema...)
	case q.Mode == elicit.URL && d.URL && q.URL != "" && (q.Link != "" || !d.Link):
		dst = jsontext.AppendString(append(dst, `{"mode":"url","message":`...), q.Message)
		if d.Link {
			dst = jsontext.AppendString(append(dst, `,"elicitationId":`...), q.Link)
		}
		dst = jsontext.AppendString(append(dst, `,"url":`...), q.URL)
	default:
		return dst, false
	}
	return append(dst, '}'), true
}

package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Result is a result read for questions. The zero value is a complete result.
//
// Entries alias the result. With Asks, there is an entry or a state; see demandSomething.
type Result struct {
	Asks    bool    // the call is not finished: answer Entries, then make the call again
	Array   bool    // the result has the draft's array form, and so must the answer
	Entries []Entry // in document order; empty if only State came (an overloaded server: make the call again)
	State   []byte  // requestState as spelled, with quotes and escapes; nil if the result has none
}

// Entry is one question of a result, or something else the server wants from the client.
//
// Key is unique in one result, because the gate refuses repeated names.
type Entry struct {
	Key     string
	Method  string         // elicitation/create, or the method of a foreign entry
	Params  []byte         // as received; nil if absent
	Request elicit.Request // for a question; filled as by DecodeCreate
	Extra   Extra

	choices bool // array form: the answer's value is a chosen option
}

// Foreign reports whether the entry is not a question (sampling, roots). The host gets Method and Params unchanged and
// supplies the text of the answer.
func (e *Entry) Foreign() bool { return e.Method != MethodCreate }

// DecodeResult reads the result of a call of method. With "", it skips the rule that only some methods may ask. A
// result without resultType is complete. One with an unknown resultType is refused (2026-07-28 basic/patterns/mrtr).
// Problems mean that the server broke the protocol. The call then fails here, because a round has no way to tell the
// server.
//
// A dialect without rounds reads no result: it returns the zero value, and the result passes.
func (d Dialect) DecodeResult(method string, result []byte, declared Modes) (Result, []elicit.Problem) {
	if d.Carrier != wire.Rounds {
		return Result{}, nil
	}
	r := read(result, "")
	if r.Problems != nil {
		return Result{}, r.Problems
	}
	kind, named := r.Get("resultType"), false
	switch s, ok := wire.Text(kind); {
	case kind == nil:
	case !ok:
		r.WrongType("resultType", kind, "string")
	case s == "input_required":
		named = true
	case s == "complete":
		return Result{}, nil
	default:
		r.Report("unknown_result_type", "resultType", elicit.Str("type", wire.Shown(s)))
	}
	if r.Problems != nil {
		return Result{}, r.Problems
	}
	meta, array := arrayShape(r.Object, named)
	if !named && !array {
		return Result{}, nil
	}
	if method != "" && !d.MayAsk(method) {
		r.Report("input_not_allowed", "resultType", elicit.Str("method", wire.Shown(method)))
		return Result{}, r.Problems
	}
	if array {
		return readArray(&reading{wire.Reading{Object: meta, At: "/_meta"}}, declared)
	}
	return d.readMap(r, declared)
}

func (d Dialect) readMap(r *reading, declared Modes) (Result, []elicit.Problem) {
	out := Result{Asks: true}
	out.State = r.state()
	if raw := r.Get("inputRequests"); raw != nil {
		if wire.TypeOf(raw) != wire.Map {
			r.WrongType("inputRequests", raw, "object")
		} else {
			out.Entries = d.readEntries(r, raw, declared)
		}
	}
	r.demandSomething(out)
	if r.Problems != nil {
		return Result{}, r.Problems
	}
	return out, nil
}

// demandSomething refuses a result without questions and state, because repeating the call would change nothing. The
// official Go SDK writes an empty inputRequests beside a state to send only state.
func (r *reading) demandSomething(out Result) {
	if r.Problems == nil && len(out.Entries) == 0 && out.State == nil {
		r.Report("input_required_empty", "")
	}
}

// state reads requestState. The state is opaque: it is copied and never decoded, and "" is a valid state.
//
// The bytes go back as spelled: a server may compare them, and "\u0061" and "a" are one text but not the same bytes.
func (r *reading) state() []byte {
	raw := r.Get("requestState")
	switch {
	case raw == nil:
	case wire.TypeOf(raw) != wire.String:
		r.WrongType("requestState", raw, "string")
	case len(raw) > maxState:
		r.Report("text_too_large", "requestState", elicit.Num("limit", maxState), elicit.Num("length", len(raw)))
	}
	return raw
}

// readEntries reads the members of inputRequests. A wrong entry does not stop the reading, so the server's author reads
// all problems at once. There are at most maxEntries.
func (d Dialect) readEntries(r *reading, raw []byte, declared Modes) (entries []Entry) {
	o := read(raw, r.Pointer("inputRequests"))
	if n := len(o.Members); n > maxEntries {
		r.Report("too_many_entries", "inputRequests", elicit.Num("limit", maxEntries), elicit.Num("count", n))
		return nil
	}
	for _, m := range o.Members {
		switch {
		case m.Name == "":
			r.Report("input_key_empty", "inputRequests")
			continue
		case len(m.Name) > maxKey:
			r.Report("text_too_large", "inputRequests", elicit.Num("limit", maxKey), elicit.Num("length", len(m.Name)))
			continue
		}
		e, problems := d.readEntry(m.Name, o.Raw(m), o.Pointer(m.Name), declared)
		r.Problems = append(r.Problems, problems...)
		entries = append(entries, e)
	}
	return entries
}

// readEntry reads one entry: a question, or something foreign. A method that is not known could ask for anything, and
// no answer to it could be checked. The result is then refused.
func (d Dialect) readEntry(key string, raw []byte, at string, declared Modes) (Entry, []elicit.Problem) {
	r := read(raw, at)
	if r.Problems != nil {
		return Entry{}, r.Problems
	}
	e := Entry{Key: key, Method: r.Str("method"), Params: r.Get("params")}
	if r.Problems != nil {
		return e, r.Problems
	}
	switch e.Method {
	case MethodCreate:
		if e.Params == nil {
			r.Report("missing", "params")
			return e, r.Problems
		}
		var no *Refusal
		if e.Request, e.Extra, no = d.decodeCreate(e.Params, r.Pointer("params"), declared); no != nil {
			return e, no.Problems
		}
	case methodSampling, methodRoots:
		if e.Params != nil && wire.TypeOf(e.Params) != wire.Map {
			r.WrongType("params", e.Params, "object")
		}
	default:
		r.Report("unknown_input_method", "method", elicit.Str("method", wire.Shown(e.Method)))
	}
	return e, r.Problems
}

// indexed returns the pointer of element i of the array called name.
func (r *reading) indexed(name string, i int) string {
	return string(jsontext.AppendToken([]byte(r.Pointer(name)), strconv.Itoa(i)))
}

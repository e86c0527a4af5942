package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Result is a result read for questions. The zero value is a complete result.
type Result struct {
	Asks    bool    // the call is not finished: answer Entries, then make the call again
	Array   bool    // the result has the draft's array form, and so must the answer
	Entries []Entry // in document order; empty if only State came (an overloaded server: make the call again)
	State   []byte  // requestState as spelled, with quotes and escapes; nil if the result has none
}

// Entry is one question of a result, or something else the server wants from the client.
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
func (d Dialect) DecodeResult(method string, result []byte, declared Modes) (Result, []elicit.Problem) {
	if d.Carrier != wire.Rounds {
		return Result{}, nil
	}
	r := read(result, "")
	if r.problems != nil {
		return Result{}, r.problems
	}
	kind, named := r.Get("resultType"), false
	switch s, ok := wire.Text(kind); {
	case kind == nil:
	case !ok:
		r.reportType("resultType", kind, "string")
	case s == "input_required":
		named = true
	case s == "complete":
		return Result{}, nil
	default:
		r.report("unknown_result_type", "resultType", elicit.Str("type", shown(s)))
	}
	if r.problems != nil {
		return Result{}, r.problems
	}
	meta, array := arrayShape(r.Object, named)
	if !named && !array {
		return Result{}, nil
	}
	if method != "" && !d.MayAsk(method) {
		r.report("input_not_allowed", "resultType", elicit.Str("method", shown(method)))
		return Result{}, r.problems
	}
	if array {
		return readArray(&reading{Object: meta, at: "/_meta"}, declared)
	}
	return d.readMap(r, declared)
}

func (d Dialect) readMap(r *reading, declared Modes) (Result, []elicit.Problem) {
	out := Result{Asks: true}
	out.State = r.state()
	if raw := r.Get("inputRequests"); raw != nil {
		if wire.TypeOf(raw) != wire.Map {
			r.reportType("inputRequests", raw, "object")
		} else {
			out.Entries = d.readEntries(r, raw, declared)
		}
	}
	r.demandSomething(out)
	if r.problems != nil {
		return Result{}, r.problems
	}
	return out, nil
}

// demandSomething refuses a result without questions and state, because repeating the call would change nothing. The
// official Go SDK writes an empty inputRequests beside a state to send only state.
func (r *reading) demandSomething(out Result) {
	if r.problems == nil && len(out.Entries) == 0 && out.State == nil {
		r.report("input_required_empty", "")
	}
}

// state reads requestState. The state is opaque: it is copied and never decoded, and "" is a valid state.
func (r *reading) state() []byte {
	raw := r.Get("requestState")
	switch {
	case raw == nil:
	case wire.TypeOf(raw) != wire.String:
		r.reportType("requestState", raw, "string")
	case len(raw) > maxState:
		r.report("text_too_large", "requestState", elicit.Num("limit", maxState), elicit.Num("length", len(raw)))
	}
	return raw
}

func (d Dialect) readEntries(r *reading, raw []byte, declared Modes) (entries []Entry) {
	o := read(raw, r.pointer("inputRequests"))
	if n := len(o.Members); n > maxEntries {
		r.report("too_many_entries", "inputRequests", elicit.Num("limit", maxEntries), elicit.Num("count", n))
		return nil
	}
	for _, m := range o.Members {
		switch {
		case m.Name == "":
			r.report("input_key_empty", "inputRequests")
			continue
		case len(m.Name) > maxKey:
			r.report("text_too_large", "inputRequests", elicit.Num("limit", maxKey), elicit.Num("length", len(m.Name)))
			continue
		}
		e, problems := d.readEntry(m.Name, o.Raw(m), o.pointer(m.Name), declared)
		r.problems = append(r.problems, problems...)
		entries = append(entries, e)
	}
	return entries
}

func (d Dialect) readEntry(key string, raw []byte, at string, declared Modes) (Entry, []elicit.Problem) {
	r := read(raw, at)
	if r.problems != nil {
		return Entry{}, r.problems
	}
	e := Entry{Key: key, Method: r.text("method"), Params: r.Get("params")}
	if r.problems != nil {
		return e, r.problems
	}
	switch e.Method {
	case MethodCreate:
		if e.Params == nil {
			r.report("missing", "params")
			return e, r.problems
		}
		var no *Refusal
		if e.Request, e.Extra, no = d.decodeCreate(e.Params, r.pointer("params"), declared); no != nil {
			return e, no.Problems
		}
	case methodSampling, methodRoots:
		if e.Params != nil && wire.TypeOf(e.Params) != wire.Map {
			r.reportType("params", e.Params, "object")
		}
	default:
		r.report("unknown_input_method", "method", elicit.Str("method", shown(e.Method)))
	}
	return e, r.problems
}

// indexed returns the pointer of element i of the array called name.
func (r *reading) indexed(name string, i int) string {
	return string(jsontext.AppendToken([]byte(r.pointer(name)), strconv.Itoa(i)))
}

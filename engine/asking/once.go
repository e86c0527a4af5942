package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// MaxValues is the most bytes of all values that one call keeps. A client carries them in its state.
const MaxValues = 32 << 10

// Once asks for a value that the handler of a call computes once, such as a plan or a random id. A handler that runs
// again gets the value of its first run. Values and questions share their positions.
//
// Without a Value, the machine answers with the effect Value, which has the value if an earlier run kept one. With a
// Value, the machine keeps it, unless an earlier run did, and answers with the one that counts.
type Once struct {
	Call     string
	Position int
	Key      string // what the value is: another key at the same position is another value
	Value    []byte // JSON, nil to look only
}

// Value is the value at a position of a call. Without one, the host computes it and reports it in a Once.
type Value struct {
	Call     string
	Position int
	Value    []byte // canonical JSON, nil for none
	Replayed bool   // an earlier run or an earlier event kept it
}

// digest names a value by its key. No question has such a digest.
func (e Once) digest() digestOf {
	o := jsontext.With(nil, "once", e.Key)
	return digest.Sum256(o.End())
}

// once gives or keeps a value.
func (m *Machine) once(ev Once) {
	c := m.calls.waiting(ev.Call)
	if c == nil {
		m.out.problem("unknown_call", "")
		return
	}
	if ev.Position < 0 || ev.Position >= MaxPositions {
		m.out.problem("too_many_questions", "", elicit.Num("limit", MaxPositions))
		return
	}
	d := ev.digest()
	if a := c.at(ev.Position); a != nil && a.digest == d {
		m.out.emit(Value{Call: c.id, Position: ev.Position, Value: a.value, Replayed: true})
		return
	}
	// Another key at the same position: the handler does something else than in its first run.
	m.cut(c, ev.Position)
	if ev.Value == nil {
		m.out.emit(Value{Call: c.id, Position: ev.Position})
		return
	}
	if f := jsontext.Check(ev.Value, jsontext.DocumentLimits()); f != nil {
		p := elicit.FromFault(f)
		m.out.problem(p.Code, "", p.Args...)
		return
	}
	a := answer{position: ev.Position, digest: d, value: jsontext.AppendValue(nil, ev.Value)}
	// The client may have to carry all values in its state, so what counts is their sum.
	size := len(a.value)
	for _, other := range c.answers {
		size += len(other.value)
	}
	if size > MaxValues {
		m.out.problem("values_too_large", "", elicit.Num("limit", MaxValues))
		return
	}
	c.answers = append(c.answers, a)
	m.out.emit(Value{Call: c.id, Position: ev.Position, Value: a.value})
}

// cut forgets what belonged to another run of a handler: the answers from a position on, and the question that is open
// there.
//
// A handler that takes another branch must not get answers to questions of the first branch.
func (m *Machine) cut(c *call, position int) {
	c.answers = slices.DeleteFunc(c.answers, func(a answer) bool { return a.position >= position })
	if q := m.questions.open(c.id, position); q != nil {
		q.silent = true
		m.withdraw(q, elicit.ByCallEnded)
	}
}

// Value returns the value that a call keeps at a position under a key, or nil.
func (m *Machine) Value(call string, position int, key string) []byte {
	if c := m.calls.byID.At(call); c != nil {
		if a := c.at(position); a != nil && a.digest == (Once{Key: key}).digest() {
			return a.value
		}
	}
	return nil
}

func readOnce(r *strict.Reader) Once {
	return Once{Call: takeLabel(r, "call"), Position: r.Count("position"), Key: takeLabel(r, "key"),
		Value: r.Raw("value")}
}

// AppendJSON appends {"event":"once","call","position"?,"key"?,"value"?}.
func (e Once) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "once", "call", e.Call)
	o.OptInt("position", int64(e.Position))
	o.OptStr("key", e.Key)
	o.OptRaw("value", e.Value)
	return o.End()
}

// AppendJSON appends {"effect":"value","call","position","value"?,"replayed"?}.
func (e Value) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "value", "call", e.Call)
	o.Int("position", int64(e.Position))
	o.OptRaw("value", e.Value)
	o.OptTrue("replayed", e.Replayed)
	return o.End()
}

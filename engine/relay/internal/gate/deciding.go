package gate

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readDeciding reads the places that somebody acts on again, strictly.
//
// It runs after the envelope was read. Only one of params, error and result can be there. Of a result, it reads the
// members that may ask or continue, and leaves the rest alone.
func (g *Gate) readDeciding(m *Message) *elicit.Problem {
	switch {
	// A repeated key anywhere in params is refused. A server acts on all of params, in ways that the machine cannot know.
	case m.Params != nil:
		return g.readParams(m)
	case m.Failure != nil:
		return g.Distinct(m.Failure, "/error")
	}
	for _, part := range [...]struct {
		text    []byte
		pointer string
	}{
		// They are strings or small objects of the server. Distinct passes nil, for a member that is not there.
		{m.ResultType, "/result/resultType"}, {m.InputRequests, "/result/inputRequests"},
		{m.requestState, "/result/requestState"},
	} {
		if problem := g.Distinct(part.text, part.pointer); problem != nil {
			return problem
		}
	}
	if problem := g.ReadEntries(m.InputRequests); problem != nil {
		return problem
	}
	return g.readMeta(m, "/result/_meta")
}

// ReadEntries reads the questions of a result. Each entry is a request without an envelope, and its keys decide like
// those of a request.
//
// An entry such as {"method":"elicitation/create","params":{"message":"a","Message":"b"}} shows a person one text, and
// a lax client the other one. Anything that is not an object is left to the decoder, which refuses it.
func (g *Gate) ReadEntries(list []byte) *elicit.Problem {
	o, _ := wire.ReadObject(list)
	for _, m := range o.Members {
		entry, ok := wire.ReadObject(o.Raw(m))
		if !ok {
			continue
		}
		at := "/result/inputRequests" + string(jsontext.AppendToken(nil, Clipped(m.Name)))
		if problem := Spelled(entry, envelopeKeys, at); problem != nil {
			return problem
		}
		params, _ := entry.Child("params")
		if problem := Spelled(params, g.words.Entry, at+"/params"); problem != nil {
			return problem
		}
	}
	return nil
}

// Spelled refuses an object with a key that looks like a known one.
//
// It allocates for each key, so it is for the few messages that ask. at is the pointer of the object, for the problem.
func Spelled(o wire.Object, known []string, at string) *elicit.Problem {
	for _, m := range o.Members {
		if problem := misread(jsontext.Text{Raw: []byte(m.Name)}, known); problem != nil {
			problem.Pointer = at
			return problem
		}
	}
	return nil
}

// readParams reads the params of a call. None of their keys may repeat, at any depth, and none may look like a known
// one.
//
// One pass over the params does both: the scanner finds repeated keys at any depth, and place looks at the outermost
// ones.
func (g *Gate) readParams(m *Message) *elicit.Problem {
	s, seen := &g.scanner, uint(0)
	s.Reset(m.Params, StrictLimits)
	known := g.words.Params[m.Method]
	for s.Enter(); s.More(); {
		key := s.Key()
		text := s.Skip()
		if s.Fault() != nil {
			break
		}
		which, problem := place(key, known, &seen)
		if problem != nil {
			problem.Pointer = "/params" + problem.Pointer
			return problem
		}
		if which >= 0 {
			m.param(known[which], text)
		}
	}
	if !s.End() {
		return located(s.Fault(), "/params")
	}
	return g.readMeta(m, "/params/_meta")
}

// param records a member of the params that the machine acts on.
//
// A member with null counts as there, except for State: a client without a state may write null or an empty text.
func (m *Message) param(name string, text []byte) {
	switch name {
	case "_meta":
		m.Meta = text
	case "inputRequests":
		m.Asks = true
	case "inputResponses", "requestState":
		m.Responses = true
		m.State = m.State || name == "requestState" && string(text) != "null" && string(text) != `""`
	case "name":
		m.Tool = text
	case "progressToken":
		m.ProgressToken = text
	case "progress":
		m.Progress = text
	case "total":
		m.Total = text
	}
}

// readMeta reads a _meta object, whose keys must be spelled exactly.
//
// The first key of the vocabulary's Meta is the token. Of the others, the name says what a request declares or answers.
func (g *Gate) readMeta(m *Message, pointer string) *elicit.Problem {
	if m.Meta == nil {
		return nil
	}
	s, seen, metaKeys := &g.scanner, uint(0), g.words.Meta
	s.Reset(m.Meta, StrictLimits)
	// A _meta that is a list has no members, but it may hold an object with a repeated key.
	if s.Peek() != jsontext.KindObject {
		return g.Distinct(m.Meta, pointer)
	}
	for s.Enter(); s.More(); {
		key := s.Key()
		text := s.Skip()
		if s.Fault() != nil {
			break
		}
		which, problem := place(key, metaKeys, &seen)
		switch {
		case problem != nil:
			problem.Pointer = pointer + problem.Pointer
			return problem
		case which < 0:
		case which == 0:
			if wire.ValidID(text) { // a token is a string or an integer, like an id
				m.Token = text
			}
		case metaKeys[which] == MetaVersion || metaKeys[which] == MetaCapabilities:
			m.Declares = true
		case metaKeys[which] != "inputRequests":
			m.Responses = true // in the form of the drafts
		}
	}
	if !s.End() {
		return located(s.Fault(), pointer)
	}
	return nil
}

// Distinct refuses a value with a repeated key.
func Distinct(text []byte, pointer string) *elicit.Problem { return new(Gate).Distinct(text, pointer) }

// Distinct refuses a value with a repeated key. It reuses the memory of the gate.
func (g *Gate) Distinct(text []byte, pointer string) *elicit.Problem {
	if text == nil {
		return nil
	}
	g.scanner.Reset(text, StrictLimits)
	g.scanner.Skip()
	if !g.scanner.End() {
		return located(g.scanner.Fault(), pointer)
	}
	return nil
}

func located(f *jsontext.Fault, pointer string) *elicit.Problem {
	p := elicit.FromFault(f)
	p.Pointer, p.Start, p.End = pointer+p.Pointer, 0, 0 // the span counts from inside the message
	return &p
}

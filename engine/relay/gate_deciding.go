package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readDeciding reads the places that somebody acts on again, strictly.
func (g *gate) readDeciding(m *message) *elicit.Problem {
	switch {
	case m.params != nil:
		return g.readParams(m)
	case m.failure != nil:
		return g.distinct(m.failure, "/error")
	}
	for _, part := range [...]struct {
		text    []byte
		pointer string
	}{
		{m.resultType, "/result/resultType"}, {m.inputRequests, "/result/inputRequests"},
		{m.requestState, "/result/requestState"},
	} {
		if problem := g.distinct(part.text, part.pointer); problem != nil {
			return problem
		}
	}
	if problem := g.readEntries(m.inputRequests); problem != nil {
		return problem
	}
	return g.readMeta(m, "/result/_meta")
}

// readEntries reads the questions of a result. Each entry is a request without an envelope, and its keys decide like
// those of a request.
func (g *gate) readEntries(list []byte) *elicit.Problem {
	o, ok := wire.ReadObject(list)
	if list == nil || !ok {
		return nil
	}
	for _, m := range o.Members {
		entry, ok := wire.ReadObject(o.Raw(m))
		if !ok {
			continue
		}
		at := "/result/inputRequests" + string(jsontext.AppendToken(nil, clipped(m.Name)))
		if problem := spelled(entry, envelopeKeys, at); problem != nil {
			return problem
		}
		params, ok := entry.Child("params")
		if problem := spelled(params, g.words.params[methodCreate], at+"/params"); ok && problem != nil {
			return problem
		}
	}
	return nil
}

// spelled refuses an object with a key that looks like a known one.
func spelled(o wire.Object, known []string, at string) *elicit.Problem {
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
func (g *gate) readParams(m *message) *elicit.Problem {
	s, seen := &g.scanner, uint(0)
	s.Reset(m.params, strictLimits)
	known := g.words.params[m.method]
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
func (m *message) param(name string, text []byte) {
	switch name {
	case "_meta":
		m.meta = text
	case "inputRequests":
		m.asks = true
	case "inputResponses", "requestState":
		m.responses = true
		m.state = m.state || name == "requestState" && string(text) != "null" && string(text) != `""`
	case "name":
		m.tool = text
	case "progressToken":
		m.progressToken = text
	case "progress":
		m.progress = text
	case "total":
		m.total = text
	}
}

// readMeta reads a _meta object, whose keys must be spelled exactly.
func (g *gate) readMeta(m *message, pointer string) *elicit.Problem {
	if m.meta == nil {
		return nil
	}
	s, seen, metaKeys := &g.scanner, uint(0), g.words.meta
	s.Reset(m.meta, strictLimits)
	if s.Peek() != jsontext.KindObject {
		return g.distinct(m.meta, pointer)
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
		case which == 0 && wire.ValidID(text): // a token is a string or an integer, like an id
			m.token = text
		case which > 0 && (metaKeys[which] == metaVersion || metaKeys[which] == metaCapabilities):
			m.declares = true
		case which > 0 && metaKeys[which] != "inputRequests":
			m.responses = true // in the form of the drafts
		}
	}
	if !s.End() {
		return located(s.Fault(), pointer)
	}
	return nil
}

// distinct refuses a value with a repeated key.
func (g *gate) distinct(text []byte, pointer string) *elicit.Problem {
	if text == nil {
		return nil
	}
	g.scanner.Reset(text, strictLimits)
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

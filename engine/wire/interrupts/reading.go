package interrupts

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// decoding collects the questions and the problems of one document.
//
// The first problems stay, at most maxProblems. Decode returns no Run if there is any.
type decoding struct {
	*Run
	problems []elicit.Problem
	seen     map[string]bool // keys of the questions
}

// place is an object of the document with its pointer. Its offsets count from the start of the document.
//
// The zero value has no members, so a reader can go on after a problem with a child.
type place struct {
	wire.Object
	at string
}

// get returns the raw value of a member. A member that is null counts as absent.
func (p *place) get(name string) []byte { return wire.Given(p.Get(name)) }

func (p *place) pointer(name string) string { return string(jsontext.AppendToken([]byte(p.at), name)) }

// report adds a problem at a pointer. Problems over the bound are not kept, since a hostile document must not cause an
// answer larger than itself.
func (d *decoding) report(code, pointer string, args ...elicit.Arg) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, elicit.Problem{Code: code, Pointer: pointer, Args: args})
	}
}

// unknown reports a shape that this package does not know.
func (d *decoding) unknown(pointer string) {
	d.report("unknown_interrupt", pointer, elicit.Str("framework", string(d.spelling.name)))
}

// root reads the document as an object.
func (d *decoding) root() (*place, bool) { return d.object(0, len(d.doc), "") }

// object reads the object at an offset of the document.
func (d *decoding) object(start, end int, at string) (*place, bool) {
	o, ok := wire.ReadObjectAt(d.doc, start, end)
	if !ok {
		d.report("wrong_type", at, elicit.Str("expected", "object"))
	}
	return &place{o, at}, ok
}

// child reads an object that must be there.
func (d *decoding) child(p *place, name string) (*place, bool) {
	if p.get(name) == nil {
		d.report("missing", p.pointer(name))
		return &place{}, false
	}
	m, _ := p.Find(name)
	return d.object(m.Value, m.End, p.pointer(name))
}

// objects reads a list of at most limit objects that must be there.
func (d *decoding) objects(p *place, name string, limit int) []*place {
	raw := p.get(name)
	if raw == nil {
		d.report("missing", p.pointer(name))
		return nil
	}
	m, _ := p.Find(name)
	return d.elements(m.Value, m.End, p.pointer(name), limit)
}

// some reads a list of objects that must be there and must not be empty. A list with another problem has only that.
func (d *decoding) some(p *place, name string) []*place {
	before := len(d.problems)
	list := d.objects(p, name, maxQuestions)
	if len(list) == 0 && len(d.problems) == before {
		d.report("empty_value", p.pointer(name))
	}
	return list
}

func (d *decoding) elements(start, end int, at string, limit int) (list []*place) {
	raw := d.doc[start:end]
	if wire.TypeOf(raw) != wire.Array {
		d.report("wrong_type", at, elicit.Str("expected", "array"))
		return nil
	}
	// The pointer of an element is made here, because a problem inside of it must name its place.
	s, _, _ := jsontext.SpansOf(raw)
	for i := 0; s.More(); i++ {
		from, to := s.Value()
		if i == limit {
			d.report("too_many_entries", at, elicit.Num("limit", limit))
			return nil
		}
		if one, ok := d.object(start+from, start+to, at+"/"+strconv.Itoa(i)); ok {
			list = append(list, one)
		}
	}
	return list
}

// text reads a string that must be there. It may be empty.
func (d *decoding) text(p *place, name string) string {
	raw := p.get(name)
	s, ok := wire.Text(raw)
	switch {
	case raw == nil:
		d.report("missing", p.pointer(name))
	case !ok:
		d.report("wrong_type", p.pointer(name), elicit.Str("expected", "string"))
	}
	return s
}

// optional reads a string that may be left out, "" then.
func (d *decoding) optional(p *place, name string) string {
	if p.get(name) == nil {
		return ""
	}
	return d.text(p, name)
}

// flag reads a boolean that may be left out, false then.
func (d *decoding) flag(p *place, name string) bool {
	raw := p.get(name)
	if raw != nil && wire.TypeOf(raw) != wire.Boolean {
		d.report("wrong_type", p.pointer(name), elicit.Str("expected", "boolean"))
	}
	return wire.True(raw)
}

// id reads a string that names something: it is neither empty nor longer than maxID.
//
// raw is the text as spelled, for the answer: ids go back byte for byte.
func (d *decoding) id(p *place, name string) (id string, raw []byte) {
	raw = p.get(name)
	id = d.text(p, name)
	switch {
	case raw == nil:
	case wire.TypeOf(raw) == wire.String && id == "":
		d.report("empty_value", p.pointer(name))
	case len(id) > maxID:
		d.report("text_too_large", p.pointer(name), elicit.Num("limit", maxID), elicit.Num("length", len(id)))
	}
	return id, raw
}

// mapping reads an object as raw text that may be left out.
func (d *decoding) mapping(p *place, name string) []byte {
	raw := p.get(name)
	if raw != nil && wire.TypeOf(raw) != wire.Map {
		d.report("wrong_type", p.pointer(name), elicit.Str("expected", "object"))
		return nil
	}
	return raw
}

// arguments reads the arguments of a call: an object, or the JSON text of one. Text that is no such object is refused,
// because a person would approve something that the tool reads differently. Models send empty text for a call without
// arguments.
//
// The result of a text is a copy, and no span of the document.
func (d *decoding) arguments(p *place, name string) []byte {
	raw := p.get(name)
	if s, isText := wire.Text(raw); isText {
		raw = []byte(s)
		if strings.TrimSpace(s) == "" {
			return []byte("{}")
		}
		// A list is never a map, so the next test reports it.
		if jsontext.Check(raw, limits) != nil {
			raw = []byte("[]")
		}
	}
	if wire.TypeOf(raw) != wire.Map {
		d.report("interrupt_arguments", p.pointer(name))
		return nil
	}
	return raw
}

// add keeps a question. Two questions under one key are refused: an answer could reach the wrong one.
//
// A document that has too many questions is refused, and the list stays bounded.
func (d *decoding) add(q *Question, pointer string) {
	switch {
	case len(d.Questions) >= maxQuestions:
		if len(d.Questions) == maxQuestions {
			d.report("too_many_entries", pointer, elicit.Num("limit", maxQuestions))
		}
	case d.seen[q.Key]:
		d.report("repeated_value", pointer, elicit.Str("value", shown(q.Key)))
		return
	}
	d.seen[q.Key] = true
	if len(d.Questions) <= maxQuestions {
		q.Request.Mode = elicit.Form
		d.Questions = append(d.Questions, *q)
	}
}

// shown returns what a problem may quote of the framework's own text.
func shown(s string) string {
	if short := wire.Clip(s, maxShown); short != s {
		return short + "…"
	}
	return s
}

package acp

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Kind is what an option of a permission does.
type Kind string

// These are the kinds. An option of any other kind approves nothing.
const (
	AllowOnce    Kind = "allow_once"
	AllowAlways  Kind = "allow_always"
	RejectOnce   Kind = "reject_once"
	RejectAlways Kind = "reject_always"
)

// Allows reports whether the option approves.
func (k Kind) Allows() bool { return k == AllowOnce || k == AllowAlways }

// Rejects reports whether the option refuses.
func (k Kind) Rejects() bool { return k == RejectOnce || k == RejectAlways }

// Option is one of the answers that an agent offers.
//
// raw is the option as the agent wrote it, for AppendParams.
type Option struct {
	ID, Name string
	Kind     Kind
	raw      []byte
}

// Permission is what an agent asks before it uses a tool.
//
// Options is in the agent's order, so the first of a kind is the agent's first choice.
type Permission struct {
	Session string         // the sessionId
	Request elicit.Request // the members that the wire knows; the caller sets the identity
	Options []Option       // of the four kinds
	Unknown int            // options of other kinds
	Choice  bool           // a person must choose an option; see DecodePermission
	Subject string         // the kind of thing that it is about, if that kind is not known

	patches bool           // of the dialect
	asked   wire.Questions // the questions of an agent that asks its person
}

// FieldOption is the name of the field in the form of a permission for which a person must choose an option.
const FieldOption = "option"

// DecodePermission reads the params of session/request_permission. The permission becomes a tool approval: a form
// without fields, whose acceptance means the one option of kind allow_once. The tool is the name of the tool call, or
// else its kind. known returns what was announced about a tool call, or nil.
//
// A person must choose an option if the agent offers no option or several options of kind allow_once, or if the message
// does not have everything that would be approved. Then the form has one required field, so that no policy can accept
// it alone.
func (d Dialect) DecodePermission(
	params []byte, known func(session, toolCall string) *Announced,
) (p Permission, no *wire.Refusal) {
	r := wire.Read(params, "")
	p.patches = d.patches
	p.Session = r.Filled("sessionId", maxSession)
	var text wire.Parts
	if d.subjects {
		p.readSubject(&text, &r, known)
		p.readOptions(&r)
	} else {
		call := r.Map("toolCall")
		p.readOptions(&r)
		p.readCall(&text, &r, call, "/toolCall", known)
	}
	if r.Problems != nil {
		return Permission{}, &wire.Refusal{Code: wire.InvalidParams, Problems: r.Problems}
	}
	// Several options of kind allow_once differ in something that only a person can read.
	p.Choice = p.Choice || text.Cut || p.count(AllowOnce) != 1
	q := &p.Request
	text.Set(q)
	q.Mode, q.Claim, q.Persistable = elicit.Form, elicit.ClaimApproval, p.count(AllowAlways) > 0
	q.Schema = []byte(`{"type":"object","properties":{}}`)
	switch {
	case p.Asks():
		p.Choice, q.Persistable = false, false
		q.Claim, q.Schema = elicit.ClaimNone, p.asked.AppendSchema(nil)
	case p.Choice:
		q.Claim, q.Schema = elicit.ClaimNone, p.appendChoice(nil)
	}
	return p, nil
}

// readCall reads the tool call that a permission is about.
func (p *Permission) readCall(
	text *wire.Parts, r *wire.Reading, call []byte, at string, known func(session, toolCall string) *Announced,
) {
	if call == nil {
		return
	}
	tool := wire.Read(call, at)
	id := tool.Filled("toolCallId", maxSession)
	asks := p.readQuestions(text, &tool)
	if r.Problems = append(r.Problems, tool.Problems...); asks {
		p.Request.Does, p.Request.CandidatesCut = elicit.DeedNone, false
		return
	}
	p.describe(text, &tool, known(p.Session, id))
}

// readOptions reads the options of all four kinds and counts the others. A permission that no option allows is refused:
// a person could only say no, and would not see that.
func (p *Permission) readOptions(r *wire.Reading) {
	raw := r.Get("options")
	if wire.TypeOf(raw) != wire.Array {
		r.WrongType("options", raw, "array")
		return
	}
	list, count := wire.Elements(raw, maxOptions)
	if count > maxOptions {
		r.Report("too_many_options", "options", elicit.Num("limit", maxOptions))
		return
	}
	seen := map[string]bool{}
	for i, one := range list {
		at := "/options/" + strconv.Itoa(i)
		o := wire.Read(one, at)
		option := Option{ID: o.Filled("optionId", maxOptionID), Name: o.Str("name"), Kind: Kind(o.Str("kind")), raw: one}
		if len(option.Name) > maxName {
			o.Report("text_too_large", "name", elicit.Num("limit", maxName), elicit.Num("length", len(option.Name)))
		}
		if seen[option.ID] && o.Problems == nil { // the answer names an option by its id alone
			o.Report("repeated_value", "optionId", elicit.Str("value", wire.Shown(option.ID)))
		}
		seen[option.ID] = true
		switch {
		case o.Problems != nil:
			r.Problems = append(r.Problems, o.Problems...)
		case option.Kind.Allows() || option.Kind.Rejects():
			p.Options = append(p.Options, option)
		default:
			p.Unknown++
		}
	}
	if r.Problems == nil && p.count(AllowOnce)+p.count(AllowAlways) == 0 {
		r.Report("no_option_allows", "options")
	}
}

func (p *Permission) count(k Kind) (n int) {
	for _, o := range p.Options {
		if o.Kind == k {
			n++
		}
	}
	return n
}

// appendChoice appends the schema of the form in which a person chooses what to allow.
func (p *Permission) appendChoice(dst []byte) []byte {
	dst = append(dst, `{"type":"object","properties":{"`+FieldOption+`":{"type":"string","title":"Allow","oneOf":[`...)
	for _, o := range p.Options {
		if !p.offers(o) {
			continue
		}
		dst = jsontext.Whole(jsontext.Comma(dst), "const", o.ID, "title", o.label())
	}
	return append(dst, `]}},"required":["`+FieldOption+`"]}`...)
}

// label returns the text for people. Agents may leave names empty.
func (o *Option) label() string { return cmp.Or(o.Name, o.ID) }

// AppendParams appends params with the known options only: a client may take an option of another kind for an approval.
//
// params are otherwise unchanged, so that the editor draws what it would draw without the machine.
func (p *Permission) AppendParams(dst, params []byte) []byte {
	o, _ := wire.ReadObject(params)
	m, ok := o.Find("options")
	if !ok || p.Unknown == 0 {
		return append(dst, params...)
	}
	list := jsontext.AppendEach(nil, len(p.Options), func(dst []byte, i int) []byte {
		return append(dst, p.Options[i].raw...)
	})
	return wire.Apply(dst, params, []wire.Edit{{Start: m.Value, End: m.End, With: list}})
}

// Find returns the option with an id.
func (p *Permission) Find(id string) (Option, bool) {
	i := slices.IndexFunc(p.Options, func(o Option) bool { return o.ID == id })
	if i < 0 {
		return Option{}, false
	}
	return p.Options[i], true
}

// Accepting returns the option that stands for an acceptance with content: the one that the content names, or else the
// option of kind allow_once. It returns false if there is none.
func (p *Permission) Accepting(content []byte) (Option, bool) {
	if p.Choice {
		o, _ := wire.ReadObject(content)
		id, _ := wire.Text(o.Get(FieldOption))
		option, ok := p.Find(id)
		return option, ok && p.offers(option)
	}
	return p.first(AllowOnce)
}

// offers reports whether a person may choose an option in the form: one of kind allow_once, or one of kind allow_always
// if there is no other. A person who must look at each case cannot approve later cases too.
func (p *Permission) offers(o Option) bool {
	return o.Kind == AllowOnce || o.Kind == AllowAlways && p.count(AllowOnce) == 0
}

// Lowered returns the option that a person may choose in place of the one that the client selected: the same one, or
// the only one of kind allow_once. It returns false if there is none.
//
// Example: a person must choose, and clicks "always" in the editor. Only the option that holds once may go to the
// agent.
func (p *Permission) Lowered(o Option) (Option, bool) {
	if p.offers(o) || p.count(AllowOnce) != 1 {
		return o, p.offers(o)
	}
	return p.first(AllowOnce)
}

// Declining returns the option that stands for a refusal: the first of kind reject_once. It returns false if there is
// none.
func (p *Permission) Declining() (Option, bool) { return p.first(RejectOnce) }

func (p *Permission) first(k Kind) (Option, bool) {
	for _, o := range p.Options {
		if o.Kind == k {
			return o, true
		}
	}
	return Option{}, false
}

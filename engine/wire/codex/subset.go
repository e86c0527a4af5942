package codex

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// FieldAllow is the name of the field in which a person chooses among the permissions that Codex asks for.
const FieldAllow = "allow"

// These bound the field, far below the limits of the engine. With more, a person takes or refuses all of them.
const (
	maxChoices = 64
	maxSubset  = 16 << 10
)

// OfferSubset lets a person choose among the permissions: the form gets a field with all of them chosen. It is for the
// host's own interface, because a client of Codex has one for that already. It does nothing for another question, and
// if there is only one permission.
//
// The values of the field are the lines that people read. Two permissions with one line are one choice, and stand or
// fall together. A fixed one is no choice: it narrows what the others open.
func (q *Question) OfferSubset() {
	var lines []string
	bytes := 0
	for _, p := range q.permissions {
		if !p.fixed && !slices.Contains(lines, p.line) {
			lines, bytes = append(lines, p.line), bytes+len(p.line)
		}
	}
	if len(lines) < 2 || len(lines) > maxChoices || bytes > maxSubset || q.cut {
		return
	}
	q.subset = true
	list := jsontext.AppendStrings(nil, lines)
	field := []byte(`"` + FieldAllow + `":{"type":"array","title":"Permissions","items":{"type":"string","enum":`)
	field = append(field, list...)
	field = append(append(append(field, `},"default":`...), list...), '}')
	schema, _ := wire.ReadObject(q.Request.Schema)
	properties, _ := schema.Child("properties")
	q.Request.Schema = wire.Apply(nil, q.Request.Schema, properties.Exchange(nil, field))
}

// appendChosen appends the permissions that the content of the form names. A choice that was not offered, a repeated
// one and none at all grant nothing.
//
// If all are chosen, the answer is the plain one, byte for byte as Codex asked. Otherwise the built profile is checked
// by covers before it leaves.
func (q *Question) appendChosen(dst, content []byte) []byte {
	o, _ := wire.ReadObject(content)
	list, count := wire.Elements(o.Get(FieldAllow), maxChoices)
	var lines []string
	for _, one := range list {
		line, _ := wire.Text(one)
		if slices.Contains(lines, line) || !q.offersLine(line) {
			return append(dst, "{}"...)
		}
		lines = append(lines, line)
	}
	if count != len(lines) || count == 0 {
		return append(dst, "{}"...)
	}
	chosen := func(p permission) bool { return slices.Contains(lines, p.line) }
	if !slices.ContainsFunc(q.permissions, func(p permission) bool { return !p.fixed && !chosen(p) }) {
		return q.appendAsked(dst)
	}
	granted := q.profileOf(chosen)
	if profile, ok := wire.ReadObject(granted); !ok || !q.covers(profile) {
		return append(dst, "{}"...)
	}
	return append(dst, granted...)
}

// offersLine reports whether a line is a choice.
func (q *Question) offersLine(line string) bool {
	return slices.ContainsFunc(q.permissions, func(p permission) bool { return !p.fixed && p.line == line })
}

// profileOf writes the permissions for which chosen is true, with what narrows them.
//
// q.permissions is in the order of the wire, so the parts of one member stand together. fileSystem is left out if only
// parts that narrow are left in it.
func (q *Question) profileOf(chosen func(permission) bool) []byte {
	profile, files := jsontext.Begin(nil), jsontext.Begin(nil)
	opens := false // a place
	for list := q.permissions; len(list) > 0; {
		p, items := list[0], []byte(nil)
		for ; len(list) > 0 && list[0].file == p.file && list[0].member == p.member; list = list[1:] {
			one := list[0]
			if !one.fixed && !chosen(one) {
				continue
			}
			opens = opens || one.file && !one.fixed
			if items != nil {
				items = append(items, ',')
			}
			items = append(items, one.raw...)
		}
		switch {
		case items == nil:
		case !p.file:
			profile.Raw(p.member, items)
		case p.whole:
			files.Raw(p.member, items)
		default:
			files.Raw(p.member, append(append([]byte{'['}, items...), ']'))
		}
	}
	if opens {
		profile.Raw("fileSystem", files.End())
	}
	return profile.End()
}

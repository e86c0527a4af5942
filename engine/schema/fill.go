package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Fill appends the canonical answer to dst: the fields in form order, each with the given value or else its
// default. Defaults such as false, 0 and "" count. Fill drops unknown members and repeated choices. A whole
// number has no point and no exponent, since many programs read such a text as a fraction. Other numbers keep
// their spelling. A choice of numbers is spelled as in the schema. Fill checks nothing: it appends content that
// is not a JSON object unchanged, and Check reports the problem. Content nil means {}. For a form with the
// integer n and the list tags, both optional and tags with the default ["a"]:
//
//	{"x":1,"n":5.0}                 {"n":5,"tags":["a"]}
//	{"tags":["b","b"],"n":null}     {"n":null,"tags":["b"]}
//
// dst may not overlap content. The result depends on the form and the content alone, so a replay of a journal
// writes the same bytes.
func (f *Form) Fill(dst, content []byte) []byte {
	if content == nil {
		content = []byte("{}")
	}
	// given[i] is the raw value of field i, or nil. It aliases content.
	var few [16][]byte
	given := few[:]
	if len(f.Fields) > len(few) {
		given = make([][]byte, len(f.Fields))
	}
	if !f.collect(given, content) {
		return append(dst, content...)
	}
	dst = append(dst, '{')
	for i := range f.Fields {
		field := &f.Fields[i]
		value := given[i]
		if value == nil {
			value = field.Initial
		}
		if value == nil {
			continue
		}
		dst = append(jsontext.AppendString(jsontext.Comma(dst), field.Name), ':')
		dst = field.appendValue(dst, value)
	}
	return append(dst, '}')
}

// collect finds the raw value of every field. It returns false when content is no JSON object, or has a fault
// such as a repeated key. given may then hold some values, which must not be used.
func (f *Form) collect(given [][]byte, content []byte) bool {
	var s jsontext.Scanner
	var scratch [128]byte
	s.Reset(content, jsontext.Limits{Depth: f.maxDepth})
	if s.Peek() != jsontext.KindObject {
		return false
	}
	next := 0
	for s.Enter(); s.More(); {
		i := f.find(s.Key(), next, scratch[:0])
		if raw := s.Skip(); i >= 0 && raw != nil {
			given[i], next = raw, i+1
		}
	}
	return s.End()
}

// appendValue appends the canonical spelling of one value. A value of the wrong type passes unchanged but for
// its white space and escapes, since Check reports it.
func (f *Field) appendValue(dst, raw []byte) []byte {
	if f.Kind == ManyChoices && raw[0] == '[' {
		return f.appendDistinct(dst, raw)
	}
	if f.Numeric && kindOf(raw) == jsontext.KindNumber {
		if i := f.numberChoice(jsontext.Number{Raw: raw}); i >= 0 {
			return f.appendChoice(dst, i)
		}
	}
	if f.Kind == Integer && kindOf(raw) == jsontext.KindNumber {
		return appendWhole(dst, raw)
	}
	return jsontext.AppendValue(dst, raw)
}

// appendDistinct writes an array without repeated choices. The grammar allows a repetition, but no one means
// it. A member that is no choice stays, so that Check reports it. raw must be an array. The first of two equal
// choices stays, so the person's order is kept.
func (f *Field) appendDistinct(dst, raw []byte) []byte {
	var scratch [128]byte
	var seen [hardChoices/64 + 1]uint64
	var s jsontext.Scanner
	s.Reset(raw, jsontext.Limits{})
	dst = append(dst, '[')
	for s.Enter(); s.More(); {
		if s.Peek() == jsontext.KindString {
			t := s.Text()
			value := t.Raw
			if t.Escaped {
				value = t.AppendTo(scratch[:0])
			}
			i := f.choice(value)
			if i >= 0 && seen[i>>6]&(1<<(i&63)) != 0 {
				continue
			}
			if i >= 0 {
				seen[i>>6] |= 1 << (i & 63)
			}
			dst = jsontext.AppendString(jsontext.Comma(dst), value)
			continue
		}
		dst = jsontext.AppendValue(jsontext.Comma(dst), s.Skip())
	}
	return append(dst, ']')
}

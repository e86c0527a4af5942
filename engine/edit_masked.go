package engine

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
)

// maskedArguments are edited arguments without the secrets that the person typed into them.
type maskedArguments struct {
	kept     []byte          // canonical; each secret is a mask
	withheld []withheldValue // for each value with a mask
	found    []elicit.Finding
	inName   bool // a member's name holds a secret, so nothing can be kept
}

// masking walks through edited arguments. A value that the call had before is not inspected: the record of the question
// has it already.
type masking struct {
	maskedArguments
	recorded []withheldValue // from a journal, where the masks are in place
	// By pointer: the texts and numbers of the call as it was asked. Bounded by the limit arguments.
	was  map[string]string
	scan jsontext.Scanner
}

// maskArguments inspects canonical arguments. was are those of the call before it was edited; recorded is what a
// journal tells of the masks in them.
func maskArguments(was, edited []byte, recorded []withheldValue) maskedArguments {
	m := masking{recorded: recorded, was: map[string]string{}}
	// canonical in, canonical out: both walks see the same pointers for the same members.
	textsIn(gjson.ParseBytes(was), nil, m.was)
	m.withheld = m.recorded
	m.scan.Reset(edited, documentLimits)
	m.kept = m.value(make([]byte, 0, len(edited)), nil)
	return m.maskedArguments
}

// textsIn collects the texts and numbers of a document by their pointers.
func textsIn(v gjson.Result, pointer []byte, into map[string]string) {
	switch {
	case v.IsObject():
		v.ForEach(func(key, value gjson.Result) bool {
			textsIn(value, jsontext.AppendToken(slices.Clip(pointer), key.Str), into)
			return true
		})
	case v.IsArray():
		i := 0
		v.ForEach(func(_, value gjson.Result) bool {
			textsIn(value, jsontext.AppendToken(slices.Clip(pointer), strconv.Itoa(i)), into)
			i++
			return true
		})
	case v.Type == gjson.String:
		into[string(pointer)] = v.Str
	case v.Type == gjson.Number:
		into[string(pointer)] = v.Raw
	}
}

// value appends the next value of the scanner, with masks. The depth of the recursion is bounded by documentLimits,
// which the arguments have passed.
func (m *masking) value(dst, pointer []byte) []byte {
	switch m.scan.Peek() {
	case jsontext.KindObject:
		o := jsontext.Begin(dst)
		for m.scan.Enter(); m.scan.More(); {
			key := m.scan.Key()
			name := key.String()
			// A name cannot be masked: two masked names could be equal, and the member would say something else.
			if kept, _ := risk.WithoutSecrets("", name); kept != name {
				m.inName = true
			}
			o.Name(name, func(dst []byte) []byte {
				return m.value(dst, jsontext.AppendToken(slices.Clip(pointer), name))
			})
		}
		return o.End()
	case jsontext.KindArray:
		dst = append(dst, '[')
		i := 0
		for m.scan.Enter(); m.scan.More(); i++ {
			dst = m.value(jsontext.Comma(dst), jsontext.AppendToken(slices.Clip(pointer), strconv.Itoa(i)))
		}
		return append(dst, ']')
	case jsontext.KindString:
		text := m.scan.Text().String()
		return jsontext.AppendString(dst, m.text(text, string(pointer)))
	case jsontext.KindNumber:
		raw := m.scan.Number().Raw
		// A card number may be typed without quotes. The record of {"card":4539578763621486} has {"card":"[withheld]"},
		// and the peer gets the number (vector step/edit-secret-number).
		if kept := m.text(string(raw), string(pointer)); kept != string(raw) {
			return jsontext.AppendString(dst, kept)
		}
		return append(dst, raw...)
	}
	return append(dst, m.scan.Skip()...)
}

// text inspects one text and returns what may be kept of it.
func (m *masking) text(text, pointer string) string {
	if was, had := m.was[pointer]; had && was == text {
		return text
	}
	if slices.ContainsFunc(m.recorded, func(w withheldValue) bool { return w.pointer == pointer }) {
		return text
	}
	kept, found := risk.WithoutSecrets("/arguments"+pointer, text)
	if kept == text {
		m.found = append(m.found, found...)
		return text
	}
	if len(m.recorded) == 0 { // a journal that lists masked values lists them all
		m.withheld = append(m.withheld, withheldValue{pointer: pointer, findings: found})
	}
	return kept
}

package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Cleared returns, in form order, the names of the fields that have an initial value but no member in content.
// If content is everything that a form held when the person submitted it, these are the fields that the person
// emptied. Content that is not an object yields no names. An answer has no member for an emptied field, and
// Fill would give the field its default again. The host therefore sends these names with the answer.
func (f *Form) Cleared(content []byte) (names []string) {
	var s jsontext.Scanner
	s.Reset(content, jsontext.Limits{Bytes: len(content) + 1})
	if s.Peek() != jsontext.KindObject {
		return nil
	}
	var present fieldSet
	for s.Enter(); s.More(); {
		if i := f.index.find(f.Fields, s.Key().AppendTo(nil)); i >= 0 {
			present.add(i)
		}
		s.Skip()
	}
	for i := range f.Fields {
		if f.Fields[i].Initial != nil && !present.has(i) {
			names = append(names, f.Fields[i].Name)
		}
	}
	return names
}

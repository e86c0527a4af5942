package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Fits reports whether a JSON value is valid for the named field. It does not look at the other fields. It
// builds an answer of this one member and asks Check, so it cannot differ from Check. A name that is no field,
// and a value that is no JSON, do not fit.
func (f *Form) Fits(name string, value []byte) bool {
	at := f.index.find(f.Fields, []byte(name))
	if at < 0 {
		return false
	}
	o := jsontext.Begin(nil)
	o.Raw(name, value)
	for _, p := range f.judged(o.End()) {
		// A problem without a field is one of the whole document: the value was not one JSON value.
		if p.field == at || p.field < 0 {
			return false
		}
	}
	return true
}

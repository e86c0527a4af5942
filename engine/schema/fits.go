package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Fits reports whether a JSON value is valid for the named field. It does not look at the other fields.
func (f *Form) Fits(name string, value []byte) bool {
	at := f.index.find(f.Fields, []byte(name))
	if at < 0 {
		return false
	}
	o := jsontext.Begin(nil)
	o.Raw(name, value)
	for _, p := range f.judged(o.End()) {
		if p.field == at || p.field < 0 {
			return false
		}
	}
	return true
}

// Package schema turns a restricted JSON Schema into a Form and checks answers against it.
package schema

// Form is what a requested schema asks for: an ordered list of fields that any user interface can draw.
type Form struct{}

// AppendJSON appends the form as JSON.
func (f *Form) AppendJSON(dst []byte) []byte { return append(dst, "{}"...) }

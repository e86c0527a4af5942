package policy

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends the JSON object that ReadFacts reads. It omits empty members.
func (f *Facts) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	r := factReader{facts: *f}
	for _, m := range r.words() {
		o.OptStr(m.name, *m.at)
	}
	if f.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", f.Annotations.AppendJSON)
	}
	if len(f.Candidates) > 0 {
		o.Name("candidates", func(dst []byte) []byte { return elicit.AppendList(dst, f.Candidates) })
	}
	jsontext.OptStrings(&o, "paths", f.Paths)
	jsontext.OptStrings(&o, "hosts", f.Hosts)
	if f.Outside != elicit.Unsaid {
		o.Bool("outside", f.Outside == elicit.SaidYes)
	}
	if len(f.Fields) > 0 {
		o.Name("fields", func(dst []byte) []byte { return elicit.AppendList(dst, f.Fields) })
	}
	o.OptInt("at", f.At)
	for _, m := range r.flags() {
		o.OptTrue(m.name, *m.at)
	}
	return o.End()
}

// AppendJSON appends {"name","sensitive"?}.
func (f FieldFact) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("name", f.Name)
	o.OptTrue("sensitive", f.Sensitive)
	return o.End()
}

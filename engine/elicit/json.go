package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Str makes a string argument.
func Str(name, v string) Arg { return Arg{name, string(jsontext.AppendString(nil, v))} }

// AppendJSON appends {"code","pointer","in"?,"start"?,"end"?,"severity"?:"deprecated","args"?}.
func (p Problem) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "code", p.Code, "pointer", p.Pointer)
	o.OptStr("in", string(p.In))
	writeSpan(&o, p.Start, p.End)
	if p.Deprecated {
		o.Str("severity", "deprecated")
	}
	writeArgs(&o, p.Args)
	return o.End()
}

// AppendJSON appends {"code","layer"?,"rule"?,"args"?}.
func (r Reason) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "code", r.Code)
	o.OptStrs("layer", r.Layer, "rule", r.Rule)
	writeArgs(&o, r.Args)
	return o.End()
}

// AppendJSON appends {"code","severity","pointer","start"?,"end"?,"evidence"?,"args"?}.
func (f Finding) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "code", f.Code, "severity", string(f.Severity), "pointer", f.Pointer)
	writeSpan(&o, f.Start, f.End)
	o.OptStr("evidence", f.Evidence)
	writeArgs(&o, f.Args)
	return o.End()
}

// AppendList appends a JSON array of items that write themselves. nil is [].
func AppendList[T interface{ AppendJSON([]byte) []byte }](dst []byte, items []T) []byte {
	return jsontext.AppendList(dst, items)
}

// writeSpan leaves an empty span out: 0 and 0 say that there is none.
func writeSpan(o *jsontext.Object, start, end int) {
	if end > start {
		o.Int("start", int64(start))
		o.Int("end", int64(end))
	}
}

// writeArgs keeps the order of the arguments, and writes their JSON as it is.
func writeArgs(o *jsontext.Object, args []Arg) {
	o.OptObject("args", func(inner jsontext.Object) jsontext.Object {
		for _, a := range args {
			inner.Name(a.Name, func(dst []byte) []byte { return append(dst, a.Raw...) })
		}
		return inner
	})
}

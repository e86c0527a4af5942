package lint

import (
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"code","severity","pointer","start"?,"end"?,"args"?,"edits"?:[{"start","end","text"}…]}.
func (f Finding) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "code", f.Code, "severity", f.Severity.String(), "pointer", f.Pointer)
	if f.End > f.Start {
		o.Int("start", int64(f.Start))
		o.Int("end", int64(f.End))
	}
	if len(f.Args) > 0 {
		o.Name("args", func(dst []byte) []byte {
			args := jsontext.Begin(dst)
			for _, a := range f.Args {
				args.Raw(a.Name, []byte(a.Raw))
			}
			return args.End()
		})
	}
	if len(f.Edits) > 0 {
		jsontext.List(&o, "edits", f.Edits)
	}
	return o.End()
}

// AppendJSON appends {"start","end","text"}.
func (e Edit) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Int("start", int64(e.Start))
	o.Int("end", int64(e.End))
	o.Str("text", e.Text)
	return o.End()
}

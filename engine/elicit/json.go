package elicit

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Str makes a string argument.
func Str(name, v string) Arg { return Arg{name, string(jsontext.AppendString(nil, v))} }

// AppendJSON appends {"code","pointer","in"?,"start"?,"end"?,"severity"?:"deprecated","args"?}.
func (p Problem) AppendJSON(dst []byte) []byte {
	dst = appendMember(dst, '{', "code", p.Code)
	dst = appendMember(dst, ',', "pointer", p.Pointer)
	if p.In != "" {
		dst = appendMember(dst, ',', "in", string(p.In))
	}
	dst = appendSpan(dst, p.Start, p.End)
	if p.Deprecated {
		dst = append(dst, `,"severity":"deprecated"`...)
	}
	return append(appendArgs(dst, p.Args), '}')
}

// AppendJSON appends {"code","layer"?,"rule"?,"args"?}.
func (r Reason) AppendJSON(dst []byte) []byte {
	dst = appendMember(dst, '{', "code", r.Code)
	if r.Layer != "" {
		dst = appendMember(dst, ',', "layer", r.Layer)
	}
	if r.Rule != "" {
		dst = appendMember(dst, ',', "rule", r.Rule)
	}
	return append(appendArgs(dst, r.Args), '}')
}

// AppendJSON appends {"code","severity","pointer","start"?,"end"?,"evidence"?,"args"?}.
func (f Finding) AppendJSON(dst []byte) []byte {
	dst = appendMember(dst, '{', "code", f.Code)
	dst = appendMember(dst, ',', "severity", string(f.Severity))
	dst = appendMember(dst, ',', "pointer", f.Pointer)
	dst = appendSpan(dst, f.Start, f.End)
	if f.Evidence != "" {
		dst = appendMember(dst, ',', "evidence", f.Evidence)
	}
	return append(appendArgs(dst, f.Args), '}')
}

// AppendList appends a JSON array of items that write themselves. nil is [].
func AppendList[T interface{ AppendJSON([]byte) []byte }](dst []byte, items []T) []byte {
	return jsontext.AppendList(dst, items)
}

// appendMember writes a name that needs no escapes, as all names in this file.
func appendMember(dst []byte, sep byte, name, value string) []byte {
	dst = append(dst, sep, '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return jsontext.AppendString(dst, value)
}

// appendSpan leaves an empty span out: 0 and 0 say that there is none.
func appendSpan(dst []byte, start, end int) []byte {
	if end <= start {
		return dst
	}
	dst = append(dst, `,"start":`...)
	dst = strconv.AppendInt(dst, int64(start), 10)
	dst = append(dst, `,"end":`...)
	return strconv.AppendInt(dst, int64(end), 10)
}

// appendArgs keeps the order of the arguments, and writes their JSON as it is.
func appendArgs(dst []byte, args []Arg) []byte {
	if len(args) == 0 {
		return dst
	}
	o := jsontext.Begin(append(dst, `,"args":`...))
	for _, a := range args {
		o.Name(a.Name, func(dst []byte) []byte { return append(dst, a.Raw...) })
	}
	return o.End()
}

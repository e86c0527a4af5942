package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// evalParse passes a document through the gate and spells it canonically: {document, limits?{bytes,depth,members}} →
// {"ok":true,"canonical":…} or {"problems":[…]}. The canonical spelling keeps the order of members and the spelling of
// numbers: {"b":1,"a":1.0} stays as it is. It drops white space and needless escapes. That is how a host learns what
// every other operation would see of a text.
func evalParse(in gjson.Result, dst []byte) []byte {
	doc, ok := document(in, "document")
	if !ok {
		return missing(dst, "document")
	}
	lim, ok := limits(in)
	if !ok {
		return missing(dst, "limits")
	}
	if f := jsontext.Check(doc, lim); f != nil {
		return appendProblem(dst, elicit.FromFault(f))
	}
	dst = append(dst, `{"ok":true,"canonical":`...)
	return append(jsontext.AppendValue(dst, doc), '}')
}

// limits reads the optional parameter limits. It refuses zero, negative and fractional limits. Reading them as the
// default would give a limit looser than the caller asked for. The zero value of a limit means its default in package
// jsontext. That is why a 0 of the caller must not get there.
func limits(in gjson.Result) (lim jsontext.Limits, ok bool) {
	v := member(in, "limits")
	if !v.Exists() {
		return lim, true
	}
	ok = v.IsObject()
	v.ForEach(func(k, v gjson.Result) bool {
		if ok = ok && v.Type == gjson.Number; !ok {
			return false
		}
		// 100.0 is 100 and whole; 1.5 and 1e400 are not.
		n, whole := jsontext.Number{Raw: []byte(v.Raw)}.Int()
		ok = whole && n > 0
		switch k.String() {
		case "bytes":
			lim.Bytes = strict.Bounded(n)
		case "depth":
			lim.Depth = strict.Bounded(n)
		case "members":
			lim.Members = strict.Bounded(n)
		default:
			ok = false
		}
		return ok
	})
	return lim, ok
}

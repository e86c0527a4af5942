package abi

import (
	"math"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// evalParse passes a document through the gate and spells it canonically: {document, limits?{bytes,depth,members}} →
// {"ok":true,"canonical":…} or {"problems":[…]}.
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
// default would give a limit looser than the caller asked for.
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
		n, whole := jsontext.Number{Raw: []byte(v.Raw)}.Int()
		ok = whole && n > 0
		switch k.String() {
		case "bytes":
			lim.Bytes = limit32(n)
		case "depth":
			lim.Depth = limit32(n)
		case "members":
			lim.Members = limit32(n)
		default:
			ok = false
		}
		return ok
	})
	return lim, ok
}

func limit32(n int64) int { return int(min(n, math.MaxInt32)) } // an int has 32 bits in the modules

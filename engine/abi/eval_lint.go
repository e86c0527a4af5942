//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/lint"
)

// evalLint reads {schema, for?} or {request, for?} and returns {"findings":[…]} for the author of a requested schema,
// or of the params of an elicitation/create. for is a protocol date; the default is 2025-11-25. The advice has edits
// where a text can be mended by itself: {"start","end","text"} in bytes of the document. A schema that does not compile
// is linted too.
func evalLint(in gjson.Result, dst []byte) []byte {
	target := lint.For20251125
	if v := member(in, "for"); v.Exists() {
		var ok bool
		if target, ok = lint.TargetNamed(v.String()); !ok || v.Type != gjson.String {
			return missing(dst, "for")
		}
	}
	var findings []lint.Finding
	if doc, ok := document(in, "schema"); ok {
		findings = lint.Schema(doc, target)
	} else if doc, ok := document(in, "request"); ok {
		findings = lint.Request(doc, target)
	} else {
		return missing(dst, "schema")
	}
	return append(elicit.AppendList(append(dst, `{"findings":`...), findings), '}')
}

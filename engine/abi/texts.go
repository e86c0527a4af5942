package abi

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// inTexts rewrites the output of a machine, which begins at start, with two documents as strings: the record of an
// append, and the question of a consult, which becomes question_text. A host that parses JSON and writes it again would
// change the spelling of a number in them, and with it the chain of the journal or what a guardian is asked. The cheap
// search in front saves the parsing for nearly all outputs, which have neither of the two.
func inTexts(out []byte, start int) []byte {
	if !bytes.Contains(out[start:], []byte(`"effect":"append"`)) &&
		!bytes.Contains(out[start:], []byte(`"effect":"consult"`)) {
		return out
	}
	effects := member(gjson.Parse(string(out[start:])), "effects")
	if !effects.IsArray() {
		return out
	}
	out = append(out[:start], `{"effects":[`...)
	effects.ForEach(func(_, effect gjson.Result) bool {
		out = appendInTexts(jsontext.Comma(out), effect)
		return true
	})
	return append(out, "]}"...)
}

// appendInTexts appends one effect. The asking side has a consult in the member ask of another, and its records are
// strings in every output. Names of effects and members are the engine's own and have no escapes, so k.Str is their
// spelling.
func appendInTexts(dst []byte, effect gjson.Result) []byte {
	name := member(effect, "effect").Str
	if name != "append" && name != "consult" {
		return append(dst, effect.Raw...)
	}
	o := jsontext.Begin(dst)
	effect.ForEach(func(k, v gjson.Result) bool {
		switch {
		case k.Str == "record" && name == "append":
			o.Str("record", v.Raw)
		case k.Str == "question" && name == "consult":
			o.Str("question_text", v.Raw)
		case k.Str == "ask" && name == "consult":
			o.Name("ask", func(dst []byte) []byte { return appendInTexts(dst, v) })
		default:
			o.Raw(k.Str, []byte(v.Raw))
		}
		return true
	})
	return o.End()
}

package lint

import (
	"bytes"
	"slices"

	"github.com/elicit-engine/elicit/engine/schema"
)

// Mend makes the edits of findings that lose nothing. After each edit, the schema accepts the same answers, asks for
// the same fields, and is refused no more than before. Mend returns the schema and the corrected findings, in the order
// of correction. It leaves a finding alone if skip returns true for it. Each edit is tried on a copy and judged by its
// result, so a rule with a wrong edit cannot break a schema. The search begins again after each success, because an
// edit can make others possible. It ends, since each success has fewer findings than before.
func Mend(doc []byte, target Target, skip func(Finding) bool) ([]byte, []Finding) {
	var mended []Finding
	findings := Schema(doc, target)
	for at := 0; at < len(findings) && len(mended) < maxFindings; {
		f := findings[at]
		at++
		if len(f.Edits) == 0 || skip(f) {
			continue
		}
		candidate := Apply(doc, f.Edits)
		after := Schema(candidate, target)
		// All three must hold: not refused more often, fewer findings, and the same answers.
		if refusals(after) > refusals(findings) || len(after) >= len(findings) ||
			!sameAnswers(doc, candidate, refusals(after) < refusals(findings)) {
			continue
		}
		doc, findings, at = candidate, after, 0
		mended = append(mended, f)
	}
	return doc, mended
}

func refusals(findings []Finding) (n int) {
	for _, f := range findings {
		if f.Severity == Error {
			n++
		}
	}
	return n
}

// sameAnswers reports whether two schemas accept the same answers. A schema that is refused has no answers to lose.
// Then the edit must remove a refusal. Both schemas are compiled and compared by what they demand. A title that changes
// is no difference; a bound, a default or an order of fields is one.
func sameAnswers(before, after []byte, nearer bool) bool {
	was, _ := schema.Compile(before, schema.Options{})
	is, _ := schema.Compile(after, schema.Options{})
	if was == nil {
		return nearer
	}
	return is != nil && bytes.Equal(demands(was), demands(is))
}

// demands returns a form without the texts and widgets that people see. Two forms that demand the same give the same
// bytes, since fields stand in the order of the schema.
func demands(form *schema.Form) []byte {
	bare := schema.Form{Fields: slices.Clone(form.Fields)}
	for i := range bare.Fields {
		f := &bare.Fields[i]
		f.Label, f.Help, f.Widget = "", "", 0
		f.Choices = slices.Clone(f.Choices)
		for k := range f.Choices {
			f.Choices[k].Title, f.Choices[k].Description = "", ""
		}
	}
	return bare.AppendJSON(nil)
}

package lint

import (
	"strings"
	"testing"
)

func TestMend(t *testing.T) {
	tests := []struct{ name, doc, want, codes string }{
		{"nothing to mend", `{"type":"object","properties":{"city":{"type":"string","title":"City",` +
			`"description":"Where to?"}}}`,
			`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Where to?"}}}`, ""},
		{"a name required twice", `{"type":"object","properties":{"city":{"type":"string","title":"City",` +
			`"description":"Where?","minLength":1}},"required":["city","city"]}`,
			`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Where?","minLength":1}},` +
				`"required":["city"]}`, "duplicate_required"},
		{"a bound that would refuse what was taken stays out",
			`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Where?"}},` +
				`"required":["city"]}`,
			`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Where?"}},` +
				`"required":["city"]}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, mended := Mend([]byte(tt.doc), For20251125, func(Finding) bool { return false })
			var codes []string
			for _, f := range mended {
				codes = append(codes, f.Code)
			}
			if string(got) != tt.want || strings.Join(codes, " ") != tt.codes {
				t.Errorf("got  %s (%s)\nwant %s (%s)", got, strings.Join(codes, " "), tt.want, tt.codes)
			}
		})
	}
}

// TestMendLosesNothing corrects every schema of the vectors. The schema must ask for the same fields and be refused no
// more than before, and a second run must find nothing to correct.
func TestMendLosesNothing(t *testing.T) {
	mended := map[string]int{}
	documents(t, func(name string, doc []byte, _ func([]byte, Target) []Finding) {
		for target := For20251125; target <= For20260728; target++ {
			none := func(Finding) bool { return false }
			out, done := Mend(doc, target, none)
			for _, f := range done {
				mended[f.Code]++
			}
			was, is := refusals(Schema(doc, target)), refusals(Schema(out, target))
			if is > was || !sameAnswers(doc, out, is < was || len(done) == 0) {
				t.Errorf("%s for %s: mended into %s", name, target, out)
			}
			if again, more := Mend(out, target, none); len(more) > 0 {
				t.Errorf("%s for %s: mended once more into %s", name, target, again)
			}
		}
	})
	if len(mended) < 6 {
		t.Errorf("only %v were mended: the test has lost its subject", mended)
	}
	t.Log(mended)
}

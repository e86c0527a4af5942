package schema

import "testing"

// TestTitledChoicesAreWrittenForTheDate shows how titles are spelled for each date. Members that no check reads are
// always left out.
func TestTitledChoicesAreWrittenForTheDate(t *testing.T) {
	const (
		bare   = `{"type":"string","enum":["a","b"]}`
		oneOf  = `{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`
		names  = `{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`
		anyOf  = `{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}`
		listed = `{"type":"array","items":{"type":"string","enum":["a","b"],"enumNames":["A","B"]}}`
	)
	for name, tt := range map[string]struct{ from, titled, untitled string }{
		"oneOf":              {oneOf, oneOf, names},
		"enumNames":          {names, names, names},
		"anyOf":              {anyOf, anyOf, listed},
		"enumNames of items": {listed, anyOf, listed},
		"without titles":     {bare[:len(bare)-1] + `,"$comment":"unread"}`, bare, bare},
	} {
		whole := func(property string) string { return `{"type":"object","properties":{"p":` + property + `}}` }
		form, problems := Compile([]byte(whole(tt.from)), Options{})
		if form == nil {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		if got, want := string(form.AppendSchema(nil, true)), whole(tt.titled); got != want {
			t.Errorf("%s, titled:\n got %s\nwant %s", name, got, want)
		}
		if got, want := string(form.AppendSchema(nil, false)), whole(tt.untitled); got != want {
			t.Errorf("%s, untitled:\n got %s\nwant %s", name, got, want)
		}
	}
}

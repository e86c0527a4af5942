package policy

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

func TestReadFacts(t *testing.T) {
	got, p := ReadFacts([]byte(` { "server" : "b\u0075ild", "mode":"form","kind":"form","message":"Go \"on\"?", ` +
		`"at":12,"fillable":true,` +
		`"fields":[{"name":"a","kind":{"x":[1]}},{"sensitive":true,"name":"pin"}],"annotations":{"destructive":true} } `))
	want := Facts{Server: "build", Mode: elicit.Form, Kind: elicit.KindForm, Message: `Go "on"?`, At: 12, Fillable: true,
		Fields: []FieldFact{{Name: "a"}, {Name: "pin", Sensitive: true}}}
	if p != nil || !slices.Equal(got.Fields, want.Fields) || got.Server != want.Server || got.Mode != want.Mode ||
		got.Kind != want.Kind ||
		got.Message != want.Message || got.At != want.At || !got.Fillable || got.Annotations == (elicit.Annotations{}) {
		t.Errorf("got %+v, %v, want %+v", got, p, want)
	}
	for _, tt := range []struct{ doc, code, pointer string }{
		{``, "json_empty", ""}, {`[]`, "bad_input", ""}, {`{"server":1}`, "bad_input", "/server"},
		{`{"servers":"x"}`, "bad_input", "/servers"},
		{`{"fillable":"yes"}`, "bad_input", "/fillable"}, {`{"at":-1}`, "bad_input", "/at"}, {`{"at":1.5}`, "bad_input",
			"/at"},
		{`{"fields":{}}`, "bad_input", "/fields"}, {`{"fields":[{"name":"a"},{"sensitive":true}]}`, "bad_input", "/fields/1"},
		{`{"fields":[{"name":"a","sensitive":null}]}`, "bad_input", "/fields/0"}, {`{"annotations":{"a/b":true}}`,
			"bad_input", "/annotations/a~1b"},
		{`{"mode":"form","mode":"url"}`, "json_duplicate_key", "/mode"}, {`{"mode":"fo`, "json_truncated", "/mode"},
		{`{} x`, "json_trailing", ""},
	} {
		if _, p := ReadFacts([]byte(tt.doc)); p == nil || p.Code != tt.code || p.Pointer != tt.pointer {
			t.Errorf("%s: got %v, want %s at %q", tt.doc, p, tt.code, tt.pointer)
		}
	}
}

// TestFactsComeBack writes drawn facts and reads them again. Every member of Facts must be drawn, so that none is left
// out of the reader and the writer.
func TestFactsComeBack(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	drawn := map[string]bool{}
	for range 3000 {
		f := someFacts(r)
		if r.Intn(3) == 0 {
			f.Candidates, f.CandidatesCut = []elicit.Candidate{someTool(r), someTool(r)}, r.Intn(2) == 0
		}
		for _, member := range reflect.VisibleFields(reflect.TypeFor[Facts]()) {
			drawn[member.Name] = drawn[member.Name] || !reflect.ValueOf(*f).FieldByIndex(member.Index).IsZero()
		}
		doc := f.AppendJSON(nil)
		got, p := ReadFacts(doc)
		if len(got.Fields) == 0 {
			got.Fields = f.Fields // a list without elements may be nil
		}
		if p != nil || !reflect.DeepEqual(got, *f) {
			t.Fatalf("%s\nreads as %+v, %v\nwant     %+v", doc, got, p, *f)
		}
	}
	for name, tried := range drawn {
		if !tried && name != "Impacts" { // they follow from the others
			t.Errorf("no facts have %s: draw it in someFacts, in property_test.go", name)
		}
	}
}

// FuzzReadFacts compares ReadFacts with another reader, and checks that it reads nothing that the gate refuses.
func FuzzReadFacts(f *testing.F) {
	f.Add([]byte(`{"server":"a","message":"\u00e9\n","fields":[{"name":"x","sensitive":true}],"at":5,` +
		`"annotations":{"read_only":false}}`))
	f.Add([]byte(`{"fields":[],"host":"h","strict_review":true}`))
	f.Add([]byte(`{"candidates":[{"tool":"a","annotations":{"read_only":true},"open":true},{"tool":"b"}],` +
		`"candidates_cut":true}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		facts, p := ReadFacts(doc)
		if p != nil {
			return
		}
		if fault := jsontext.Check(doc, jsontext.Limits{}); fault != nil {
			t.Fatalf("%q is read although %s", doc, fault.Code)
		}
		other := gjson.ParseBytes(doc)
		names := other.Get("fields.#.name").Array()
		if facts.Server != other.Get("server").String() || facts.Message != other.Get("message").String() ||
			len(names) != len(facts.Fields) ||
			facts.StrictReview != other.Get("strict_review").Bool() {
			t.Fatalf("%s reads as %+v", doc, facts)
		}
		for i, name := range names {
			if facts.Fields[i].Name != name.String() {
				t.Fatalf("%s: field %d is %q, not %q", doc, i, facts.Fields[i].Name, name)
			}
		}
	})
}

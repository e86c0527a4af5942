package strict_test

import (
	"fmt"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

func Example() {
	doc := []byte(`{"server":"backup","quick":1,"limits":{"rows":-1,"row":3},"old":true}`)
	r, problems := strict.Document(doc, jsontext.Limits{})
	if len(problems) > 0 {
		return // not JSON, or no object
	}
	fmt.Println(r.Str("server"), r.Flag("quick"))
	r.Object("limits", func(limits *strict.Reader) {
		if n, ok := strict.Integer(limits.Take("rows")); !ok || n < 0 {
			limits.Report("limit_out_of_range", "rows")
		}
	})
	r.RefuseUnknown()
	for _, p := range r.Problems {
		fmt.Println(p.Code, p.Pointer)
	}
	// Output:
	// backup false
	// wrong_type /quick
	// limit_out_of_range /limits/rows
	// unknown_member /limits/row
	// unknown_member /old
}

// TestEveryMethodReports: a value of another type gives one problem, with the pointer of its member.
func TestEveryMethodReports(t *testing.T) {
	doc := `{"~":[],"text":7,"text_text":8,"list":[1],"list2":{},"object":1,"time":-1,"late":4503599627370497,"part":0.5}`
	for name, take := range map[string]func(r *strict.Reader){
		"/~0":        func(r *strict.Reader) { r.Str("~") },
		"/text":      func(r *strict.Reader) { r.Opt("text") },
		"/text_text": func(r *strict.Reader) { r.Text("text") },
		"/absent":    func(r *strict.Reader) { r.Str("absent") },
		"/list":      func(r *strict.Reader) { r.Strs("list") },
		"/list2":     func(r *strict.Reader) { r.Array("list2", func(int, gjson.Result) bool { return true }) },
		"/object":    func(r *strict.Reader) { r.Object("object", func(*strict.Reader) { t.Error("read") }) },
		"/time":      func(r *strict.Reader) { r.Time("time") },
		"/late":      func(r *strict.Reader) { r.OptTime("late") },
		"/part":      func(r *strict.Reader) { r.Time("part") },
	} {
		r, problems := strict.Document([]byte(doc), jsontext.Limits{})
		if take(&r); len(problems) > 0 || len(r.Problems) != 1 || r.Problems[0].Pointer != name {
			t.Errorf("%s: %s", name, elicit.AppendList(nil, append(problems, r.Problems...)))
		}
	}
}

// TestAbsentMembers: what may be left out has its zero value and no problem.
func TestAbsentMembers(t *testing.T) {
	var r strict.Reader
	r.Object("o", func(*strict.Reader) { t.Error("read") })
	if r.Opt("a") != "" || r.Flag("b") || r.OptTime("c") != 0 || r.Text("d") != nil || r.Strs("e") != nil ||
		len(r.Problems) > 0 {
		t.Errorf("%s", elicit.AppendList(nil, r.Problems))
	}
}

// TestIntegers: what reads as an integer is that number, and one of more than 64 bits is none.
func TestIntegers(t *testing.T) {
	for text, want := range map[string]string{
		"9223372036854775807":    "9223372036854775807 true",
		"9223372036854775808":    "0 false",
		"9223372036854775807.0":  "9223372036854775807 true",
		"-9223372036854775808":   "-9223372036854775808 true",
		"-9223372036854775809":   "0 false",
		"9007199254740993":       "9007199254740993 true",
		"1e2":                    "100 true",
		"-0":                     "0 true",
		"1.00000000000000000001": "0 false",
		"1e400":                  "0 false",
		`"5"`:                    "0 false",
		"true":                   "0 false",
	} {
		if got := fmt.Sprintln(strict.Integer(gjson.Parse(text))); got != want+"\n" {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestCounts: a count and a bounded number are the same in every build, and a count can go on.
func TestCounts(t *testing.T) {
	for text, want := range map[string]string{"3": "3 3", "2147483648": "1073741824 2147483647",
		"4294967296": "1073741824 2147483647"} {
		r := strict.Of(gjson.Parse(`{"n":` + text + `}`))
		if got := fmt.Sprint(r.Count("n"), strict.Bounded(r.Time("n"))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestOldNames: in a record an old name counts and is told. Beside the new one and elsewhere it is unknown.
func TestOldNames(t *testing.T) {
	for doc, want := range map[string]string{
		`{"old":1}`:         "old [] [deprecated_member]",
		`{"new":1}`:         "new [] []",
		`{"old":1,"new":1}`: "new [unknown_member] []",
		`{}`:                "new [] []",
	} {
		r := strict.Of(gjson.Parse(doc))
		r.Recorded = true
		name := r.Renamed("new", "old")
		r.Take(name)
		r.RefuseUnknown()
		r.RefuseUnknown() // says nothing twice
		if got := fmt.Sprint(name, " ", codes(r.Problems), " ", codes(r.Deprecated)); got != want {
			t.Errorf("%s: %s, want %s", doc, got, want)
		}
	}
	r := strict.Of(gjson.Parse(`{"old":1}`))
	if name := r.Renamed("new", "old"); name != "new" || r.Deprecated != nil {
		t.Errorf("outside of a record: %s %s", name, codes(r.Deprecated))
	}
}

// TestReset: a reader that is used again knows nothing of the document before.
func TestReset(t *testing.T) {
	r, _ := strict.Document([]byte(`{"a":"1","b":"2"}`), jsontext.Limits{})
	r.Str("a")
	r.RefuseUnknown()
	if problems := r.Reset([]byte(`{"c":"3"}`), jsontext.Limits{}); problems != nil || r.Has("a") || r.Str("c") != "3" {
		t.Error("members of the document before")
	}
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		t.Errorf("%s", elicit.AppendList(nil, r.Problems))
	}
	for doc, want := range map[string]string{`{"a":1,"a":2}`: "json_duplicate_key", `[]`: "wrong_type", ``: "json_empty"} {
		if problems := r.Reset([]byte(doc), jsontext.Limits{}); len(problems) != 1 || problems[0].Code != want || r.Has("a") {
			t.Errorf("%s: %s, want %s", doc, elicit.AppendList(nil, problems), want)
		}
	}
}

func codes(problems []elicit.Problem) []string {
	list := []string{}
	for _, p := range problems {
		list = append(list, p.Code)
	}
	return list
}

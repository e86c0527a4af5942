package lint

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/pages"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var update = flag.Bool("update", false, "write the table of docs/reference/flagged.md")

// TestDocument checks that the page has the remarks as the code has them. -update writes them.
func TestDocument(t *testing.T) {
	var want strings.Builder
	want.WriteString("| code | severity | what it means | edits |\n|---|---|---|---|\n")
	for _, d := range Docs() {
		mends := ""
		if d.Mends {
			mends = "yes"
		}
		fmt.Fprintf(&want, "| `%s` | %s | **%s** %s | %s |\n", d.Code, d.Severity, d.Title, d.About, mends)
	}
	pages.Section(t, "../../docs/reference/flagged.md", "remarks", "go test ./engine/lint -run TestDocument -update",
		want.String(), *update)
}

// TestEnglish checks that every rule has sentences, and every sentence a rule.
func TestEnglish(t *testing.T) {
	var codes []string
	for _, d := range Docs() {
		if !slices.Contains(english.ProblemCodes(), d.Code) { // such a rule says what the problem says
			codes = append(codes, d.Code)
		}
		if english.Remedy(d.Code, nil) == "" {
			t.Errorf("%s has no remedy", d.Code)
		}
	}
	slices.Sort(codes)
	if got := english.RemarkCodes(); !slices.Equal(got, codes) {
		t.Errorf("sentences for %v\nrules %v", got, codes)
	}
}

// documents calls each with every schema and request of the vectors.
func documents(t *testing.T, each func(name string, doc []byte, read func([]byte, Target) []Finding)) {
	t.Helper()
	for _, v := range vectors.Read(t) {
		var in struct {
			Schema     json.RawMessage `json:"schema"`
			SchemaText *string         `json:"schema_text"`
			Request    json.RawMessage `json:"request"`
		}
		if json.Unmarshal(v.In, &in) != nil {
			continue
		}
		if in.SchemaText != nil {
			in.Schema = []byte(*in.SchemaText)
		}
		switch {
		case in.Schema != nil:
			each(v.TCID, in.Schema, Schema)
		case in.Request != nil && v.Op == "lint":
			each(v.TCID, in.Request, Request)
		}
	}
}

// TestEdits applies the edits of every finding in every vector. The finding must be gone, the document must be valid,
// and nothing may be refused that was not refused before.
func TestEdits(t *testing.T) {
	mended := map[string]int{}
	documents(t, func(name string, doc []byte, read func([]byte, Target) []Finding) {
		for target := For20251125; target <= For20260728; target++ {
			before := read(doc, target)
			for _, f := range before {
				if len(f.Edits) == 0 {
					continue
				}
				after := read(Apply(doc, f.Edits), target)
				if was, is := count(before, f.Code), count(after, f.Code); is >= was {
					t.Errorf("%s for %s: %s at %s: %d before its edits, %d after: %s", name, target, f.Code, f.Pointer, was, is,
						Apply(doc, f.Edits))
				}
				if was, is := errors(before), errors(after); is > was {
					t.Errorf("%s for %s: %s at %s: %d errors before its edits, %d after: %s", name, target, f.Code, f.Pointer, was, is,
						Apply(doc, f.Edits))
				}
				mended[f.Code]++
			}
		}
	})
	for _, d := range Docs() {
		if d.Mends != (mended[d.Code] > 0) {
			t.Errorf("%s: edits in %d findings, documented: %v", d.Code, mended[d.Code], d.Mends)
		}
	}
}

func count(findings []Finding, code string) (n int) {
	for _, f := range findings {
		if f.Code == code {
			n++
		}
	}
	return n
}

func errors(findings []Finding) (n int) {
	for _, f := range findings {
		if f.Severity == Error {
			n++
		}
	}
	return n
}

// TestPlaces checks that every span lies in the document, and that every pointer names what the span shows.
func TestPlaces(t *testing.T) {
	checked := 0
	documents(t, func(name string, doc []byte, read func([]byte, Target) []Finding) {
		for _, f := range read(doc, For20251125) {
			if strings.HasPrefix(f.Code, "json_") {
				continue
			}
			checked++
			if f.Start < 0 || f.End > len(doc) || f.Start >= f.End {
				t.Fatalf("%s: %s spans [%d, %d) of %d bytes", name, f.Code, f.Start, f.End, len(doc))
			}
			root, _ := parse(doc, limits)
			if at := root.at(f.Pointer); at.pointer() != f.Pointer || at.start != f.Start || at.end != f.End {
				t.Errorf("%s: %s at %s spans %q", name, f.Code, f.Pointer, doc[f.Start:f.End])
			}
		}
	})
	if checked < 300 {
		t.Errorf("only %d findings checked", checked)
	}
}

// TestVectorsForAndAgainst checks that for every rule, some vector makes it report and some vector does not.
func TestVectorsForAndAgainst(t *testing.T) {
	spoke, silent := map[string]int{}, map[string]int{}
	documents(t, func(name string, doc []byte, read func([]byte, Target) []Finding) {
		if !strings.HasPrefix(name, "lint/") {
			return
		}
		findings := read(doc, For20251125)
		if strings.Contains(name, "2025-06-18") {
			findings = read(doc, For20250618)
		}
		for _, d := range Docs() {
			if count(findings, d.Code) > 0 {
				spoke[d.Code]++
			} else {
				silent[d.Code]++
			}
		}
	})
	for _, d := range Docs() {
		if spoke[d.Code] == 0 || silent[d.Code] == 0 {
			t.Errorf("%s: %d vectors for, %d against", d.Code, spoke[d.Code], silent[d.Code])
		}
	}
}

func FuzzLint(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string","enum":["x","x"],"enumNames":["X"],` +
		`"default":"y"}},"required":["a","b"]}`))
	f.Add([]byte(`{"params":{"mode":"url","message":"see www.example.org","url":"http://[::1","requestedSchema":{}}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		for target := For20251125; target <= For20260728; target++ {
			for _, read := range []func([]byte, Target) []Finding{Schema, Request} {
				for _, finding := range read(doc, target) {
					if finding.Start < 0 || finding.Start > finding.End || finding.End > len(doc) {
						t.Fatalf("%s spans [%d, %d) of %d bytes", finding.Code, finding.Start, finding.End, len(doc))
					}
					if len(finding.Edits) > 0 && !json.Valid(Apply(doc, finding.Edits)) {
						t.Fatalf("%s mends into %q", finding.Code, Apply(doc, finding.Edits))
					}
				}
			}
		}
	})
}

// TestHostile bounds the work on documents that multiply themselves: definitions that refer to each other in every
// option, and large ones that many fields share.
func TestHostile(t *testing.T) {
	fields := make([]string, 4000)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"f%d":{"$ref":"#/$defs/A"}`, i)
	}
	refs := strings.Repeat(`{"$ref":"#/$defs/A"},`, 7) + `{"$ref":"#/$defs/A"}`
	options := strings.Repeat(`{"const":"x","title":"see www.example.org"},`, 3000) + `{}`
	for name, definition := range map[string]string{
		"unions of unions": `{"anyOf":[` + refs + `],"oneOf":[` + refs + `],"allOf":[` + refs + `]}`,
		"shared choices":   `{"type":"string","enum":[` + strings.Repeat(`"a",`, 9000) + `"b"]}`,
		"shared options":   `{"type":"string","oneOf":[` + options + `]}`,
	} {
		doc := []byte(`{"type":"object","properties":{` + strings.Join(fields, ",") + `},"$defs":{"A":` + definition + `}}`)
		l, root := begin(doc, For20251125)
		if root == nil {
			t.Fatalf("%s: %v", name, l.found)
		}
		l.schema(root)
		edits := 0
		for _, f := range l.end() {
			for _, e := range f.Edits {
				edits += len(e.Text)
			}
		}
		if l.steps > 2*maxSteps || len(l.found) > maxFindings || edits > 4*len(doc) {
			t.Errorf("%s: %d steps, %d findings, %d bytes of edits for %d bytes", name, l.steps, len(l.found), edits, len(doc))
		}
	}
}

package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// benchStack is a managed, a user and a project file with 8 rules each. The request matches one rule of the user.
func benchStack(tb testing.TB) (Stack, *Facts) {
	var layers []*Policy
	for _, l := range []Layer{Managed, User, Project} {
		var rules []string
		for i := range 7 {
			rules = append(rules, fmt.Sprintf(`{"when":{"server":"%v-%d*","tool":["read_*","list_*"],"mode":"form"},`+
				`"then":"ask"}`, l, i))
		}
		last := `{"when":{"mode":"url","host":["*.internal.example","*.corp"]},"then":"decline"}`
		if l == User {
			last = `{"name":"deploy","when":{"server":"build","kind":"confirm","message":"*deploy*"},"then":"accept"}`
		}
		layers = append(layers, parse(tb, l, `{"version":1,"rules":[`+strings.Join(append(rules, last), ",")+`]}`))
	}
	return NewStack(layers...), &Facts{Server: "build", Tool: "deploy", Side: elicit.Answering, Mode: elicit.Form,
		Kind: elicit.KindConfirm, Message: "Deploy version 1.4.2 of the shop to production now?"}
}

func BenchmarkDecide(b *testing.B) {
	b.Run("3x8rules", func(b *testing.B) {
		s, f := benchStack(b)
		if d := s.Decide(f); d.Outcome != Accept {
			b.Fatal(d)
		}
		b.ReportAllocs()
		for b.Loop() {
			s.Decide(f)
		}
	})
	b.Run("modes", func(b *testing.B) {
		s, f := NewStack(parse(b, User, `{"version":1,"approval_policy":"on-request"}`)), confirm()
		b.ReportAllocs()
		for b.Loop() {
			s.Decide(f)
		}
	})
	b.Run("hostile-message", func(b *testing.B) {
		s := NewStack(parse(b, User, `{"version":1,"rules":[{"when":{"message":"*`+strings.Repeat("a",
			100)+`?`+strings.Repeat("a", 100)+`b*"},"then":"decline"}]}`))
		f := &Facts{Message: strings.Repeat("a", 1<<20)}
		b.SetBytes(1 << 20)
		for b.Loop() {
			s.Decide(f)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	doc := `{"version":1,"approval_policy":"on-request","rules":[` +
		`{"name":"deploy","when":{"server":"build","kind":"confirm",` +
		`"message":"*deploy*"},"then":"accept","why":"the pipeline asks twice"},{"when":{"host":["*.corp",` +
		`"*.internal.example"]},"then":"decline"}]}`
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(User, []byte(doc))
	}
}

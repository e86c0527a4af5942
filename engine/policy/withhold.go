package policy

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// withheld selects fields whose values only the server may get. A pattern with a slash means "server/field", one
// without means the field of any server. Letter case is ignored. Every layer may add patterns, and none can remove one.
type withheld struct {
	// "*password*" withholds a field of any server, and "bank/*" all fields of one.
	pattern Pattern
	server  bool // the pattern has a slash
}

// match compares the field alone, or behind the name of its server and a slash.
func (w *withheld) match(server, field string) bool {
	if w.server {
		field = server + "/" + field
	}
	return w.pattern.Match(field)
}

// everyField replaces a list that cannot be read: it withholds everything.
var everyField = func() withheld {
	all, _ := CompilePattern("*", true)
	return withheld{pattern: all}
}()

// Withholds reports whether the text typed into a server's field must stay out of journals, drafts and suggestions. A
// server name or a field name with a slash makes "server/field" ambiguous. Then more is withheld than was meant.
func (s Stack) Withholds(server, field string) bool {
	for i := range s.withhold {
		if s.withhold[i].match(server, field) {
			return true
		}
	}
	return false
}

// addWithheld adds the fields that a policy withholds. A policy that cannot be read withholds everything.
func (s *Stack) addWithheld(p *Policy) {
	s.withhold = append(s.withhold, p.withhold...)
	if p.unreadable {
		s.withhold = append(s.withhold, everyField)
	}
}

// withhold reads one pattern or a list. Each fault withholds every field, so a mistake never keeps less secret.
func (p *parser) withhold(v gjson.Result) {
	if !v.IsArray() {
		p.withholds(v)
		return
	}
	n := 0
	v.ForEach(func(_, v gjson.Result) bool {
		defer p.into(strconv.Itoa(n))()
		n++
		p.withholds(v)
		return p.globs <= MaxGlobs
	})
	if n == 0 {
		p.report("policy_empty_list", v)
	}
}

// withholds reads one pattern. A pattern that cannot be read withholds every field.
func (p *parser) withholds(v gjson.Result) {
	all := func() { p.policy.withhold = append(p.policy.withhold, everyField) }
	if v.Type != gjson.String {
		p.wrongType(v, "string or list of strings")
		all()
		return
	}
	if p.globs++; p.globs > MaxGlobs {
		p.tooMany(v, p.globs, MaxGlobs)
		all()
		return
	}
	pattern, fault := CompilePattern(v.String(), true)
	if fault != "" {
		p.report("bad_glob", v, elicit.Str("glob", v.String()), elicit.Str("fault", fault))
		all()
		return
	}
	p.policy.withhold = append(p.policy.withhold, withheld{pattern, strings.Contains(v.String(), "/")})
}

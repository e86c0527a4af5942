package policy

import "github.com/tidwall/gjson"

// AssumesLate reports whether some layer assumes that every server asks about calls that it has answered already. A
// host then counts such a call beside an open one, also before it has seen the server ask late. A word that cannot be
// read counts as "assume": more questions then belong to several calls, which only tightens.
func (s Stack) AssumesLate() bool { return s.assumeLate }

func (p *parser) late(v gjson.Result) {
	word, ok := p.word(v, lateWords...)
	p.policy.assumeLate = !ok || word == "assume"
}

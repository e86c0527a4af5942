package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlMixedScript = check{
	Doc: Doc{
		Code: "url_mixed_script", Title: "Host mixes alphabets", Severity: elicit.High,
		About: "One part of the host mixes alphabets that no language writes together, such as Latin with a Cyrillic а. " +
			"Chinese, Japanese and Korean with Latin are not mixed.",
		Spec: "MCP, Safe URL Handling (R22, C6); UTS 39 §5.2",
	},
	url: func(h *hits, a *address) {
		for label := range strings.SplitSeq(a.unicode, ".") {
			if s := scriptsOf(label); s.mixed() {
				h.add(a.raw, a.host.from, a.host.to, elicit.Str("label", evidence(label)), elicit.Str("scripts", s.String()))
				return
			}
		}
	},
}

// String lists the scripts, joined by " and ".
func (s scriptSet) String() string {
	var names []string
	for x := scriptLatin; x <= scriptOther; x++ {
		if s&(1<<x) != 0 {
			names = append(names, x.String())
		}
	}
	return strings.Join(names, " and ")
}

package english_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// settingNames are words for authors of policies.
var settingNames = regexp.MustCompile(`builtin|approval policy|approval_policy|mcp_elicitations|on-request|untrusted`)

// TestWhyNamesNoSetting: each reason has a whole sentence for the person, whatever layer gives it.
func TestWhyNamesNoSetting(t *testing.T) {
	for _, code := range english.ReasonCodes() {
		for _, layer := range []string{"", "managed", "user", "project", "session", "builtin"} {
			told := english.Why(elicit.Reason{Code: code, Layer: layer, Rule: "r", Args: []elicit.Arg{
				elicit.Str("approval_policy", "on-request"), elicit.Str("then", "ask"),
				elicit.Str("why", "because")}})
			if settingNames.MatchString(told) || !strings.HasSuffix(told, ".") || told[:1] != strings.ToUpper(told[:1]) {
				t.Errorf("%s of layer %q: %s", code, layer, told)
			}
		}
	}
}

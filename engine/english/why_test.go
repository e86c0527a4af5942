package english_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

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

// TestWhyKeepsArguments: a sentence gets its capital in a word of its own, so the name of a principal stays as it is.
func TestWhyKeepsArguments(t *testing.T) {
	for _, code := range english.ReasonCodes() {
		var args []elicit.Arg
		for _, name := range []string{"principal", "field", "flag", "guardian"} {
			args = append(args, elicit.Str(name, "émile"))
		}
		told := english.Why(elicit.Reason{Code: code, Args: args})
		if strings.Contains(told, "\ufffd") || !utf8.ValidString(told) || strings.HasPrefix(told, "É") {
			t.Errorf("%s: %q", code, told)
		}
	}
}

// TestEndedTellsWhoAnswered: an answer that a file or a person gave is nobody's silence.
func TestEndedTellsWhoAnswered(t *testing.T) {
	for code, want := range map[string]string{
		"scripted_answer": "a file of prepared answers decided",
		"granted":         "an answer that the person gave before decided",
		"rule_matched":    "policy decided; nobody was asked",
	} {
		reasons := []elicit.Reason{{Code: "approval_policy_asks"}, {Code: code}}
		if got := english.Ended(elicit.ByPolicy, reasons); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

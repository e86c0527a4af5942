package house

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var named = regexp.MustCompile(`\{([a-z_]+)\}`)

// argumentsOf lists the arguments of a code: those that its sentence uses, then the others.
func argumentsOf(code, sentence string) (list []string) {
	for _, found := range named.FindAllStringSubmatch(sentence, -1) {
		if !slices.Contains(list, found[1]) {
			list = append(list, found[1])
		}
	}
	return append(list, silentArguments[code]...)
}

// TestCodesNameTheirArguments finds codes in what vectors want. A sentence or silentArguments names every argument
// that comes with one.
func TestCodesNameTheirArguments(t *testing.T) {
	known := map[string][]string{}
	for _, code := range english.Codes() {
		for _, m := range english.Meanings(code) {
			known[code] = append(known[code], argumentsOf(code, m.Sentence)...)
		}
	}
	seen, sent := map[string]bool{}, map[string]bool{}
	var walk func(of any)
	walk = func(of any) {
		switch v := of.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			code, _ := v["code"].(string)
			args, _ := v["args"].(map[string]any)
			if list, ok := known[code]; ok {
				seen[code] = true
				for name := range args {
					again := sent[code+" "+name]
					sent[code+" "+name] = true
					if !again && code != "not_in_protocol" && code != "default_unfit" &&
						code != "default_dropped" && !slices.Contains(list, name) {
						t.Errorf("code %s comes with %s, which its sentence does not name", code, name)
					}
				}
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	for _, v := range vectors.Read(t) {
		var want any
		read := json.NewDecoder(bytes.NewReader(v.Want))
		read.UseNumber() // some vectors are about numbers that no float64 holds
		if err := read.Decode(&want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		walk(want)
	}
	if len(known) < 350 {
		t.Errorf("%d codes: the test has lost its subject", len(known))
	}
	if len(seen) < 250 {
		t.Errorf("vectors show %d codes: the test has lost its subject", len(seen))
	}
	for code, list := range silentArguments {
		for _, name := range list {
			if !sent[code+" "+name] {
				t.Errorf("no vector shows %s with %s", code, name)
			}
		}
	}
}

// silentArguments are the arguments of codes that their sentences leave out, because they are figures for programs.
// TestCodesNameTheirArguments compares them with the vectors.
var silentArguments = map[string][]string{
	"claim_malformed":       {"approval_policy"},
	"command_destructive":   {"count"},
	"command_exfiltrates":   {"count"},
	"command_intruder":      {"count"},
	"command_obfuscated":    {"count"},
	"command_pipe_to_shell": {"count"},
	"command_sensitive":     {"count"},
	"granular_flag_off":     {"approval_policy"},
	"granular_off":          {"approval_policy"},
	"guardian_allowed":      {"digest"},
	"guardian_asked":        {"digest", "of"},
	"guardian_audit":        {"because", "digest"},
	"guardian_denied":       {"digest", "fuel", "of"},
	"guardian_fault":        {"at", "digest", "fuel", "of", "problem"},
	"guardian_finding":      {"code"},
	"guardian_passed":       {"because", "digest", "fuel"},
	"guardian_redaction":    {"guardian"},
	"journal_cut":           {"line"},
	"journal_edited":        {"line"},
	"journal_gap":           {"line"},
	"journal_unchained":     {"line"},
	"journal_unreadable":    {"line"},
	"journal_version":       {"line"},
	"output_or_fault":       {"round"},
	"quiet_hours":           {"from", "offset", "to"},
	"ref_in_use":            {"ref"},
	"reviewer_allowed":      {"authorization"},
	"reviewer_asked":        {"authorization", "risk"},
	"reviewer_beyond":       {"because"},
	"reviewer_denied":       {"authorization"},
	"rule_matched":          {"why"},
	"same_principal":        {"round"},
	"secret_in_answer":      {"count"},
	"secret_refused":        {"count"},
	"secret_unconfirmed":    {"count"},
	"secret_value":          {"count"},
	"server_lookalike":      {"how"},
	"strict_review":         {"approval_policy"},
	"suggestion_refused":    {"approval_policy"},
	"text_long":             {"limit"},
	"text_destructive":      {"count"},
	"text_pressure":         {"count"},
	"unknown_event":         {"event", "record"},
	"unknown_request":       {"round"},
	"url_bidi":              {"count"},
	"command_package":       {"how"},
	"url_known_lookalike":   {"how"},
	"url_non_ascii_host":    {"ascii"},
}

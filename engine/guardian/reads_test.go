package guardian

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestPermits: what an operator leaves out has a value that is in docs/guardians.md, and what is wrong is told.
func TestPermits(t *testing.T) {
	digest := `"digest":"` + Digest(nil) + `"`
	declared := digest + `,"declared":{"phases":["before_send"],"reads":["/answer"]}`
	for text, want := range map[string]string{
		declared:                                         "[before_send] fuel 5000000 in 2000",
		declared + `,"host":true`:                        "[before_send] fuel 5000000 in 2000 host",
		declared + `,"reviewer":true`:                    "[before_send] fuel 5000000 in 90000 reviewer",
		declared + `,"phases":["before_send"]`:           "[before_send] fuel 5000000 in 2000",
		declared + `,"phases":["before_show"]`:           "phase_undeclared /0/phases",
		declared + `,"phases":[]`:                        "no_phases /0/phases",
		digest:                                           "guardian_undeclared /0/declared",
		digest + `,"host":true`:                          "[before_show before_send] fuel 5000000 in 2000 host",
		digest + `,"reviewer":true`:                      "guardian_undeclared /0/declared",
		`"wasi":true`:                                    "[before_show before_send] fuel 5000000 in 2000 host wasi",
		`"reviewer":true`:                                "[before_show] fuel 5000000 in 90000 host reviewer",
		`"reviewer":true,"escalate":true`:                "[before_show] fuel 5000000 in 90000 host reviewer escalate",
		`"reviewer":true,"audit":true`:                   "reviewer_in_audit /0/audit",
		`"audit":true`:                                   "[before_show before_send] fuel 5000000 in 2000 host audit",
		`"fuel":1,"deadline_ms":1`:                       "[before_show before_send] fuel 1 in 1 host",
		`"fuel":50000000,"deadline_ms":604800000`:        "[before_show before_send] fuel 50000000 in 604800000 host",
		`"fuel":50000001`:                                "limit_out_of_range /0/fuel",
		`"fuel":0`:                                       "limit_out_of_range /0/fuel",
		`"deadline_ms":604800001`:                        "limit_out_of_range /0/deadline_ms",
		`"deadline_ms":1.5`:                              "limit_out_of_range /0/deadline_ms",
		`"settings":[]`:                                  "wrong_type /0/settings",
		`"x":1`:                                          "unknown_member /0/x",
		`"digest":"` + strings.Repeat("0f9a", 16) + `0"`: "guardian_digest /0/digest",
		`"digest":"` + strings.Repeat("0f9a", 15) + `0f9g"`:  "guardian_digest /0/digest",
		`"data_digest":"` + strings.Repeat("/:@`", 16) + `"`: "guardian_digest /0/data_digest",
	} {
		permits, problems := ReadPermits(gjson.Parse(`[{"name":"g",` + text + `}]`))
		got := "none"
		if len(problems) > 0 {
			got = problems[0].Code + " " + problems[0].Pointer
		} else if len(permits) == 1 {
			g := permits[0]
			got = fmt.Sprint(g.Phases, " fuel ", g.Fuel, " in ", g.Deadline)
			for _, flag := range []struct {
				set  bool
				name string
			}{{g.Host, " host"}, {g.Reviewer, " reviewer"}, {g.Escalate, " escalate"}, {g.WASI, " wasi"}, {g.Audit, " audit"}} {
				if flag.set {
					got += flag.name
				}
			}
		}
		if got != want {
			t.Errorf("%s:\n got %s %v\nwant %s", text, got, problems, want)
		}
	}
	for list, want := range map[string]string{
		`{}`: "wrong_type ", `["g"]`: "wrong_type /0", `[{"name":"g"},{"name":"g"}]`: "guardian_twice /1/name",
		`[{}]`: "missing /0/name", `[{"nam":"g"}]`: "unknown_member /0/nam",
		`[{"name":"a"}` + strings.Repeat(",7", 15) + `]`:                         "wrong_type /1",
		`[` + strings.TrimSuffix(strings.Repeat(`{"name":"g"},`, 17), ",") + `]`: "guardian_twice /1/name",
	} {
		_, problems := ReadPermits(gjson.Parse(list))
		many := len(problems) > 0 && problems[len(problems)-1].Code == "too_many_guardians"
		if len(problems) == 0 || problems[0].Code+" "+problems[0].Pointer != want ||
			many != (strings.Count(list, "{") > 16) {
			t.Errorf("%.100s: %v, want %s", list, problems, want)
		}
	}
}

// TestPermitsOfRecords: a record of an earlier version is read as it was meant, and says so. A configuration is not.
func TestPermitsOfRecords(t *testing.T) {
	for mode, want := range map[string]string{"audit": "audit deprecated_member", "enforce": "counts deprecated_member",
		"x": "counts unknown_value"} {
		list := gjson.Parse(`[{"name":"g","mode":"` + mode + `"}]`)
		permits, problems := ReadRecordedPermits(list)
		got := "counts "
		if permits[0].Audit {
			got = "audit "
		}
		if got += problems[0].Code; got != want || problems[0].Pointer != "/0/mode" {
			t.Errorf("%s: %s %v, want %s", mode, got, problems, want)
		}
		if _, problems := ReadPermits(list); len(problems) != 1 || problems[0].Code != "unknown_member" {
			t.Errorf("%s in a configuration: %v", mode, problems)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		covers, exact bool
	}{
		{"/request", "request/message", true, false},
		{"/request/message", "request/message", true, true},
		{"/request/message", "request", false, false},
		{"/request/message", "request/messages", false, false},
		{"/request/form/fields/*/name", "request/form/fields/3/name", true, false},
		{"/request/form/fields/*/name", "request/form/fields/3/title", false, false},
		{"/request/form/fields/*", "request/form/fields/3/choices/0", true, false},
		{"/answer/*", "answer/password", true, false},
		{"/answer/*", "answer/*", true, false},
		{"/answer/password", "answer/password", true, true},
		{"/answer/password", "answer/password/x", true, false},
		{"/answer/a~1b~0c", "answer/a|b~c", true, true},
		{"/answer/", "answer/", true, true},
		{"/answer/", "answer/x", false, false},
	} {
		p, ok := ParsePattern(c.pattern)
		path := strings.Split(c.path, "/")
		for i := range path {
			path[i] = strings.ReplaceAll(path[i], "|", "/")
		}
		if !ok || p.String() != c.pattern || p.Covers(path) != c.covers || p.Exact(path) != c.exact {
			t.Errorf("%s on %q: read %t as %s, covers %t, exact %t; want %t, %t", c.pattern, path, ok, p, p.Covers(path),
				p.Exact(path), c.covers, c.exact)
		}
		if r := (Reads{{}, p}); r.Covers(path) != c.covers || r.Exact(path) != c.exact {
			t.Errorf("%s in a list disagrees with itself on %q", c.pattern, path)
		}
	}
	for _, bad := range []string{"", "/", "answer", "/answers", "/*", "/seed", "/settings/x", "/answer/~", "/answer/~2",
		"/answer/\xff",
		"/answer/" + strings.Repeat("a", maxPattern), "/answer" + strings.Repeat("/a", maxTokens)} {
		if p, ok := ParsePattern(bad); ok {
			t.Errorf("%q was read as %s", bad, p)
		}
	}
	for size, want := range map[int]bool{512: true, 513: false} {
		if _, ok := ParsePattern("/answer/" + strings.Repeat("a", size-len("/answer/"))); ok != want {
			t.Errorf("a pattern of %d bytes: read %t", size, ok)
		}
	}
	for tokens, want := range map[int]bool{16: true, 17: false} {
		if _, ok := ParsePattern("/answer" + strings.Repeat("/a", tokens-1)); ok != want {
			t.Errorf("a pattern of %d tokens: read %t", tokens, ok)
		}
	}
	if (Pattern{}).Covers([]string{"request"}) || (Pattern{}).Exact(nil) || (Reads{}).Covers(nil) {
		t.Error("nothing covers something")
	}
}

package swarm

import (
	"fmt"
	"strings"
)

// Draw decides, among n; 0 is the simplest.
type Draw func(n int) int

func (d Draw) one(list ...string) string { return list[d(len(list))] }

// Config is the configuration of an engine with features switched at random. A session that moves to another engine
// carries neither what holds always nor the allowance of a journal, guardians are asked again, and suggestions tell the
// ids of the engine that mints them. With moves there is none of these.
func Config(d Draw, moves bool) string {
	var members []string
	add := func(member string) {
		if member != "" {
			members = append(members, member)
		}
	}
	add(`"limits":{` + limits(d, moves) + `}`)
	for _, name := range []string{"join_duplicates", "pauses", "show_changes", "offer_scopes"} {
		if d(4) == 3 {
			add(`"` + name + `":true`)
		}
	}
	if !moves {
		add(guardians(d))
	}
	add(policies(d, moves))
	return "{" + strings.Join(members, ",") + "}"
}

func limits(d Draw, moves bool) string {
	list := []string{`"burst":50`, `"per_minute":6000`}
	if d(5) == 4 {
		list = []string{`"burst":3`, `"per_minute":60`}
	}
	for _, limit := range [][]string{{"shown", "2", "3"}, {"queue", "2", "5"}, {"answer_ttl_ms", "4000", "9000"},
		{"page_ttl_ms", "3000", "7000"}, {"shown_ttl_ms", "3000"}, {"flood_bytes", "0", "1", "300", "600", "5000"},
		{"per_minute_session", "600"}, {"ended", "3"}} {
		if d(3) == 2 && !(moves && limit[0] == "flood_bytes") {
			list = append(list, `"`+limit[0]+`":`+d.one(limit[1:]...))
		}
	}
	return strings.Join(list, ",")
}

func guardians(d Draw) string {
	var list []string
	for _, guardian := range []string{
		`{"name":"looks","host":true,"reads":["/request"],"deadline_ms":1500}`,
		`{"name":"auto","reviewer":true,"reads":["/request"],"deadline_ms":3000}`,
		`{"name":"pairs","host":true,"phases":["before_send"],"reads":["/request"],"deadline_ms":1500}`,
	} {
		if d(4) == 3 {
			list = append(list, guardian)
		}
	}
	if list == nil {
		return ""
	}
	return `"guardians":[` + strings.Join(list, ",") + "]"
}

func policies(d Draw, moves bool) string {
	var layers []string
	for _, layer := range []string{"managed", "user", "project", "session"} {
		if d(3) == 2 {
			layers = append(layers, fmt.Sprintf(`"%s":%s`, layer, policy(d, moves)))
		}
	}
	if layers == nil {
		return ""
	}
	return `"policy":{` + strings.Join(layers, ",") + "}"
}

func policy(d Draw, moves bool) string {
	members := []string{`"version":1`}
	grants := []string{`"none"`, `"session"`, `"always"`}
	if moves {
		grants = grants[:2]
	}
	for _, member := range [][]string{
		{"approval_policy", `"on-request"`, `"on-request"`, `"untrusted"`, `"never"`,
			`{"granular":{"mcp_elicitations":true,"sandbox_approval":false,"rules":true}}`},
		{"access", `"sandboxed"`, `"full"`}, {"reviewer", `"user"`, `"auto_review"`},
		append([]string{"grants"}, grants...), {"suggestions", `"tool"`, `"server"`},
		{"secrets", `"refuse"`, `"note"`}, {"findings", `{"decline":"high"}`, `{"decline":"never"}`},
		{"on_guardian_failure", `"ask"`}, {"late_questions", `"assume"`},
		{"quiet", `{"from":"00:01","to":"00:02","offset":"+00:00"}`},
		{"servers", `{"s":{"trust":true,"approvals":"writes"}}`, `{"s":{"approvals":"prompt"}}`,
			`{"s":{"tools":{"y":{"approvals":"approve"}}}}`},
	} {
		if d(4) == 3 && !(moves && member[0] == "suggestions") {
			members = append(members, `"`+member[0]+`":`+d.one(member[1:]...))
		}
	}
	var rules []string
	for i := range d(4) {
		rules = append(rules, fmt.Sprintf(`{"name":"r%d","when":{%s},"then":"%s"}`, i,
			d.one(`"kind":"confirm"`, `"tool":"y"`, `"kind":"approval","tool":"y"`, `"hasty":true`, `"mode":"url"`,
				`"server":"s*"`), d.one("ask", "accept", "accept", "decline", "cancel", "review")))
	}
	if rules != nil {
		members = append(members, `"rules":[`+strings.Join(rules, ",")+"]")
	}
	return "{" + strings.Join(members, ",") + "}"
}

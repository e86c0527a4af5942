package threelang

import (
	"encoding/json"
	"strings"
)

// exemption is a member of results that may differ between the servers. One that is the same everywhere fails the test.
type exemption struct {
	method string // of the message, or of the request that it answers, with or without a date before it; "" for any
	path   string // of the member, with / between names
	only   string // the one value that may be left out; "" for any value
	why    string
}

// exempt are the members that the SDKs write, and that say nothing about a question.
var exempt = []exemption{
	{"initialize", "result/capabilities", "", "the SDK's own"},
	{"prompts/list", "result/prompts/review/arguments", "[]", "the Python SDK writes what is empty"},
	{"prompts/list", "result/prompts/review/description", `""`, "the same"},
	{"prompts/get", "result/description", `""`, "the same"},
	{"resources/list", "result/resources/report/description", `""`, "the same"},
	{"tools/list", "result/tools/connect/description", `""`, "the same"},
	{"tools/list", "result/tools/deploy/description", `""`, "the same"},
	{"tools/list", "result/tools/finish/description", `""`, "the same"},
	{"tools/list", "result/tools/pay/description", `""`, "the same"},
	{"", "result/_meta/io.modelcontextprotocol~1serverInfo", "", "the Python SDK adds it to its own results only"},
	{"", "result/cacheScope", "", "Go and TypeScript write defaults of their own"},
	{"", "result/ttlMs", "", "the SDK's default"},
	{"tools/list", "result/tools/connect/inputSchema", "", "an SDK's schema of a tool without arguments"},
	{"tools/list", "result/tools/deploy/inputSchema", "", "the same"},
	{"tools/list", "result/tools/finish/inputSchema", "", "the same"},
	{"tools/list", "result/tools/pay/inputSchema", "", "the same"},
	{"tools/call", "result/isError", "false", "the Python SDK writes the default"},
	{"tools/call", "result/content", "[]", "the Go SDK writes it beside questions"},
	{"prompts/get", "result/messages", "null", "the same"},
	{"resources/read", "result/contents", "null", "the same"},
	{"notifications/message", "params",
		`{"data":"Internal Server Error","level":"error","logger":"mcp.server.exception_handler"}`,
		"the SDK 1 for Python says this of an answer that comes after its request was taken back"},
}

// leave takes what is exempt from a message. Lists have no order, so that they become objects.
func (c *client) leave(method string, m object) {
	if result, ok := m["result"].(object); ok {
		for _, list := range []string{"tools", "prompts", "resources"} {
			byName(result, list)
		}
	}
	for i, e := range exempt {
		if e.method != "" && e.method != method && e.method != c.date+" "+method {
			continue
		}
		names := strings.Split(e.path, "/")
		for i, name := range names {
			names[i] = strings.ReplaceAll(name, "~1", "/")
		}
		c.took[i] = append(c.took[i], take(m, names, e.only))
	}
}

func byName(result object, member string) {
	list, ok := result[member].([]any)
	if !ok {
		return
	}
	all := object{}
	for _, one := range list {
		all[one.(object)["name"].(string)] = one
	}
	result[member] = all
}

// take removes a member, and objects that are empty then. It returns the value as JSON.
func take(from object, names []string, only string) string {
	value, has := from[names[0]]
	if !has {
		return ""
	}
	if len(names) > 1 {
		inner, ok := value.(object)
		if !ok {
			return ""
		}
		taken := take(inner, names[1:], only)
		if taken != "" && len(inner) == 0 {
			delete(from, names[0])
		}
		return taken
	}
	text, _ := json.Marshal(value)
	if only != "" && string(text) != only {
		return ""
	}
	delete(from, names[0])
	return string(text)
}

// Package threelang starts one server that asks in Go, TypeScript and Python, and plays one script with each. The words
// of server and client must be the same, byte for byte, after ids and the order of members.
package threelang

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the repository.
const root = "../../.."

// kinds are the kinds of clients: they get questions in requests, in results, or through their model.
var kinds = []kind{
	{"2025-06-18", object{}},
	{"2025-11-25", object{"form": object{}, "url": object{}}},
	{"2025-11-25", nil},
	{"2026-07-28", object{"form": object{}, "url": object{}}},
	{"2026-07-28", nil},
}

// servers are the commands of the server. The last one is of the SDK 1 for Python, which has no rounds. CI has all of
// them.
func servers(t *testing.T) [4][]string {
	at := func(file string) string { return filepath.Join(root, filepath.FromSlash(file)) }
	python := os.Getenv("ELICIT_PYTHON")
	if python == "" {
		python = at("testdata/realparts/venv/bin/python")
	}
	python1, script := at("testdata/realparts/venv1/bin/python"), at("bindings/python/tests/threelang.py")
	all := [4][]string{{os.Args[0]}, {"node", at("bindings/js/test/ask/threelang.mjs")}, {python, script},
		{python1, script}}
	for _, file := range []string{"node", python, python1, at("dist/libelicit.so.1"), at("bindings/js/dist/elicit.wasm"),
		at("bindings/js/node_modules/@modelcontextprotocol/server")} {
		_, err := exec.LookPath(file)
		if _, found := os.Stat(file); err == nil || found == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("there is no %s", file)
		}
		t.Skipf("there is no %s: ./build.sh test builds and installs it", file)
	}
	return all
}

// TestServers fails where a byte of one server differs, and where an exemption is not needed any more.
func TestServers(t *testing.T) {
	commands := servers(t)
	differed, played := make([]bool, len(exempt)), 0
	for _, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			clients := make([]*client, len(commands))
			if k.rounds() {
				clients = clients[:3]
			}
			t.Run("play", func(t *testing.T) {
				for i, command := range commands[:len(clients)] {
					t.Run(filepath.ToSlash(command[0]), func(t *testing.T) {
						t.Parallel()
						c := connect(t, k, command)
						play(c)
						clients[i] = c
					})
				}
			})
			if slices.Contains(clients, nil) {
				t.FailNow()
			}
			played++
			for _, c := range clients[1:] {
				same(t, clients[0].all, c.all)
				for i := range exempt {
					differed[i] = differed[i] || !slices.Equal(c.took[i], clients[0].took[i])
				}
			}
		})
	}
	for i, e := range exempt {
		if !differed[i] && played == len(kinds) {
			t.Errorf("%s %s is the same in all languages (%s): remove the exemption", e.method, e.path, e.why)
		}
	}
}

// same compares the lines of two servers.
func same(t *testing.T, one, other []string) {
	t.Helper()
	step, left := "", 8
	for i := range max(len(one), len(other)) {
		a, b := "nothing", "nothing"
		if i < len(one) {
			a = one[i]
		}
		if i < len(other) {
			b = other[i]
		}
		if strings.HasPrefix(a, "# ") {
			step = a
		}
		if a == b {
			continue
		}
		if t.Errorf("%s\n  %s\n  %s", step, a, b); left == 0 {
			return
		}
		left--
	}
}

func choose(value string) answer { return answer{action: "accept", content: object{"choice": value}} }

// play plays the script.
func play(c *client) {
	yes, no, later := answer{action: "accept"}, answer{action: "decline"}, answer{action: "cancel"}
	c.step("the session begins")
	for _, list := range []string{"tools/list", "prompts/list", "resources/list"} {
		c.ask(list, object{})
		c.step(list)
	}
	tool := func(name string, answers ...answer) {
		c.ask("tools/call", object{"name": name, "arguments": object{}}, answers...)
	}
	tool("deploy", choose("production"), yes)
	c.step("an accepted form")
	repeat(c)
	tool("deploy", no)
	c.step("a declined form")
	tool("deploy", later)
	c.step("a cancelled form")
	tool("deploy", choose("staging"), no)
	c.step("a declined second form")
	tool("deploy", choose("nowhere"))
	c.step("wrong answers")
	tool("deploy", choose("nowhere"), choose("staging"), yes)
	c.step("a right answer after a wrong one")
	tool("pay", yes)
	c.step("a key and a value")
	repeat(c)
	visits(c, tool)
	for _, r := range []struct {
		method string
		params object
		value  string
	}{
		{"prompts/get", object{"name": "review"}, "slow"},
		{"resources/read", object{"uri": "report://now"}, "long"},
	} {
		for _, a := range []answer{choose(r.value), no, later, choose("nowhere")} {
			c.ask(r.method, r.params, a)
			c.step(r.method + " " + a.action)
		}
	}
	for _, arguments := range []object{{}, {"id": "x"}, {"id": "x", "action": "accept"}, {"id": 1, "action": []any{}}} {
		c.ask("tools/call", object{"name": "elicitation_result", "arguments": arguments})
		c.step("the answer of a model to no question")
	}
}

// repeat makes the last call again, with the same bytes, and then with others.
func repeat(c *client) {
	if c.again == nil {
		return
	}
	call := func(name string, params object) {
		c.reply(c.send("tools/call", params))
		c.step("again: " + name)
	}
	call("the same bytes", c.again)
	state, rounds := c.again["requestState"].(string)
	if !rounds {
		return
	}
	change := func(member string, value any) object {
		changed := maps.Clone(c.again)
		changed[member] = value
		return changed
	}
	call("the state of another tool", change("name", "connect"))
	call("other arguments", change("arguments", object{"env": "x"}))
	call("other answers", change("inputResponses", object{}))
	call("a changed state", change("requestState", state[:40]+strings.ToLower(state[40:])))
	call("no state", change("requestState", "x"))
}

// visits lets the person visit a page, which is finished before they agree, after that, or never.
func visits(c *client, tool func(name string, answers ...answer)) {
	yes := answer{action: "accept"}
	finish := func() int { return c.send("tools/call", object{"name": "finish", "arguments": object{}}) }
	c.reply(finish())
	c.step("a page that is finished, for which nobody waits")
	settle := func(name string) {
		c.ask("tools/list", object{}) // what the server sends has come
		slices.Sort(c.said)
		c.step(name + ", in any order")
	}
	yes.before = func() { c.reply(finish()) }
	tool("connect", yes)
	for c.date == "2025-11-25" && c.elicitation != nil && c.back == 0 { // the server takes its request back
		c.read()
	}
	settle("a page that is finished before the person agrees")
	finished := 0
	tool("connect", answer{action: "accept", after: func() { finished = finish() }})
	c.reply(finished)
	settle("a page that is finished later")
	tool("connect", answer{action: "decline"})
	c.step("a page that the person declines")
}

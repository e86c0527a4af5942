package threelang

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
)

type object = map[string]any

// client is a scripted client of one server, which it starts. It writes down what both sides say.
type client struct {
	*testing.T
	kind
	in    io.Writer
	lines *bufio.Scanner
	last  int      // the id of the latest request
	names []string // the ids, states and keys that came, in their order

	methods map[int]string  // of the requests
	replies map[int]message // that nobody has read
	again   object          // the parameters of the call that carried the last answer, in a result or through a model
	said    []string        // the messages since the last step
	all     []string
	took    [][]string // what each exemption has taken
	back    int        // how many requests the server has taken back, each at a time of its own
}

// kind is a kind of client.
type kind struct {
	date        string
	elicitation any // what it declares; nil for nothing
}

func (k kind) String() string {
	text, _ := json.Marshal(k.elicitation)
	return k.date + " " + string(text)
}

// rounds tells whether questions come in results.
func (k kind) rounds() bool { return k.date == "2026-07-28" }

type message struct {
	ID     any
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// connect starts a server and opens the session.
func connect(t *testing.T, k kind, command []string) *client {
	c := &client{T: t, kind: k, methods: map[int]string{}, replies: map[int]message{},
		took: make([][]string, len(exempt))}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	library, _ := filepath.Abs(filepath.Join(root, "dist/libelicit.so.1"))
	source, _ := filepath.Abs(filepath.Join(root, "bindings/python/src"))
	cmd.Env = append([]string{"ELICIT_LIBRARY=" + library, "PYTHONPATH=" + source, serves + "=yes"}, os.Environ()...)
	cmd.Stderr = t.Output()
	in, out := must.Start(t, cmd)
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	c.in, c.lines = in, bufio.NewScanner(out)
	c.lines.Buffer(nil, 1<<20)
	if !k.rounds() {
		c.reply(c.send("initialize", object{"protocolVersion": k.date, "capabilities": c.capabilities(),
			"clientInfo": object{"name": "script", "version": "1"}}))
		c.write(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	return c
}

func (c *client) capabilities() object {
	if c.elicitation == nil {
		return object{}
	}
	return object{"elicitation": c.elicitation}
}

// send sends a request and returns its id.
func (c *client) send(method string, params object) int {
	c.last++
	c.methods[c.last] = method
	params = maps.Clone(params)
	if c.rounds() {
		params["_meta"] = object{"io.modelcontextprotocol/protocolVersion": c.date,
			"io.modelcontextprotocol/clientInfo":         object{"name": "script", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": c.capabilities()}
	}
	c.write(object{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params})
	return c.last
}

func (c *client) write(m object) {
	line, err := json.Marshal(m)
	if err != nil {
		c.Fatal(err)
	}
	c.note("client", line)
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.Fatal(err)
	}
}

// read returns the next message of the server.
func (c *client) read() message {
	if !c.lines.Scan() {
		c.Fatalf("the server has ended: %v\n%s", c.lines.Err(), strings.Join(append(c.all, c.said...), "\n"))
	}
	c.note("server", c.lines.Bytes())
	var m message
	if err := json.Unmarshal(c.lines.Bytes(), &m); err != nil {
		c.Fatalf("the server says %q", c.lines.Bytes())
	}
	if id, ok := m.ID.(float64); ok && m.Method == "" {
		c.replies[int(id)] = m
	}
	return m
}

// reply returns the response to a request. No question may come before it.
func (c *client) reply(id int) message {
	for {
		if m, has := c.replies[id]; has {
			delete(c.replies, id)
			return m
		}
		if m := c.read(); m.Method == "elicitation/create" {
			c.Fatalf("a question: %s", m.Params)
		}
	}
}

// step ends a part of the script.
func (c *client) step(name string) {
	c.all = append(append(c.all, "# "+name), c.said...)
	c.said = nil
}

// named is what differs from run to run: sealed states, ids, keys and times.
var named = regexp.MustCompile(`\be1\.[\w-]+|\b[\w-]{20,}|\b1\d{12}\b`)

// words are as long as ids.
var words = []string{"additionalProperties"}

// note writes a message down, with its members in order, with names in place of ids, and without what is exempt.
func (c *client) note(who string, line []byte) {
	var m object
	if err := json.Unmarshal(line, &m); err != nil {
		c.Fatalf("the %s says %q", who, line)
	}
	id, response := m["id"].(float64)
	method, request := m["method"].(string)
	if who == "server" && response && !request {
		method = c.methods[int(id)]
	} else if who == "server" && m["id"] != nil || who == "client" && !request {
		m["id"] = "the server's"
	}
	if method == "notifications/cancelled" {
		c.back++
		return
	}
	if who == "server" {
		if c.leave(method, m); method == "notifications/message" && m["params"] == nil {
			return
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		c.Fatal(err)
	}
	c.said = append(c.said, who+" "+named.ReplaceAllStringFunc(string(text), c.name))
}

// name names a text. The same text has the same name.
func (c *client) name(of string) string {
	if slices.Contains(words, of) {
		return of
	}
	if len(of) == 13 {
		return "<time>"
	}
	i := slices.Index(c.names, of)
	if i < 0 {
		i = len(c.names)
		c.names = append(c.names, of)
	}
	return fmt.Sprintf("<%d>", i)
}

// answer is what the person does, or the model for them.
type answer struct {
	action  string
	content object
	before  func() // what happens before the server hears it
	after   func() // and then
}

// ask makes a request, and lets the person answer its questions. They give the last answer again and again.
func (c *client) ask(method string, params object, answers ...answer) {
	id := c.send(method, params)
	give := func(write func(answer)) {
		a := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		if a.before != nil {
			a.before()
		}
		write(a)
		if a.after != nil {
			a.after()
		}
	}
	for {
		reply, has := c.replies[id]
		if !has {
			if m := c.read(); m.Method == "elicitation/create" {
				give(func(a answer) { c.write(object{"jsonrpc": "2.0", "id": m.ID, "result": a.to(m.Params)}) })
			}
			continue
		}
		delete(c.replies, id)
		text := gjson.GetBytes(reply.Result, "content.0.text").String()
		_, after, asks := strings.Cut(text, `"id":"`)
		switch {
		case gjson.GetBytes(reply.Result, "resultType").String() == "input_required":
			give(func(a answer) { c.again = a.carried(params, reply.Result); id = c.send(method, c.again) })
		case asks:
			token, _, _ := strings.Cut(after, `"`)
			give(func(a answer) { // the server has heard a model when it replies
				c.again = a.passed(token)
				id = c.send(method, c.again)
				c.replies[id] = c.reply(id)
			})
		default:
			return
		}
	}
}

// carried is a call with the answers to the questions of a result, and with its state.
func (a answer) carried(call object, result json.RawMessage) object {
	responses := object{}
	gjson.GetBytes(result, "inputRequests").ForEach(func(key, value gjson.Result) bool {
		responses[key.String()] = a.to([]byte(value.Get("params").Raw))
		return true
	})
	call = maps.Clone(call)
	call["inputResponses"], call["requestState"] = responses, gjson.GetBytes(result, "requestState").String()
	return call
}

// passed is the call with which a model passes an answer on.
func (a answer) passed(id string) object {
	arguments := object{"id": id, "action": a.action}
	if a.content != nil {
		arguments["content"] = a.content
	}
	return object{"name": "elicitation_result", "arguments": arguments}
}

// to is the answer to a question: an accepted form has the first of each list of choices that the content lacks.
func (a answer) to(params json.RawMessage) object {
	if a.action != "accept" {
		return object{"action": a.action}
	}
	form := gjson.GetBytes(params, "requestedSchema.properties")
	if !form.Exists() {
		return object{"action": "accept"}
	}
	content := maps.Clone(a.content)
	if content == nil {
		content = object{}
	}
	form.ForEach(func(key, field gjson.Result) bool {
		if _, has := content[key.String()]; !has {
			content[key.String()] = field.Get("oneOf.0.const").Value()
			if first := field.Get("enum.0"); first.Exists() {
				content[key.String()] = first.Value()
			}
		}
		return true
	})
	return object{"action": "accept", "content": content}
}

package hooks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// nothingToType is the schema of an approval.
var nothingToType = []byte(`{"type":"object","properties":{}}`)

// networkAccess begins the description of what Codex asks before a command reaches a host, under the name of the shell.
const networkAccess = "network-access "

// call is a tool call as a host tells of it.
//
// A reader of a host fills it, and approval makes the request of it. server and own go together: own is true only if
// server is the host. place is "" if the host takes no directory in the arguments.
type call struct {
	server, tool string
	own          bool // the tool is the host's own
	input        []byte
	at           string // the pointer of input
	cwd          string
	place        string // the directory that the arguments name, if the host is known to obey them
	moves        string // the same, if it is not below cwd
}

// readToolCall reads tool_name and tool_input, as Claude Code, Codex and VS Code spell them.
func readToolCall(r *reading, hook *Hook) {
	c := call{tool: r.filled("tool_name"), input: r.Get("tool_input"), at: "/tool_input", cwd: r.optional("cwd")}
	r.server(&c)
	if r.host.host == Qwen { // the shell of the others takes no directory
		r.shellDirectory(&c, "directory")
	}
	hook.Request.Ref = r.optional("tool_use_id")
	r.approval(hook, c)
}

// server finds whose tool it is. Tools of MCP servers are named mcp__SERVER__TOOL.
//
// Examples: mcp__files__read is read of files. mcp__a__b__c is refused, unless the member mcp_server says that the
// server is a__b or a.
func (r *reading) server(c *call) {
	rest, mcp := strings.CutPrefix(c.tool, "mcp__")
	if provenance, ok := r.Child("mcp_server"); ok {
		name, named := wire.Text(provenance.Get("name"))
		tool, fits := strings.CutPrefix(rest, plainName(name)+"__")
		if !mcp || !named || name == "" || !fits || tool == "" {
			r.report("bad_input", "/mcp_server")
			return
		}
		r.named(c, name, tool)
		return
	}
	if !mcp {
		c.server, c.own = string(r.host.host), true
		return
	}
	// A server may be called a__b, and a tool b__c. To guess could approve a tool of another server.
	server, tool, _ := strings.Cut(rest, "__")
	if server == "" || tool == "" || strings.Contains(tool, "__") || tool[0] == '_' {
		r.report("hook_tool_unclear", "/tool_name", elicit.Str("tool", shown(c.tool)))
		return
	}
	r.named(c, server, tool)
}

// named is the server and the tool of a call.
func (r *reading) named(c *call, server, tool string) {
	r.notHost(server)
	c.server, c.tool = server, tool
}

// notHost refuses a server that has the host's name: a policy trusts what the host says of its own tools.
func (r *reading) notHost(server string) {
	if server == string(r.host.host) {
		r.report("hook_server_is_host", "", elicit.Str("server", server))
	}
}

// plainName is a server's name as a tool's name contains it.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			return c
		}
		return '_'
	}, name)
}

// approval makes the call a tool approval.
//
// The cases are in this order: a command of the host's own shell, a file, a patch, and any other tool with its
// arguments as JSON. A tool of an MCP server is always the last, whatever its name is: only the host's own Bash is a
// shell.
func (r *reading) approval(hook *Hook, c call) {
	q := &hook.Request
	q.Server, q.Tool, q.Mode, q.Schema = c.server, c.tool, elicit.Form, nothingToType
	q.Claim, q.Does, q.Cwd = elicit.ClaimApproval, elicit.DeedTool, wire.PlainPath(c.cwd)
	q.Ref = cmp.Or(q.Ref, hook.Event)
	input, isObject := wire.ReadObject(c.input)
	if c.input != nil && !isObject {
		r.report("bad_input", c.at)
		return
	}
	shell, runs := r.host.shell[c.tool]
	file, touches := r.host.files[c.tool]
	patch, edits := r.host.patches[c.tool]
	switch {
	case c.own && runs:
		if c.place == "" && elsewhere(input, c.cwd) {
			q.Cwd = "" // it is not known where this is
		}
		q.Cwd = cmp.Or(c.moves, q.Cwd)
		setCommand(q, c.tool, r.command(input.Get(shell), c.at+"/"+shell))
		if c.moves != "" { // a rule about "./" means where the call begins, and a rule about cwd where it goes
			q.Cwd = ""
			script := wire.CommandLine([]string{"cd", c.moves}) + "\n" + q.Command
			if q.Command == "" || len(script) > maxCommand {
				script = "" // a command that is too long is not known
			}
			q.Command = script
		}
		if r.host.patches != nil {
			setShellPatch(q)
		}
		// The command asks to run outside of the sandbox of the host. Outside says so to policy.
		if unboxed(input) {
			q.Outside = elicit.SaidYes
		}
		// An edited command is decided again as it is written, so only one that was decided as written can be edited.
		if text, is := wire.Text(input.Get(shell)); is && q.Command == text && r.editable(q, c.input) {
			q.CommandAt = "/" + shell
		}
		access, _ := wire.Text(input.Get("description"))
		if target, reaches := strings.CutPrefix(access, networkAccess); reaches && r.host.host == Codex {
			// A yes to the command is no yes to the network.
			setMessage(q, c.tool, access+" for: "+q.Command)
			q.Parts, q.Command = nil, ""
			opens(q, target)
		}
	// The host reads one member, but versions of it have read others. All that look like a path count.
	case c.own && touches:
		place, ok := wire.Text(input.Get(file))
		if !ok || place == "" {
			r.report("bad_input", c.at+"/"+file)
		}
		setMessage(q, c.tool, place)
		q.AddPath(pathIn(q.Cwd, place))
		for _, other := range places(input) {
			if other != place {
				q.AddPath(pathIn(q.Cwd, other))
			}
		}
		if slices.Contains(r.host.changes, c.tool) {
			q.Does = elicit.DeedPatch
		}
	case c.own && edits:
		setPatch(q, c.tool, r.command(input.Get(patch), c.at+"/"+patch))
	case len(input.Members) > 0:
		setMessage(q, c.tool, string(jsontext.AppendValue(nil, c.input)))
		r.editable(q, c.input)
	default:
		q.Message = wire.Cut(c.tool, maxName)
	}
	if c.own {
		q.Annotations = r.host.traits[c.tool]
		switch name := folded(c.tool); {
		case slices.Contains(searches, name):
			searched(q, input)
		// Such a tool touches nothing. The directory of the call stands for it, so a rule for that directory decides.
		case slices.Contains(notes, name) && q.Cwd != "":
			q.Annotations = reads
			q.AddPath(q.Cwd)
		}
	}
	q.Takes |= r.takes & note
}

const (
	maxWhole   = 48 << 10 // bytes of a text that the message shows whole; the engine refuses one of over 64 KiB
	maxName    = 4 << 10  // bytes of a name or a directory
	maxCommand = 64 << 10 // bytes of a command that the engine takes; a longer one is not known
)

// setMessage is the message about a tool. The end of a long text is replaced by its digest.
//
// It has no parts: the text is one.
func setMessage(q *elicit.Request, tool, text string) {
	q.Message = wire.Cut(tool, maxName) + ": " + wire.Cut(text, maxWhole)
	q.MessageCut = len(tool) > maxName || len(text) > maxWhole
}

// setCommand says which command a shell would run. The message shows it as the host tells it.
//
// q.Command is what the shell of the host runs in the end. The message has the wrapper too.
func setCommand(q *elicit.Request, tool, command string) {
	var text wire.Parts
	text.Add(elicit.PartText, tool, maxName)
	text.Add(elicit.PartCommand, command, maxWhole)
	if q.Cwd != "" {
		text.Add(elicit.PartDirectory, "In "+wire.InLine(q.Cwd), maxName)
	}
	text.Set(q)
	q.Does = elicit.DeedCommand
	if script := wire.Script(command); len(script) <= maxCommand {
		q.Command = script
	}
}

// opens makes the call a permission to reach a host, which stands alone or in a URL.
//
// Examples of target: example.org, example.org:443, https://example.org/. Anything else sets ReachCut.
func opens(q *elicit.Request, target string) {
	q.Does = elicit.DeedPermissions
	if _, rest, ok := strings.Cut(target, "://"); ok {
		target = rest
	}
	host, port, _ := strings.Cut(strings.TrimSuffix(target, "/"), ":")
	if strings.Trim(port, "0123456789") != "" || host == "" || strings.ContainsAny(host, " /@[]\\?#") {
		q.ReachCut = true // it is not known which host this is
		return
	}
	q.AddHost(host)
}

// editable lets the person edit the arguments of a call, if the host takes others and policy can read them again: they
// are in the message, or the command is. It reports whether they can.
//
// Without arguments in the request, the person may only say yes or no.
func (r *reading) editable(q *elicit.Request, input []byte) bool {
	if r.takes&elicit.TakesEdit == 0 || len(input) > maxEditable {
		return false
	}
	q.Arguments, q.Takes = input, q.Takes|elicit.TakesEdit
	return true
}

// maxEditable is the most bytes of arguments that a person can edit, far below the limit of the engine.
const maxEditable = 16 << 10

// command reads a command: a text for a shell, or a list of arguments.
func (r *reading) command(raw []byte, at string) string {
	if text, ok := wire.Text(raw); ok && text != "" {
		return text
	}
	words, ok := wire.Texts(raw, limits.Members)
	if !ok || len(words) == 0 {
		r.report("bad_input", at)
	}
	return wire.CommandLine(words)
}

// pathIn is the path of a file, absolute when it is so or when the directory is known.
//
// It removes "." and "..", and follows no links.
func pathIn(cwd, place string) string {
	if strings.HasPrefix(cwd, "/") && !strings.HasPrefix(place, "/") {
		place = cwd + "/" + place
	}
	return wire.PlainPath(place)
}

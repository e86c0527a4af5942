package hooks

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// shellOfCursor is the tool's name for commands of Cursor, whose input names no tool.
const shellOfCursor = "Shell"

// readCursorShell reads a command. The event has no tool_input: the command is a member of the event.
func readCursorShell(r *reading, hook *Hook) {
	q := &hook.Request
	r.approval(hook, call{server: string(Cursor), tool: shellOfCursor, cwd: r.cursorDirectory()})
	setCommand(q, shellOfCursor, r.filled("command"))
}

// cursorDirectory is the directory of a command, or else the only root of the workspace.
func (r *reading) cursorDirectory() string {
	if cwd := r.optional("cwd"); cwd != "" {
		return cwd
	}
	if roots, _ := wire.Texts(r.Get("workspace_roots"), 1); len(roots) > 0 {
		return roots[0]
	}
	return ""
}

// readCursorMCP reads a call of an MCP server. Cursor does not give the server's name, only its URL or its command, so
// that is the name that policy sees.
func readCursorMCP(r *reading, hook *Hook) {
	c := call{tool: r.filled("tool_name"), input: r.inner("tool_input"), at: "/tool_input", cwd: r.cursorDirectory()}
	// Exactly one of them names the server. With both, it would not be clear which one policy decides by.
	url, command := r.optional("url"), r.optional("command")
	if (url == "") == (command == "") {
		r.report("bad_input", "/url")
	}
	r.named(&c, url+command, c.tool)
	r.approval(hook, c)
}

// readCursorTool reads a call of any tool. A tool of an MCP server is decided at an event of its own, because its
// server is not named here. Commands, files that are read and subagents have such an event too.
//
// Later is set for calls that come again in an event of their own, where Cursor can ask. A caller that wants to ask can
// stay silent here.
func readCursorTool(r *reading, hook *Hook) {
	c := call{server: string(Cursor), tool: r.filled("tool_name"), own: true, input: r.inner("tool_input"),
		at: "/tool_input", cwd: r.cursorDirectory()}
	input, _ := wire.ReadObject(c.input)
	switch {
	case strings.HasPrefix(c.tool, "MCP:"):
		hook.Asks = AboutNothing
	case c.tool == shellOfCursor:
		hook.Later = true
		r.shellDirectory(&c, "working_directory")
	case c.tool == "Read" || c.tool == "Task":
		hook.Later = true
	}
	hook.Request.Ref = r.optional("tool_use_id")
	r.approval(hook, c)
	q := &hook.Request
	for _, member := range pathsOfCursor {
		if place, ok := wire.Text(input.Get(member)); ok && place != "" && c.tool != shellOfCursor {
			q.AddPath(pathIn(q.Cwd, place))
			switch c.tool {
			case "Write", "Edit", "StrReplace", "Delete":
				setMessage(q, c.tool, place)
				q.Does = elicit.DeedPatch
			case "Read":
				setMessage(q, c.tool, place)
			}
		}
	}
}

// pathsOfCursor are the members with the path of a file. Cursor's page has no list of them.
var pathsOfCursor = []string{"file_path", "path", "target_file"}

// readCursorFile reads that a file is to be read. The text of the file is left out.
func readCursorFile(r *reading, hook *Hook) {
	r.approval(hook, call{server: string(Cursor), tool: "Read", cwd: r.cursorDirectory()})
	q, place := &hook.Request, r.filled("file_path")
	setMessage(q, "Read", place)
	q.Annotations = reads
	q.AddPath(pathIn(q.Cwd, place))
}

// readCursorSubagent reads that a subagent begins. Its task is shown, and no rule can decide by it.
func readCursorSubagent(r *reading, hook *Hook) {
	r.approval(hook, call{server: string(Cursor), tool: "Task", cwd: r.cursorDirectory()})
	q := &hook.Request
	text := r.filled("subagent_type")
	if task := r.optional("task"); task != "" {
		text += "\n\n" + task
	}
	setMessage(q, "Task", text)
}

// The tools of VS Code that have to do with files, in each of their names: the one of the model, such as create_file,
// and the one of the extension, such as copilot_createFile.
var (
	changesOfVSCode = []string{"createfile", "createdirectory", "editfile", "editfiles", "replacestring",
		"replacestringinfile", "multireplacestring", "multireplacestringinfile", "insertedit", "inserteditintofile",
		"applypatch", "editnotebook", "editnotebookfile"}
	readsOfVSCode = []string{"readfile", "listdir", "listdirectory", "findfiles", "filesearch", "findtextinfiles",
		"grepsearch"}
	pathsOfVSCode = []string{"filePath", "file_path", "path", "dirPath", "uri"}
)

// readVSCode reads a call. VS Code's page does not list the members of its tools, so the files of a tool that changes
// some are not known if none is found.
//
// Two kinds of names lead to one tool, and each version adds members. So the reader collects every path that it finds,
// and sets ReachCut where a list has another type, an item names no file, or a URI is no plain file.
func readVSCode(r *reading, hook *Hook) {
	readToolCall(r, hook)
	q := &hook.Request
	if q.Server != string(VSCode) || q.Does == elicit.DeedCommand {
		return
	}
	name := bareVSCode(q.Tool)
	if member := terminalsOfVSCode[name]; member != "" {
		r.terminal(q, name, member)
		return
	}
	changes := slices.Contains(changesOfVSCode, name)
	if !changes && !slices.Contains(readsOfVSCode, name) {
		return
	}
	input, _ := r.Child("tool_input")
	places := placesIn(input)
	named := len(places) > 0 || input.Get("files") != nil // then an item may leave its file out
	for _, list := range []string{"replacements", "edits"} {
		raw := input.Get(list)
		items, _ := wire.Elements(raw, limits.Members)
		q.ReachCut = q.ReachCut || raw != nil && wire.TypeOf(raw) != wire.Array
		for _, item := range items {
			o, _ := wire.ReadObject(item)
			more := placesIn(o)
			places, q.ReachCut = append(places, more...), q.ReachCut || len(more) == 0 && !named
		}
	}
	files, ok := wire.Texts(input.Get("files"), limits.Members)
	q.ReachCut = q.ReachCut || !ok && input.Get("files") != nil
	places = append(places, files...)
	for _, place := range places {
		file, known := fileOfURI(place)
		q.ReachCut = q.ReachCut || !known
		q.AddPath(pathIn(q.Cwd, file))
	}
	if patch, is := wire.Text(input.Get("input")); is && name == "applypatch" {
		places = append(places, addPatch(q, patch)...)
	}
	if !changes {
		return
	}
	q.Does, q.Annotations = elicit.DeedPatch, edits
	if len(places) == 0 {
		q.ReachCut = true
		return
	}
	setMessage(q, q.Tool, strings.Join(places, "\n"))
}

// bareVSCode is a tool's name without the set that it is in, without who brings it, and folded.
func bareVSCode(tool string) string {
	tool = tool[strings.LastIndexByte(tool, '/')+1:]
	return folded(strings.TrimPrefix(strings.TrimPrefix(tool, "copilot_"), "vscode_"))
}

// terminalsOfVSCode are the tools that give a command to a terminal, and the member with it.
var terminalsOfVSCode = map[string]string{"runinterminal": "command", "runterminalcommand": "command",
	"runinterminal2": "command", "sendtoterminal": "command", "createandruntask": "task"}

// terminal makes the call one about a command: the text for a terminal, or a task that VS Code writes down and runs.
// Nobody knows the directory of a terminal that is there already, nor that of a task.
func (r *reading) terminal(q *elicit.Request, name, member string) {
	input, _ := r.Child("tool_input")
	at := "/tool_input/" + member
	if name == "sendtoterminal" || member == "task" {
		q.Cwd = ""
	}
	text := ""
	if task, is := input.Child(member); is && member == "task" {
		text = r.command(task.Get("command"), at+"/command")
		if raw := task.Get("args"); raw != nil {
			words, ok := wire.Texts(raw, limits.Members)
			if !ok {
				r.report("bad_input", at+"/args")
			}
			text = strings.TrimRight(text+" "+wire.CommandLine(words), " ")
		}
	} else {
		text = r.command(input.Get(member), at)
	}
	setCommand(q, q.Tool, text)
	if unboxed(input) {
		q.Outside = elicit.SaidYes
	}
}

// fileOfURI is the path of a URI of a file, or of a path. It returns false for any other URI, and for one with escapes.
//
// Examples: file:///w/a is /w/a. file:///w/a%20b, vscode-remote://x/a and file:a are not known.
func fileOfURI(place string) (string, bool) {
	file, is := strings.CutPrefix(place, "file://")
	if is {
		return file, strings.HasPrefix(file, "/") && !strings.Contains(file, "%")
	}
	return place, !strings.Contains(place, "://") && !strings.HasPrefix(place, "file:")
}

// placesIn are the paths that an object of VS Code has.
func placesIn(o wire.Object) (list []string) {
	for _, member := range pathsOfVSCode {
		if place, ok := wire.Text(o.Get(member)); ok && place != "" {
			list = append(list, place)
		}
	}
	return list
}

// readCopilot reads a call. Copilot gives the arguments as JSON text, and does not say which tools are those of
// servers.
func readCopilot(r *reading, hook *Hook) {
	c := call{server: string(Copilot), tool: r.filled("toolName"), own: true, input: r.inner("toolArgs"), at: "/toolArgs",
		cwd: r.optional("cwd")}
	if c.cwd == "" {
		c.cwd = r.optional("workingDirectory")
	}
	r.approval(hook, c)
}

// readGemini reads a call. mcp_context names the server. Without it, the tool is the host's own.
func readGemini(r *reading, hook *Hook) {
	c := call{server: string(Gemini), tool: r.filled("tool_name"), own: true, input: r.Get("tool_input"),
		at: "/tool_input", cwd: r.optional("cwd")}
	if context, ok := r.Child("mcp_context"); ok {
		server, named := wire.Text(context.Get("server_name"))
		tool, known := wire.Text(context.Get("tool_name"))
		if !named || server == "" || !known || tool == "" {
			r.report("bad_input", "/mcp_context")
		}
		r.named(&c, server, tool)
		c.own = false
	} else if r.Get("mcp_context") != nil {
		r.report("bad_input", "/mcp_context")
	}
	r.shellDirectory(&c, "dir_path", "directory")
	r.approval(hook, c)
}

// shellDirectory takes the directory of a command from the arguments of the host's shell. The model chose it, so one
// that is not below that of the call does not replace it: the command moves there.
//
// Example: the call begins in /w, and the arguments say /etc. Cwd stays /w for rules about the call. moves is /etc, and
// approval writes "cd /etc" before the command, so that paths in it are read from there.
func (r *reading) shellDirectory(c *call, members ...string) {
	if input, ok := wire.ReadObject(c.input); ok && c.own && r.host.shell[c.tool] != "" {
		for _, member := range members {
			if text, is := wire.Text(input.Get(member)); is {
				c.place = text
			}
		}
		begin := wire.PlainPath(c.cwd)
		c.cwd = r.below(c.cwd, input, c.at, members...)
		if to := wire.PlainPath(c.cwd); strings.HasPrefix(begin, "/") && to != begin &&
			!strings.HasPrefix(to, strings.TrimSuffix(begin, "/")+"/") {
			c.cwd, c.moves = begin, to
		}
	}
}

// below is the directory that the arguments name. A relative one is below cwd.
//
// The first member that is there and not empty counts.
func (r *reading) below(cwd string, input wire.Object, at string, members ...string) string {
	for _, member := range members {
		raw := input.Get(member)
		if raw == nil {
			continue
		}
		dir, ok := wire.Text(raw)
		switch {
		case !ok:
			r.report("bad_input", at+"/"+member)
		case strings.HasPrefix(dir, "/"):
			return dir
		case dir != "" && cwd == "":
			return "" // it is not known where this is
		case dir != "":
			return cwd + "/" + dir
		}
	}
	return cwd
}

// inner reads arguments that are an object, or the JSON text of one.
//
// Checking the text again is needed: a string in a document may hold any text.
func (r *reading) inner(member string) []byte {
	raw := r.Get(member)
	text, ok := wire.Text(raw)
	if !ok {
		return raw
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if f := jsontext.Check([]byte(text), limits); f != nil {
		p := elicit.FromFault(f)
		p.Pointer = "/" + member + p.Pointer
		r.problems = append(r.problems, p)
		return nil
	}
	return []byte(text)
}

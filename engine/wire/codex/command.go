package codex

import (
	"cmp"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readCommand reads item/commandExecution/requestApproval. It is about a command, about the input of a running command,
// or about a network host that a command wants to reach.
//
// One method has several deeds, and policy must see which:
//
//	networkApprovalContext     tool network, a host; the command is only context
//	kind writeStdin            tool write_stdin; the text goes to a program that runs
//	kind command, or none      tool shell, command and directory
//	kind humanCommand          the same, and only a person may accept
//	another kind               a tool of that name, and only a person may accept
func readCommand(q *Question, r *wire.Reading, _ *List) {
	q.place(r)
	kind := optional(r, "kind")
	var text wire.Parts
	text.Add(elicit.PartText, strings.TrimSpace(optional(r, "reason")), maxTitle)
	command, cwd := optional(r, "command"), optional(r, "cwd")
	host, protocol := network(r)
	switch {
	case host != "":
		q.approval(ToolNetwork)
		q.Request.Does, q.Request.Annotations.OpenWorld = elicit.DeedPermissions, elicit.SaidYes
		q.Request.AddHost(host)
		text.Add(elicit.PartAccess, "Network: "+wire.InLine(protocol+" "+host), maxTitle)
		// A yes to a command is no yes to the network, so rules for commands do not see it.
		text.Add(elicit.PartCommand, command, maxCommand)
	case kind == "writeStdin":
		q.approval(ToolStdin)
		text.Add(elicit.PartCommand, command, maxCommand)
	case kind == "" || kind == "command" || kind == "humanCommand":
		q.approval(ToolShell)
		// Codex wraps commands as bash -lc 'git push'. Rules are for git push, so the wrapper is taken off.
		q.runs(&text, wire.Script(command), cwd)
	default:
		q.approval(kind) // of a later version
		q.Choice = true
		text.Add(elicit.PartText, kind+": "+command, maxCommand)
	}
	if more := wire.Given(r.Get("additionalPermissions")); more != nil {
		q.Choice = true // a yes to a command is no yes to its permissions
		profile, ok := wire.ReadObject(more)
		if !ok {
			r.WrongType("additionalPermissions", more, "object")
		}
		text.Add(elicit.PartText, "With these permissions:", maxTitle)
		list, _ := permissionsOf(profile)
		describeAccess(&text, list)
		q.opens(profile)
	}
	// An administrator demands a person for a human command. A command that is not told must be looked at.
	q.Choice = q.Choice || kind == "humanCommand" || command == "" && host == ""
	text.Set(&q.Request)
	q.readOptions(r)
	q.finish(text.Cut)
}

// runs adds a command and its directory.
//
// A command that is too long to be shown whole is no fact for policy either: a rule could match its beginning, and the
// end could do something else.
func (q *Question) runs(text *wire.Parts, command, cwd string) {
	q.Request.Does, q.Request.Command, q.Request.Cwd = elicit.DeedCommand, command, cwd
	text.Add(elicit.PartCommand, command, maxCommand)
	where := "In " + wire.InLine(cwd)
	if cwd != "" {
		text.Add(elicit.PartDirectory, where, maxTitle)
	}
	if len(command) > maxCommand || len(where) > maxTitle {
		q.Request.Command, q.Request.Cwd = "", ""
	}
}

// network reads the host of a network approval. It returns "" for another approval.
func network(r *wire.Reading) (host, protocol string) {
	raw := wire.Given(r.Get("networkApprovalContext"))
	if raw == nil {
		return "", ""
	}
	context := wire.Read(raw, r.Pointer("networkApprovalContext"))
	host, protocol = context.Filled("host", maxName), context.Str("protocol")
	r.Problems = append(r.Problems, context.Problems...)
	return host, protocol
}

// finish completes an approval whose options are known.
//
// Without a plain accept among the options, no answer means "once". A policy then cannot accept, and a person chooses.
func (q *Question) finish(cut bool) {
	q.Request.Message = cmp.Or(q.Request.Message, q.Request.Tool)
	_, plain := q.find(nameAccept)
	q.Choice = q.Choice || cut || !plain
	// A lasting yes is offered to a person only if Codex offers one.
	q.Request.Persistable = q.widest() != elicit.Once
	if q.Choice {
		q.Request.Claim, q.Request.Schema = elicit.ClaimNone, q.appendChoice(nil)
	}
}

// readCommandV1 reads execCommandApproval, which names a command by its arguments.
//
// Each argument is a text of its own, so no shell reads it. ScriptOf writes it so that a shell would read the same.
func readCommandV1(q *Question, r *wire.Reading, _ *List) {
	q.Thread, q.Item = r.Filled("conversationId", maxName), r.Filled("callId", maxName)
	q.approval(ToolShell)
	q.words(r, "command", "cwd", optional(r, "reason"))
	q.Options = reviewOptions()
	q.finish(q.Choice)
}

// words reads a command that is a list of arguments.
func (q *Question) words(r *wire.Reading, command, cwd, reason string) {
	raw := r.Get(command)
	list, count := wire.Elements(raw, maxWords)
	if count == 0 || count > maxWords {
		r.WrongType(command, raw, "array")
	}
	words := make([]string, 0, len(list))
	for _, one := range list {
		word, ok := wire.Text(one)
		if !ok {
			r.WrongType(command, one, "string")
		}
		words = append(words, word)
	}
	var text wire.Parts
	text.Add(elicit.PartText, strings.TrimSpace(reason), maxTitle)
	q.runs(&text, wire.ScriptOf(words), optional(r, cwd))
	text.Set(&q.Request)
	q.Choice = text.Cut
}

package policy

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// Self-protection is a built-in rule, in force as soon as any layer has a policy: a deed that touches what Elicit rests
// on is asked. No rule of a lower layer accepts it, no reviewer and no grant. Only a rule of a managed policy that
// accepts the deed does, because the administrator's word is above Elicit's own. A stricter outcome stands. A command
// that is not known, or a patch whose files are not, may be such a deed.

// SelfProtection is the name of the built-in rule.
const SelfProtection = "self-protection"

// Without it, one accepted edit of the policy file would switch every later rule off. It comes behind all layers and
// before grants: t.named holds a grant off, and barAsking declines where nobody can be asked.
func (t *tally) applySelfProtection(s *Stack) {
	if len(s.layers) == 0 || t.fromManaged || t.facts.deed() == elicit.DeedNone || t.byRule && t.outcome == Decline {
		return
	}
	touch := t.touch()
	if touch.What == "" {
		return
	}
	// That nobody can read a deed is said only where it is why a person is asked. It is no ground to speak at a gate.
	// The reason is left out where it changes nothing: the person is asked anyway, or nobody is.
	silent := touch.What == unread && t.outcome >= Ask && (t.outcome > Ask || t.named || t.facts.Granted == "")
	if t.asFormat2 {
		t.since3 = t.since3 || !silent
		return
	}
	before, asked := t.outcome, t.asked
	t.named, t.askedByRule, t.asked = true, max(t.askedByRule, Ask), max(t.asked, Ask)
	if !silent {
		at := t.say(elicit.Reason{Code: codeSelfProtection, Layer: Builtin.String(), Rule: SelfProtection,
			Args: []elicit.Arg{elicit.Str("what", touch.What), elicit.Str("name", touch.Name)}})
		if !t.tighten(Ask, at) && t.outcome == Ask {
			t.by = append(t.by, at)
		}
	}
	t.barAsking()
	t.since3 = t.since3 || !silent || t.outcome != before || t.asked != asked
}

// touch tells how the deed touches what Elicit rests on.
func (t *tally) touch() guarded.Touch {
	if t.assumes() {
		return t.known.assumed.touch(t)
	}
	return t.realTouch()
}

// realTouch asks in three steps: the impacts, then the arguments of a tool, then whether anything was seen at all.
func (t *tally) realTouch() guarded.Touch {
	touch := guarded.Of(t.impacts(), guarded.Work{Cwd: t.facts.Cwd, Line: t.facts.Command,
		Opens: t.facts.deed() == elicit.DeedPermissions, Fetched: slices.ContainsFunc(t.facts.Labels, mayFetch)})
	// A tool of an MCP server has no paths in its request, and its arguments may name them.
	if touch.What == "" && t.facts.deed() == elicit.DeedTool {
		touch = t.argumentsTouch()
	}
	if touch.What == "" && t.facts.uninspected() {
		touch = guarded.Touch{What: unread, Name: string(t.facts.deed())}
	}
	return touch
}

// maxArguments is how many arguments of a tool are looked at. Nobody reads a tool with more of them: else an agent
// could name a file behind them.
const maxArguments = 256

// argumentsTouch looks at the arguments in the message of a tool that names no paths: at each text that is wholly a
// path, and at those that are called a command. The message of a tool call holds its arguments as JSON behind a title.
// A text that is a path counts as one that is written, because the tool does not say what it does with it.
func (t *tally) argumentsTouch() (touch guarded.Touch) {
	f := t.facts
	at := strings.IndexByte(f.Message, '{')
	if at < 0 || len(f.Paths) > 0 || f.Annotations.ReadOnly == elicit.SaidYes || !gjson.Valid(f.Message[at:]) {
		return guarded.Touch{}
	}
	left, work := maxArguments, guarded.Work{Cwd: f.Cwd}
	var look func(name, value gjson.Result) bool
	look = func(name, value gjson.Result) bool {
		runs := slices.Contains(commandArguments, name.Str)
		// Objects and arrays are walked. The document that was read bounds their depth and size.
		if value.Type == gjson.JSON {
			value.ForEach(look)
		} else if value.Type == gjson.String && (runs || isPath(value.Str)) {
			left--
			switch {
			case left < 0:
				touch = guarded.Touch{What: unread, Name: string(f.deed())}
			case runs:
				report := impact.Read(value.Str, impact.Options{Cwd: f.Cwd})
				work.Line = value.Str
				touch = guarded.Of(&report, work)
			default:
				touch = guarded.Of(&impact.Report{Impacts: []impact.Impact{{Kind: impact.Writes, Target: value.Str}}}, work)
			}
		}
		return touch.What == ""
	}
	gjson.Parse(f.Message[at:]).ForEach(look)
	return touch
}

// isPath reports whether a text can be meant as a path: with a blank in it only if it begins like one.
func isPath(text string) bool {
	return text != "" && len(text) < 1<<12 && (!strings.ContainsAny(text, " \t\n") ||
		strings.ContainsAny(text[:1], "/~.\\") || strings.HasPrefix(text, "file:") || len(text) > 1 && text[1] == ':')
}

// commandArguments are the names that servers give to the command of a shell.
var commandArguments = []string{"command", "cmd", "script", "shell_command", "commandLine", "command_line"}

// unread is the touch of a deed that nobody can read.
const unread = "unread"

// protects reports whether a reason is that of the built-in rule, about a deed that was read.
func protects(r *elicit.Reason) bool {
	return r.Code == codeSelfProtection && !slices.Contains(r.Args, elicit.Str("what", unread))
}

package engine

import (
	"bytes"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

// takes is what of an answer reaches the peer of a question. Arguments can be edited only if the engine can read again
// what policy knows of the call. A form with fields has a place for an answer already, so it takes no edit. Example:
// {"command":"ls -l"} with command_at "/command" can be edited, because the engine finds the new command at the same
// pointer. A patch cannot: its paths were read by the wire, and the engine could not read those of an edit.
func (q *question) takes() elicit.Takes {
	r := &q.request
	if r.Arguments == nil || q.form == nil || len(q.form.Fields) > 0 || r.Side != elicit.Answering ||
		r.Command != commandIn(r.Arguments, r.CommandAt) || len(r.Paths)+len(r.Hosts) > 0 || r.ReachCut ||
		r.Outside != elicit.Unsaid || r.Does == elicit.DeedPatch || r.Does == elicit.DeedPermissions {
		return r.Takes &^ elicit.TakesEdit
	}
	return r.Takes
}

// readEdit reads the edited arguments of an answer: are they fit, and what may be kept of them? It returns the call as
// it was edited, with the arguments that may be kept, or nil. It is nil if no arguments came, if they equal those of
// the question, or if they cannot be used. Only the last case has problems in x. Two spellings of one call are equal,
// because both are canonical.
func (x *extras) readEdit(q *question, action elicit.Action, arguments []byte, limit int) *elicit.Request {
	if whole := x.recorded.arguments; len(whole) == 1 && whole[0].pointer == "" {
		x.withheld.arguments, x.problems = whole, append(x.problems, whole[0].problems...)
		return nil
	}
	if arguments == nil {
		return nil
	}
	if problems := editProblems(q.takes(), action, arguments, limit); problems != nil {
		x.refuseEdit(problems)
		return nil
	}
	edited := jsontext.AppendValue(nil, arguments)
	// The masks of the journal are made before anything is decided. The decision is about the masked call, so that a
	// replay, which has nothing else, comes to the same one.
	masked := maskArguments(q.request.Arguments, edited, x.recorded.arguments)
	// {"ghp_…":1}: a name with a token in it. See masking.value for why no mask can stand there.
	if masked.inName {
		x.refuseEdit([]elicit.Problem{{Code: "secret_in_name", In: elicit.InArguments}})
		return nil
	}
	if x.keptArguments = masked.kept; bytes.Equal(edited, q.request.Arguments) {
		return nil
	}
	x.arguments, x.withheld.arguments = edited, masked.withheld
	x.found = append(x.found, masked.found...)
	// A secret of the person leaves only after the same warning that a secret in content gets.
	for _, w := range masked.withheld {
		x.secrets = append(x.secrets, w.findings...)
	}
	request := q.request
	// The question becomes the call as it was edited, with masks: policy, guardians, grants and records see this one.
	request.Arguments, request.Parts = masked.kept, nil // the message has other lines now
	if request.Command = commandIn(masked.kept, request.CommandAt); request.CommandAt != "" && request.Command == "" {
		x.problems = append(x.problems, elicit.Problem{Code: "missing", Pointer: request.CommandAt, In: elicit.InArguments})
		return nil
	}
	// An edit must not turn a command that a rule understands into one that hides it in a script.
	if startsShell(request.Command) {
		x.problems = append(x.problems, elicit.Problem{Code: "edit_not_taken", Pointer: request.CommandAt,
			In: elicit.InArguments})
		return nil
	}
	return &request
}

// useEdit takes the edited call in the place of the one that was asked about.
func (x *extras) useEdit(was, edited *elicit.Request) {
	x.request = edited
	x.reasons = append(x.reasons, elicit.Reason{Code: "arguments_edited", Args: []elicit.Arg{
		elicit.Str("from", argumentsDigest(was.Arguments)), elicit.Str("digest", argumentsDigest(edited.Arguments))}})
}

// startsShell reports whether a command runs a shell by its name. Rules for commands would not read the script that the
// shell gets: only the reader of a protocol takes it out of the command, before it asks. Examples that are refused:
// bash -lc 'git push', and x; /bin/sh -c "git push" (vector step/edit-shell). A word "sh" that is no program is refused
// too, which costs the person a retry and lets nothing through.
func startsShell(command string) bool {
	between := func(r rune) bool { return strings.ContainsRune(" \t\n;|&()\"'`", r) }
	for word := range strings.FieldsFuncSeq(command, between) {
		switch word[strings.LastIndexByte(word, '/')+1:] {
		case "sh", "bash", "zsh", "dash", "ksh":
			return true
		}
	}
	return false
}

// argumentsDigest is SHA-256 over canonical arguments, as a journal may keep them.
func argumentsDigest(arguments []byte) string {
	sum := digest.Sum256(arguments)
	return digest.Hex(sum[:])
}

// editProblems says why edited arguments cannot even be looked at, or nil. A peer that cannot take an edit would run
// the call as it was asked. Dropping the edit would send what the person did not agree to, so the answer is a problem
// instead.
func editProblems(takes elicit.Takes, action elicit.Action, arguments []byte, limit int) []elicit.Problem {
	if action != elicit.Accept || takes&elicit.TakesEdit == 0 {
		return []elicit.Problem{{Code: "edit_not_taken", In: elicit.InArguments}}
	}
	problems := unreadable(arguments, limit)
	for i := range problems {
		problems[i].In = elicit.InArguments
	}
	return problems
}

// checkEdit checks edited arguments against the schema of the tool, as far as a form can be made of that schema. A
// member that the schema does not name is fit, because tools may take more than they say.
func (x *extras) checkEdit(form *schema.Form) {
	if form == nil {
		x.reasons = append(x.reasons, elicit.Reason{Code: "arguments_unchecked"})
		return
	}
	if len(x.recorded.arguments) > 0 { // from a journal, which has the problems of values that it does not keep
		x.problems = append(x.problems, x.recorded.arguments[0].problems...)
		return
	}
	masked := x.withheld.arguments
	var problems []elicit.Problem
	for _, p := range form.Check(x.arguments) {
		if p.Code == "unknown_field" {
			continue
		}
		if masked != nil { // the texts and spans of a problem could tell a secret
			p = elicit.Problem{Code: p.Code, Pointer: p.Pointer, Args: numbersOf(p.Args)}
		}
		p.In = elicit.InArguments
		problems = append(problems, p)
	}
	// The live step keeps the problems beside the first mask. A replay reads them there (above), because it cannot
	// check values that it does not have.
	if masked != nil {
		masked[0].problems = problems
	}
	x.problems = append(x.problems, problems...)
}

// messageOf is the message of a question, with the edited arguments or command in the place of those that it shows. It
// is not exact if the message shows neither; they then stand at its end.
func messageOf(was, now *elicit.Request) (message string, exact bool) {
	// Arguments first: they hold the command, so replacing the command alone could leave the old arguments around it. A
	// text that stands twice in the message gives no exact place.
	for _, shown := range [...][2]string{{string(was.Arguments), string(now.Arguments)}, {was.Command, now.Command}} {
		if shown[0] != "" && strings.Count(was.Message, shown[0]) == 1 {
			return strings.Replace(was.Message, shown[0], shown[1], 1), true
		}
	}
	return was.Message + "\n" + string(now.Arguments), false
}

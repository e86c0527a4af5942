package engine

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// readArguments reads the arguments of a question's held call and keeps them in canonical form.
func (h *held) readArguments() []elicit.Problem {
	r := &h.request
	if r.Arguments == nil {
		return nil
	}
	problems := unreadable(r.Arguments, maxState)
	for i := range problems {
		problems[i].Pointer = "/arguments" + problems[i].Pointer
	}
	if problems == nil {
		r.Arguments = jsontext.AppendValue(nil, r.Arguments)
	}
	return problems
}

// taken is what of an answer reaches the peer of a question. Arguments can be edited only if the engine can read again
// what policy knows of the call. A form with fields has a place for an answer already, so it takes no edit.
func (s *step) taken(h *held) elicit.Takes {
	r := &h.request
	if r.Arguments == nil || h.form == nil || len(h.form.Fields) > 0 || r.Side != elicit.Answering ||
		r.Command != commandIn(r.Arguments, r.CommandAt) || len(r.Paths)+len(r.Hosts) > 0 || r.ReachCut ||
		r.Outside != elicit.Unsaid || r.Does == elicit.DeedPatch || r.Does == elicit.DeedPermissions {
		return r.Takes &^ elicit.TakesEdit
	}
	return r.Takes
}

// commandIn is the text at a pointer into canonical arguments, "" if there is none.
func commandIn(arguments []byte, pointer string) string {
	if pointer == "" {
		return ""
	}
	v := gjson.ParseBytes(arguments)
	for _, token := range strings.Split(pointer[1:], "/") {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		next := gjson.Result{}
		v.ForEach(func(key, value gjson.Result) bool {
			if key.Type == gjson.String && key.Str == name {
				next = value
			}
			return !next.Exists()
		})
		v = next
	}
	if v.Type != gjson.String {
		return ""
	}
	return v.Str
}

// readEdit reads the edited arguments of an answer: are they fit, what may be kept of them, and does policy let the
// call pass with them?
func (s *step) readEdit(h *held, x *beside, action elicit.Action, arguments []byte) {
	if whole := s.beside.arguments; len(whole) == 1 && whole[0].pointer == "" {
		x.withheld.arguments, x.problems = whole, append(x.problems, whole[0].problems...)
		return
	}
	if arguments == nil {
		return
	}
	problems := s.unfitEdit(h, action, arguments)
	if problems != nil {
		x.refuseEdit(problems)
		return
	}
	edited := jsontext.AppendValue(nil, arguments)
	masked := s.maskArguments(h.request.Arguments, edited)
	if masked.inName {
		x.refuseEdit([]elicit.Problem{{Code: "secret_in_name", In: elicit.InArguments}})
		return
	}
	if x.keptArguments = masked.kept; bytes.Equal(edited, h.request.Arguments) {
		return
	}
	x.arguments, x.withheld.arguments = edited, masked.withheld
	x.found = append(x.found, masked.found...)
	for _, w := range masked.withheld {
		x.secrets = append(x.secrets, w.findings...)
	}
	request := h.request
	request.Arguments = masked.kept
	if request.Command = commandIn(masked.kept, request.CommandAt); request.CommandAt != "" && request.Command == "" {
		x.problems = append(x.problems, elicit.Problem{Code: "missing", Pointer: request.CommandAt, In: elicit.InArguments})
		return
	}
	if startsShell(request.Command) {
		x.problems = append(x.problems, elicit.Problem{Code: "edit_not_taken", Pointer: request.CommandAt,
			In: elicit.InArguments})
		return
	}
	x.problems = append(x.problems, s.misfits(h, x, masked)...)
	request.Parts = nil // the message has other lines now
	s.decideEdit(h, x, &request)
	x.request = &request
	x.reasons = append(x.reasons, elicit.Reason{Code: "arguments_edited", Args: []elicit.Arg{
		elicit.Str("from", argumentsDigest(h.request.Arguments)), elicit.Str("digest", argumentsDigest(masked.kept))}})
}

// startsShell reports whether a command runs a shell by its name. Rules for commands would not read the script that the
// shell gets: only the reader of a protocol takes it out of the command, before it asks.
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

// unfitEdit says why edited arguments cannot even be looked at, or nil.
func (s *step) unfitEdit(h *held, action elicit.Action, arguments []byte) []elicit.Problem {
	if action != elicit.Accept || s.taken(h)&elicit.TakesEdit == 0 {
		return []elicit.Problem{{Code: "edit_not_taken", In: elicit.InArguments}}
	}
	problems := unreadable(arguments, s.config.limits.arguments)
	for i := range problems {
		problems[i].In = elicit.InArguments
	}
	return problems
}

// misfits are the problems of edited arguments with the schema of the tool, as far as a form can be made of that
// schema. A member that the schema does not name is fit, because tools may take more than they say.
func (s *step) misfits(h *held, x *beside, masked maskedArguments) (problems []elicit.Problem) {
	var form *schema.Form
	if h.request.ArgumentsSchema != nil {
		form, _ = s.forms.Compile(h.request.ArgumentsSchema, s.config.schemaOptions(elicit.Answering))
	}
	if form == nil {
		x.reasons = append(x.reasons, elicit.Reason{Code: "arguments_unchecked"})
		return nil
	}
	if len(s.beside.arguments) > 0 { // from a journal, which has the problems of values that it does not keep
		return s.beside.arguments[0].problems
	}
	for _, p := range form.Check(x.arguments) {
		if p.Code == "unknown_field" {
			continue
		}
		if masked.withheld != nil { // the texts and spans of a problem could tell a secret
			p = elicit.Problem{Code: p.Code, Pointer: p.Pointer, Args: numbersOf(p.Args)}
		}
		p.In = elicit.InArguments
		problems = append(problems, p)
	}
	if masked.withheld != nil {
		masked.withheld[0].problems = problems
	}
	return problems
}

// decideEdit decides about the edited call. A person cannot type what policy would have declined.
func (s *step) decideEdit(h *held, x *beside, request *elicit.Request) {
	message, exact := request.Message, false
	request.Message, exact = messageOf(&h.request, request)
	known := s.knownOf(h.session)
	facts, findings := consider(*request, h.kind, h.facts, known)
	x.found = append(x.found, h.newFindings(findings)...)
	refused := s.refusal(&facts, findings)
	if refused == nil && !exact { // a rule may match the message as it was
		facts.Message = message
		refused = s.refusal(&facts, findings)
	}
	if refused != nil {
		x.problems = append(x.problems, *refused)
	}
}

// refusal is the problem with a call that policy declines, or nil.
func (s *step) refusal(facts *policy.Facts, findings []elicit.Finding) *elicit.Problem {
	d := s.decideByPolicy(facts, findings)
	switch d.Outcome {
	case policy.Accept, policy.Ask, policy.Review:
		return nil
	}
	why := d.Reasons[d.By()]
	return &elicit.Problem{Code: "arguments_refused", In: elicit.InArguments,
		Args: []elicit.Arg{elicit.Str("reason", why.Code), elicit.Str("rule", why.Rule)}}
}

// messageOf is the message of a question, with the edited arguments or command in the place of those that it shows. It
// is not exact if the message shows neither; they then stand at its end.
func messageOf(was, now *elicit.Request) (message string, exact bool) {
	for _, shown := range [...][2]string{{string(was.Arguments), string(now.Arguments)}, {was.Command, now.Command}} {
		if shown[0] != "" && strings.Count(was.Message, shown[0]) == 1 {
			return strings.Replace(was.Message, shown[0], shown[1], 1), true
		}
	}
	return was.Message + "\n" + string(now.Arguments), false
}

package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// beside is what an answer brings beside its content: a note, and edited arguments.
type beside struct {
	note, keptNote           string
	arguments, keptArguments []byte          // canonical
	request                  *elicit.Request // with the edited arguments, as a journal may keep them; nil for no edit
	problems                 []elicit.Problem
	secrets                  []elicit.Finding // in what is sent
	found                    []elicit.Finding // beside the secrets
	reasons                  []elicit.Reason
	withheld                 withheldBeside
}

// readBeside inspects and checks the note and the edited arguments of an answer.
func (s *step) readBeside(h *held, ev event.Answered) (x beside) {
	s.readNote(h, &x, ev.Action, ev.Note)
	s.readEdit(h, &x, ev.Action, ev.Arguments)
	return x
}

// readNote reads a note. One that cannot be sent to whoever asked is for the journal.
func (s *step) readNote(h *held, x *beside, action elicit.Action, note string) {
	x.withheld.note = s.beside.note
	if whole := s.beside.note; len(whole) == 1 && whole[0].pointer == "" && note == "" {
		x.problems = append(x.problems, whole[0].problems...)
		return
	}
	if note == "" {
		return
	}
	if problem := s.unfitNote(note); problem != nil {
		x.problems = append(x.problems, *problem)
		x.withheld.note = []withheldValue{{problems: []elicit.Problem{*problem}}}
		return
	}
	var found []elicit.Finding
	if len(s.beside.note) > 0 { // from a journal: the masks are in place
		x.keptNote, found = note, s.beside.note[0].findings
	} else if x.keptNote, found = risk.WithoutSecrets("/note", note); x.keptNote != note {
		x.withheld.note = []withheldValue{{pointer: "/note", findings: found}}
	}
	if !s.taken(h).Note(action) {
		x.reasons = append(x.reasons, elicit.Reason{Code: "note_not_sent"})
		return
	}
	if x.note = note; len(x.withheld.note) > 0 {
		x.secrets = append(x.secrets, found...)
	} else {
		x.found = append(x.found, found...)
	}
}

// unfitNote says why a note cannot be taken, or nil.
func (s *step) unfitNote(note string) *elicit.Problem {
	if limit := s.config.limits.note; len(note) > limit {
		return &elicit.Problem{Code: "text_too_large", In: elicit.InNote,
			Args: []elicit.Arg{elicit.Num("limit", limit), elicit.Num("length", len(note))}}
	}
	control := func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }
	if at := strings.IndexFunc(note, control); at >= 0 {
		return &elicit.Problem{Code: "control_character", In: elicit.InNote, Start: at, End: at + 1}
	}
	return nil
}

// refuseEdit records that edited arguments cannot be used, and keeps nothing of them.
func (x *beside) refuseEdit(problems []elicit.Problem) {
	x.problems = append(x.problems, problems...)
	x.withheld.arguments = []withheldValue{{problems: problems}}
}

// keep puts into a kept answer what a record may hold of the note and the arguments.
func (x *beside) keep(kept *keptAnswered) {
	kept.Note, kept.Arguments, kept.beside = x.keptNote, x.keptArguments, x.withheld
}

// put puts the note and the arguments into a reply.
func (x *beside) put(r *effect.Reply) {
	r.Findings = together(r.Findings, x.found)
	if x.note != "" {
		r.Note, r.KeptNote = x.note, x.keptNote
	}
	if x.request != nil {
		r.Arguments, r.KeptArguments = x.arguments, x.keptArguments
	}
}

// secretsAre is what happens to a secret in an answer to a request.
func (s *step) secretsAre(h *held) policy.Secrets {
	say := s.config.stack.Secrets()
	if say == policy.SecretsConfirm && h.request.Side == elicit.Asking {
		return policy.SecretsNote // the answer has already left the person; a warning would come too late
	}
	return say
}

// unsentBeside says why a note or arguments that fit may not be sent; see unsentSecrets.
func (s *step) unsentBeside(h *held, x *beside) (problems []elicit.Problem) {
	if len(x.secrets) == 0 {
		return nil
	}
	say, code := s.secretsAre(h), "secret_refused"
	switch say {
	case policy.SecretsNote:
		x.found = append(x.found, x.secrets...)
		x.reasons = append(x.reasons, elicit.Reason{Code: "secret_noted"})
		return nil
	case policy.SecretsConfirm:
		code = "secret_unconfirmed"
	}
	told := h.warnedBeside
	for _, f := range x.secrets {
		if say == policy.SecretsConfirm && slices.Contains(told, f.Pointer) {
			continue
		}
		in, pointer := elicit.InNote, ""
		if rest, edited := strings.CutPrefix(f.Pointer, "/arguments"); edited {
			in, pointer = elicit.InArguments, rest
		}
		problems = append(problems, elicit.Problem{Code: code, Pointer: pointer, In: in,
			Args: append(slices.Clip(f.Args), elicit.Str("shown", f.Evidence))})
		if len(h.warnedBeside) < maxWarnedBeside && len(f.Pointer) <= maxLabel {
			h.warnedBeside = append(slices.Clip(h.warnedBeside), f.Pointer)
		}
	}
	if len(problems) == 0 {
		x.found = append(x.found, x.secrets...)
		x.reasons = append(x.reasons, elicit.Reason{Code: "secret_confirmed"})
	}
	return problems
}

// readAgain lists what a person has to mend in the note of an answer without content. A refusal of anybody else counts
// at once, and its note is left out.
func (s *step) readAgain(h *held, via event.Via, x *beside) (problems []elicit.Problem) {
	if problems = x.problems; len(problems) == 0 {
		problems = s.unsentBeside(h, x)
	}
	if len(problems) == 0 || via == event.ViaPerson {
		return problems
	}
	x.note = ""
	x.reasons = append(x.reasons, elicit.Reason{Code: "note_not_sent"})
	return nil
}

// maxWarnedBeside bounds what a saved question says of warnings.
const maxWarnedBeside = 64

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

// extras are what an answer brings beside its content: a note, and edited arguments. Each has two spellings: what is
// sent to the peer, and what the journal may keep, which has masks for secrets. Where a decision needs the first, the
// record has the outcome, so that a replay can repeat it.
type extras struct {
	// Three sources: a live answer has no recorded part. A replayed one has masks in its texts, and recorded has the
	// findings that belonged to them.
	recorded                 withheldExtras // by a journal that the answer comes from
	note, keptNote           string
	arguments, keptArguments []byte          // canonical
	request                  *elicit.Request // with the edited arguments, as a journal may keep them; nil for no edit
	// What stands against the answer: it is not sent while there is one.
	problems []elicit.Problem
	secrets  []elicit.Finding // in what is sent
	found    []elicit.Finding // other than the secrets
	reasons  []elicit.Reason
	// For the record of this step; the same as recorded when a journal is replayed.
	withheld withheldExtras
}

// readNote reads a note. One that cannot be sent to whoever asked is for the journal.
func (x *extras) readNote(note string, isSent bool, limit int) {
	x.withheld.note = x.recorded.note
	// The record says that the note was not fit to keep, and why. The replay repeats the problem without the text.
	if whole := x.recorded.note; len(whole) == 1 && whole[0].pointer == "" && note == "" {
		x.problems = append(x.problems, whole[0].problems...)
		return
	}
	if note == "" {
		return
	}
	if problem := noteProblem(note, limit); problem != nil {
		x.problems = append(x.problems, *problem)
		x.withheld.note = []withheldValue{{problems: []elicit.Problem{*problem}}}
		return
	}
	var found []elicit.Finding
	if len(x.recorded.note) > 0 { // from a journal: the masks are in place
		x.keptNote, found = note, x.recorded.note[0].findings
	} else if x.keptNote, found = risk.WithoutSecrets("/note", note); x.keptNote != note {
		x.withheld.note = []withheldValue{{pointer: "/note", findings: found}}
	}
	// The person gets no warning about a secret in a note that never leaves. The masks for the journal stay.
	if !isSent {
		x.reasons = append(x.reasons, elicit.Reason{Code: "note_not_sent"})
		return
	}
	if x.note = note; len(x.withheld.note) > 0 {
		x.secrets = append(x.secrets, found...)
	} else {
		x.found = append(x.found, found...)
	}
}

// noteProblem says why a note cannot be taken, or nil.
func noteProblem(note string, limit int) *elicit.Problem {
	if len(note) > limit {
		return &elicit.Problem{Code: "text_too_large", In: elicit.InNote,
			Args: []elicit.Arg{elicit.Num("limit", limit), elicit.Num("length", len(note))}}
	}
	// C0 and C1 controls and DEL, but for the newline. A terminal of whoever reads the journal could obey them: ESC
	// begins an escape sequence, and a carriage return overwrites what stands before it.
	control := func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }
	if at := strings.IndexFunc(note, control); at >= 0 {
		return &elicit.Problem{Code: "control_character", In: elicit.InNote, Start: at, End: at + 1}
	}
	return nil
}

// refuseEdit records that edited arguments cannot be used, and keeps nothing of them.
func (x *extras) refuseEdit(problems []elicit.Problem) {
	x.problems = append(x.problems, problems...)
	x.withheld.arguments = []withheldValue{{problems: problems}}
}

// keep puts into a kept answer what a record may hold of the note and the arguments.
func (x *extras) keep(kept *keptAnswered) {
	kept.Note, kept.Arguments, kept.extras = x.keptNote, x.keptArguments, x.withheld
}

// put puts the note and the arguments into a reply.
func (x *extras) put(r *effect.Reply) {
	r.Findings = together(r.Findings, x.found)
	if x.note != "" {
		r.Note, r.KeptNote = x.note, x.keptNote
	}
	if x.request != nil {
		r.Arguments, r.KeptArguments = x.arguments, x.keptArguments
	}
}

// maxWarnedExtras bounds what a saved question says of warnings.
const maxWarnedExtras = 64

// unsent says why a note or arguments that fit may not be sent; see checkedAnswer.unsent.
func (x *extras) unsent(say policy.Secrets, warned *warnings) (problems []elicit.Problem) {
	if len(x.secrets) == 0 {
		return nil
	}
	code := "secret_refused"
	switch say {
	case policy.SecretsNote:
		x.found = append(x.found, x.secrets...)
		x.reasons = append(x.reasons, elicit.Reason{Code: "secret_noted"})
		return nil
	case policy.SecretsConfirm:
		code = "secret_unconfirmed"
	}
	// Only warnings of earlier answers count. This answer must not confirm what it is itself the first to bring.
	before := warned.extras
	for _, f := range x.secrets {
		if say == policy.SecretsConfirm && slices.Contains(before, f.Pointer) {
			continue
		}
		in, pointer := elicit.InNote, ""
		if rest, edited := strings.CutPrefix(f.Pointer, "/arguments"); edited {
			in, pointer = elicit.InArguments, rest
		}
		problems = append(problems, elicit.Problem{Code: code, Pointer: pointer, In: in,
			Args: append(slices.Clip(f.Args), elicit.Str("shown", f.Evidence))})
		if len(warned.extras) < maxWarnedExtras && len(f.Pointer) <= maxLabel {
			warned.extras = append(slices.Clip(warned.extras), f.Pointer)
		}
	}
	if len(problems) == 0 {
		x.found = append(x.found, x.secrets...)
		x.reasons = append(x.reasons, elicit.Reason{Code: "secret_confirmed"})
	}
	return problems
}

// toMend lists what a person has to mend in the note of an answer without content. A refusal of anybody else counts at
// once, and its note is left out. nil means that the answer counts now. Only a person gets a list back; see event.Via.
func (x *extras) toMend(via event.Via, say policy.Secrets, warned *warnings) (problems []elicit.Problem) {
	if problems = x.problems; len(problems) == 0 {
		problems = x.unsent(say, warned)
	}
	if len(problems) == 0 || via == event.ViaPerson {
		return problems
	}
	// A client, a script or a model has nobody who could mend a note. A refusal must not fail for a note.
	x.note = ""
	x.reasons = append(x.reasons, elicit.Reason{Code: "note_not_sent"})
	return nil
}

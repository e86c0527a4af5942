package interrupts

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Answer is what a person decided about one question. At most one of Content and Arguments is set, and only for an
// accepted question.
//
// Note counts only if the question has MayNoteAccept or MayNoteDecline. Texts of a person are checked for their length
// only.
type Answer struct {
	Key       string
	Action    elicit.Action
	Content   []byte // raw object that fits the schema of the question
	Arguments []byte // raw object: the whole arguments of the call in place of those that were asked about
	Note      string // words for the agent
}

// declined is what an agent is told of a refusal without a note, where the framework demands words.
const declined = "The user declined to answer."

// writing is the state of one Append.
//
// It lives for one call of Append. answers has the order of Questions, whatever the order of the caller's list was.
type writing struct {
	*Run
	dst     []byte
	answers []decided // one for each question
}

// decided is an answer that fits its question.
type decided struct {
	Answer
	given   bool
	payload []byte // the content as the framework wants it, nil if there is none
}

func (a *decided) accepted() bool { return a.Action == elicit.Accept }

// Append appends the answers in the spelling of the framework. It demands one fitting answer for each question, because
// every framework resumes a run with all answers at once. With problems, dst is unchanged. Pointers of problems start
// at the list of answers.
//
// A missing answer is reported only if the given ones fit, so that one mistake gives one problem.
func (run *Run) Append(dst []byte, answers []Answer) ([]byte, []elicit.Problem) {
	w := writing{Run: run, dst: dst, answers: make([]decided, len(run.Questions))}
	var problems []elicit.Problem
	for i := range answers {
		problems = append(problems, w.take(answers[i], "/"+strconv.Itoa(i))...)
	}
	for i := range w.answers {
		if !w.answers[i].given && len(problems) == 0 {
			problems = append(problems, elicit.Problem{Code: "answer_missing",
				Args: []elicit.Arg{elicit.Str("key", run.Questions[i].Key)}})
		}
	}
	if problems != nil {
		return dst, problems[:min(len(problems), maxProblems)]
	}
	run.spelling.write(&w)
	return w.dst, nil
}

// take checks an answer and keeps it.
//
// The checks are in an order in which the first problem is the useful one: which question, which action, then whether
// the framework has words for it.
func (w *writing) take(a Answer, at string) []elicit.Problem {
	problem := func(code, pointer string, args ...elicit.Arg) []elicit.Problem {
		return []elicit.Problem{{Code: code, Pointer: at + pointer, Args: args}}
	}
	i := slices.IndexFunc(w.Questions, func(q Question) bool { return q.Key == a.Key })
	switch {
	case i < 0:
		return problem("unknown_input_key", "/key", elicit.Str("key", shown(a.Key)))
	case w.answers[i].given:
		return problem("answer_again", "/key", elicit.Str("key", a.Key))
	case !a.Action.Valid():
		return problem("unknown_action", "/action", elicit.Str("action", shown(string(a.Action))))
	case len(a.Note) > maxNote:
		return problem("text_too_large", "/note", elicit.Num("limit", maxNote), elicit.Num("length", len(a.Note)))
	}
	q := &w.Questions[i]
	if a.Note != "" && a.Action == elicit.Cancel && q.Options&MayCancel != 0 {
		return problem("answer_unfit", "/note", elicit.Str("key", q.Key)) // a cancel has no words
	}
	if lacks := q.needs(a) &^ q.Options; lacks != 0 {
		return problem("answer_not_offered", "", elicit.Str("key", q.Key), elicit.Str("option", lacks.Names()[0]))
	}
	// It counts as given also if a problem follows: the caller should not read that it is missing.
	w.answers[i] = decided{Answer: a, given: true}
	switch {
	case a.Action != elicit.Accept:
		if a.Content != nil || a.Arguments != nil {
			return problem("answer_unfit", "", elicit.Str("key", q.Key))
		}
	case a.Arguments != nil:
		if a.Content != nil || jsontext.Check(a.Arguments, limits) != nil || wire.TypeOf(a.Arguments) != wire.Map {
			return problem("answer_unfit", "/arguments", elicit.Str("key", q.Key))
		}
	case a.Content != nil || !q.Approval():
		payload, problems := q.payload(a.Content)
		for i := range problems {
			problems[i].Pointer = at + "/content" + problems[i].Pointer
		}
		w.answers[i].payload = payload
		return problems
	}
	return nil
}

// needs returns the options that an answer uses. A cancel needs no option of its own: a question with MayCancel has
// MayDecline too, and elsewhere it counts as a refusal.
//
//	accept with arguments    edit
//	accept with content      respond
//	accept                   accept
//	decline, cancel          decline
//	a note                   decline_note or accept_note as well
func (q *Question) needs(a Answer) (o Options) {
	switch {
	case a.Action == elicit.Accept && a.Arguments != nil:
		o = MayEdit
	case a.Action == elicit.Accept && (a.Content != nil || !q.Approval()):
		o = MayRespond
	case a.Action == elicit.Accept:
		o = MayAccept
	default:
		o = MayDecline
	}
	if a.Note != "" && a.Action == elicit.Accept {
		o |= MayNoteAccept
	} else if a.Note != "" {
		o |= MayNoteDecline
	}
	return o
}

// add appends text to the output.
func (w *writing) add(text string) { w.dst = append(w.dst, text...) }

// str appends a JSON string.
func (w *writing) str(s string) { w.dst = jsontext.AppendString(w.dst, s) }

// comma appends a comma before every element but the first.
func (w *writing) comma(i int) {
	if i > 0 {
		w.add(",")
	}
}

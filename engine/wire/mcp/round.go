package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// MaxRounds is the default for how often one call may be answered with questions. The official SDKs use the same limit.
// Without one, a server that asks again after every refusal would never stop.
const MaxRounds = 10

// Round is one round of a call that was answered with questions: the questions, and the answers so far. The zero value
// is a call that has no answer yet. The caller of the call keeps the Round. It is not safe for concurrent use.
//
// answers belongs to the Round, and a copy of the value shares it. Only the latest copy may be used.
type Round struct {
	Number int // 1 after the call was answered with questions once
	Limit  int // the most rounds; 0 means MaxRounds
	Result

	answers [][]byte // one for each of Entries; nil until given
}

// Next starts the next round with the questions of a result. It returns false at the limit: the call must then fail.
//
// Answers do not go over to the next round: the server has them, or has put what it needs into its state.
func (r Round) Next(asked Result) (Round, bool) {
	limit := r.Limit
	if limit <= 0 {
		limit = MaxRounds
	}
	if r.Number >= limit {
		return r, false
	}
	return Round{Number: r.Number + 1, Limit: r.Limit, Result: asked, answers: make([][]byte, len(asked.Entries))}, true
}

// Answer stores the answer to the question called key. It refuses a second answer, and the first one stays.
func (r *Round) Answer(d Dialect, key string, action elicit.Action, content []byte) *elicit.Problem {
	i, p := r.vacant(key, false)
	if p != nil {
		return p
	}
	e := &r.Entries[i]
	a := Answer{Action: action, Mode: e.Request.Mode, Content: content, Echo: e.Extra.Echo}
	ok := action.Valid()
	var raw []byte
	if ok && r.Array {
		raw, ok = appendConfirmed(nil, e, a)
	} else if ok {
		raw = d.appendBody(nil, a)
	}
	if !ok {
		return keyProblem("answer_unfit", key)
	}
	r.answers[i] = raw
	return nil
}

// Supply stores the host's own answer, a JSON object, to the foreign entry called key.
func (r *Round) Supply(key string, raw []byte, lim jsontext.Limits) *elicit.Problem {
	i, p := r.vacant(key, true)
	if p != nil {
		return p
	}
	if f := jsontext.Check(raw, lim); f != nil {
		q := elicit.FromFault(f)
		return &q
	}
	r.answers[i] = raw
	return nil
}

func (r *Round) vacant(key string, foreign bool) (int, *elicit.Problem) {
	for i := range r.Entries {
		switch e := &r.Entries[i]; {
		case e.Key != key:
		case e.Foreign() != foreign, i >= len(r.answers):
			return 0, keyProblem("answer_unfit", key)
		case r.answers[i] != nil:
			return 0, keyProblem("answer_again", key)
		default:
			return i, nil
		}
	}
	return 0, keyProblem("unknown_input_key", key)
}

// Open lists the keys without an answer, in the order of the questions.
func (r *Round) Open() (keys []string) {
	for i := range r.Entries {
		if i >= len(r.answers) || r.answers[i] == nil {
			keys = append(keys, r.Entries[i].Key)
		}
	}
	return keys
}

// Retry returns what to send when no key is open. Otherwise the problems name the open keys: a call may be repeated
// only with all answers.
//
// The order of Responses is that of Entries, which the array form needs.
func (r *Round) Retry(id []byte) (Retry, []elicit.Problem) {
	out := Retry{ID: id, State: r.State, Array: r.Array}
	var problems []elicit.Problem
	for _, key := range r.Open() {
		problems = append(problems, *keyProblem("answer_missing", key))
	}
	if problems != nil {
		return Retry{}, problems
	}
	for i := range r.Entries {
		out.Responses = append(out.Responses, Response{r.Entries[i].Key, r.answers[i]})
	}
	return out, nil
}

// Refused returns the problem to report when Next returns false.
func (r *Round) Refused() elicit.Problem {
	return elicit.Problem{Code: "round_limit", Args: []elicit.Arg{{Name: "limit", Raw: strconv.Itoa(r.Number)}}}
}

func keyProblem(code, key string) *elicit.Problem {
	return &elicit.Problem{Code: code, Args: []elicit.Arg{elicit.Str("key", wire.Shown(key))}}
}

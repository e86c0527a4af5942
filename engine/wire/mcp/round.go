package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// MaxRounds is how often one call may be answered with questions when nobody says otherwise; the official SDKs stop there
// too. A server that asks again after every refusal would otherwise never stop.
const MaxRounds = 10

// Round is one turn of a call that is answered with questions: what was asked, and the answers gathered so far. The zero
// value is a call not yet answered. It is a value to be kept by whoever made the call; it is not safe for use by two
// callers at once.
type Round struct {
	Number int // 1 when the call has been answered with questions once
	Limit  int // rounds allowed; 0 means MaxRounds
	Result

	answers [][]byte // beside Entries; nil until given
}

// Next starts the next round with what the server asks now. False when the limit is reached: the call must fail here.
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

// Answer stores the answer to the question called key. A second answer is refused: the first one stands.
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

// Open lists the keys still without an answer, in the order they were asked.
func (r *Round) Open() (keys []string) {
	for i := range r.Entries {
		if i >= len(r.answers) || r.answers[i] == nil {
			keys = append(keys, r.Entries[i].Key)
		}
	}
	return keys
}

// Retry is what to send once nothing is open. Problems name the keys that are: all answers are built before a call is
// made again.
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

// Refused is the problem to report when Next says no.
func (r *Round) Refused() elicit.Problem {
	return elicit.Problem{Code: "round_limit", Args: []elicit.Arg{{Name: "limit", Raw: strconv.Itoa(r.Number)}}}
}

func keyProblem(code, key string) *elicit.Problem {
	return &elicit.Problem{Code: code, Args: []elicit.Arg{elicit.Str("key", shown(key))}}
}

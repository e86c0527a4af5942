package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// reply is the JSON of every response to the page's script.
type reply struct {
	// State: new (press Continue), open, done (this answer settled it), or a state of refusals.
	State    string          `json:"state"`
	Question *drawn          `json:"question,omitempty"`
	Problems json.RawMessage `json:"problems,omitempty"`
	Outcome  elicit.Action   `json:"outcome,omitempty"`
	SignIn   string          `json:"sign_in,omitempty"`
}

// drawn is a question as `<elicit-form>` reads it, with the flag of secrets.
type drawn struct {
	Server   string          `json:"server"`
	Tool     string          `json:"tool,omitempty"`
	Message  string          `json:"message"`
	Form     json.RawMessage `json:"form"`
	Findings json.RawMessage `json:"findings,omitempty"`
	Deadline int64           `json:"deadline,omitempty"`
	Secret   bool            `json:"secret,omitempty"`
}

// refusals are the states of errors. A refused person learns the state, and nothing of the question.
var refusals = []struct {
	err    error
	state  string
	status int
}{
	{ErrSignIn, "sign_in", http.StatusUnauthorized},
	{ErrForbidden, "forbidden", http.StatusForbidden},
	{ErrUnknown, "unknown", http.StatusNotFound},
	{ErrUsed, "used", http.StatusConflict},
	{ErrExpired, "expired", http.StatusGone},
	{ErrAnswered, "answered", http.StatusGone},
	{ErrClosed, "closed", http.StatusGone},
	{errNoCookie, "no_cookie", http.StatusBadRequest},
	{ErrBusy, "busy", http.StatusServiceUnavailable},
}

// refuse writes the state of an error. An error that is no refusal goes to OnError, and the page says only that the
// server has a fault: its text could contain anything.
func (h *Handler) refuse(w http.ResponseWriter, err error) {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			answer := reply{State: r.state}
			if r.err == ErrSignIn {
				answer.SignIn = h.o.SignIn
			}
			h.write(w, r.status, answer)
			return
		}
	}
	h.report(err)
	h.write(w, http.StatusInternalServerError, reply{State: "failed"})
}

// show writes a question, or why there is none.
func (h *Handler) show(w http.ResponseWriter, q Question, err error) {
	if err != nil {
		h.refuse(w, err)
		return
	}
	d := &drawn{Server: cmp.Or(q.Server, h.o.Name), Tool: q.Tool, Message: q.Message, Form: q.Form,
		Deadline: q.Deadline, Secret: q.Secret}
	if d.Form == nil {
		d.Form = json.RawMessage(`{"fields":[]}`)
	}
	if len(q.Findings) > 0 {
		d.Findings = elicit.AppendList(nil, q.Findings)
	}
	h.write(w, http.StatusOK, reply{State: "open", Question: d})
}

func (h *Handler) write(w http.ResponseWriter, status int, answer reply) {
	text, err := json.Marshal(answer)
	if err != nil { // the form of the source is no JSON
		h.report(err)
		status, text = http.StatusInternalServerError, []byte(`{"state":"failed"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

package browser

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/web"
)

// handler handles one request of the page. ServeHTTP has checked the request and bounded its body, which is unread.
type handler = func(srv *server, w http.ResponseWriter, r *http.Request)

var handlers = map[string]handler{
	"enter":   (*server).enter,
	"answer":  (*server).answer,
	"await":   (*server).await,
	"check":   (*server).check,
	"draft":   (*server).draft,
	"receipt": (*server).receipt,
	"extend":  (*server).extend,
	"choose":  (*server).choose,
}

// enter exchanges the link's invitation for the cookie. See accessList.redeem for a used invitation.
func (srv *server) enter(w http.ResponseWriter, r *http.Request) {
	var in struct{ Token string }
	if !web.Read(w, r, &in) {
		return
	}
	if user, foreign := otherUser(r); foreign {
		srv.warn(accessWarning{user: user})
		web.Refuse(w, http.StatusForbidden)
		return
	}
	cookie, browsers, what := srv.access.redeem(in.Token, r)
	switch what {
	case alreadyInside:
		w.WriteHeader(http.StatusNoContent)
		return
	case tokenConflict:
		srv.questions.setBrowsers(browsers)
		srv.warn(accessWarning{withdrawn: true})
		web.Refuse(w, http.StatusUnauthorized)
		return
	case tokenUnknown, tokenUsed:
		web.Refuse(w, http.StatusUnauthorized)
		return
	}
	srv.questions.setBrowsers(browsers)
	if browsers > 1 {
		srv.warn(accessWarning{browsers: browsers})
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: srv.path(), HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	w.WriteHeader(http.StatusNoContent)
}

// answerReport is the response to an answer: how the question ended, or the problems of the answer.
type answerReport struct {
	Outcome  elicit.Outcome       `json:"outcome,omitempty"`
	Cause    elicit.Cause         `json:"cause,omitempty"`
	By       string               `json:"by,omitempty"`
	Problems []problemWithMessage `json:"problems"`
	Waiting  bool                 `json:"waiting,omitempty"` // guardians have not decided yet; ask again with await
}

// problemWithMessage is a problem with its sentence.
type problemWithMessage struct{ elicit.Problem }

// MarshalJSON adds {"message"} to the problem.
func (p problemWithMessage) MarshalJSON() ([]byte, error) {
	text := p.AppendJSON(nil)
	text = append(text[:len(text)-1], `,"message":`...)
	return append(append(text, mustJSON(english.Problem(p.Problem))...), '}'), nil
}

func problemsWithMessages(list []elicit.Problem) []problemWithMessage {
	all := make([]problemWithMessage, 0, len(list))
	for _, p := range list {
		all = append(all, problemWithMessage{p})
	}
	return all
}

// answer gives an answer to the engine and waits for the result.
func (srv *server) answer(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID        elicit.ID
		Action    elicit.Action
		Content   json.RawMessage
		Mute      bool
		Scope     elicit.Scope
		Note      string
		Arguments json.RawMessage
	}
	if !web.Read(w, r, &in) {
		return
	}
	s, answer, ok := srv.questions.shown(in.ID)
	if !ok {
		web.Refuse(w, http.StatusGone)
		return
	}
	given := ui.Given{Action: in.Action, Via: event.ViaPerson, Remember: in.Scope, Mute: in.Mute, Note: in.Note}
	if in.Action == elicit.Accept {
		given.Arguments = in.Arguments
	}
	if s.Form != nil && in.Action == elicit.Accept {
		given.Content = in.Content
	}
	fate := srv.questions.expectResult(s.ID)
	answer(given)
	srv.reportResult(w, r, s.ID, fate)
}

// await continues to wait for the result of an earlier answer.
func (srv *server) await(w http.ResponseWriter, r *http.Request) {
	var in struct{ ID elicit.ID }
	if !web.Read(w, r, &in) {
		return
	}
	fate := srv.questions.expectedResult(in.ID)
	if fate == nil {
		web.Refuse(w, http.StatusGone)
		return
	}
	srv.reportResult(w, r, in.ID, fate)
}

// reportResult writes the result of an answer, or after ioTimeout that there is none yet.
func (srv *server) reportResult(w http.ResponseWriter, r *http.Request, id elicit.ID, fate <-chan answerResult) {
	late := time.NewTimer(srv.ioTimeout)
	defer late.Stop()
	select {
	case f := <-fate:
		srv.questions.forgetResult(id, fate)
		v := answerReport{Outcome: f.outcome, Cause: f.cause, Problems: problemsWithMessages(f.problems)}
		if f.outcome != "" {
			v.By = english.Cause(f.cause)
		}
		write(w, v)
	case <-late.C:
		write(w, answerReport{Problems: problemsWithMessages(nil), Waiting: true})
	case <-srv.closed:
		web.Refuse(w, http.StatusGone)
	case <-r.Context().Done():
	}
}

// typed reads what the person is typing into a shown form. It answers the request itself when there is no such form.
func (srv *server) typed(w http.ResponseWriter, r *http.Request) (s effect.Show, content json.RawMessage, ok bool) {
	var in struct {
		ID      elicit.ID
		Content json.RawMessage
	}
	if !web.Read(w, r, &in) {
		return s, nil, false
	}
	if s, _, ok = srv.questions.shown(in.ID); !ok || s.Form == nil {
		web.Refuse(w, http.StatusGone)
		return s, nil, false
	}
	return s, in.Content, true
}

// check reports the problems of an answer that the person is still typing. The form's own check gives them, so the
// final answer will have the same ones.
func (srv *server) check(w http.ResponseWriter, r *http.Request) {
	if s, content, ok := srv.typed(w, r); ok {
		write(w, answerReport{Problems: problemsWithMessages(s.Form.Check(content))})
	}
}

// draft keeps a half-typed answer: here for a reload of the page, and in the engine for another run.
func (srv *server) draft(w http.ResponseWriter, r *http.Request) {
	s, content, ok := srv.typed(w, r)
	if !ok {
		return
	}
	draft := withoutSensitive(s.Form, content)
	srv.questions.keepDraft(s.ID, draft)
	srv.questions.sendEvent(event.Drafted{Session: s.Session, ID: s.ID, Draft: draft})
	w.WriteHeader(http.StatusNoContent)
}

// withoutSensitive returns a draft without the fields that the form marks as sensitive, and without unknown members.
func withoutSensitive(form *schema.Form, content []byte) []byte {
	draft := []byte{'{'}
	gjson.ParseBytes(content).ForEach(func(name, value gjson.Result) bool {
		if f := form.Field(name.String()); f != nil && !f.Sensitive {
			if len(draft) > 1 {
				draft = append(draft, ',')
			}
			draft = append(append(append(draft, mustJSON(f.Name)...), ':'), value.Raw...)
		}
		return true
	})
	return append(draft, '}')
}

// receipt reports what the page did with a question, such as that it was drawn.
func (srv *server) receipt(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID   elicit.ID
		What event.Receipt
	}
	if !web.Read(w, r, &in) {
		return
	}
	if s, _, ok := srv.questions.shown(in.ID); ok {
		srv.questions.noteReceipt(in.ID, in.What)
		srv.questions.sendEvent(event.Noted{Session: s.Session, ID: s.ID, Receipt: in.What})
	}
	w.WriteHeader(http.StatusNoContent)
}

// extraTime is the time that one request for more time adds to the deadline.
const extraTime = 5 * time.Minute

func (srv *server) extend(w http.ResponseWriter, r *http.Request) {
	var in struct{ ID elicit.ID }
	if !web.Read(w, r, &in) {
		return
	}
	if s, _, ok := srv.questions.shown(in.ID); ok && s.Deadline != 0 {
		until := max(s.Deadline, time.Now().UnixMilli()) + extraTime.Milliseconds()
		srv.questions.sendEvent(event.Extended{Session: s.Session, ID: s.ID, Until: until})
	}
	w.WriteHeader(http.StatusNoContent)
}

// choose makes the page draw one of the waiting questions.
func (srv *server) choose(w http.ResponseWriter, r *http.Request) {
	var in struct{ Number int }
	if !web.Read(w, r, &in) {
		return
	}
	srv.questions.choose(in.Number)
	w.WriteHeader(http.StatusNoContent)
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(mustJSON(v))
}

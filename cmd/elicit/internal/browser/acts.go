package browser

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/schema"
)

// act is what a page can do. The request has passed the door; its body is bounded and has not been read.
type act = func(d *door, w http.ResponseWriter, r *http.Request)

var acts = map[string]act{
	"enter":   (*door).enter,
	"answer":  (*door).answer,
	"await":   (*door).await,
	"check":   (*door).check,
	"draft":   (*door).draft,
	"receipt": (*door).receipt,
	"extend":  (*door).extend,
}

// enter exchanges the link's invitation for the cookie. An invitation that had ended sends every browser out.
func (d *door) enter(w http.ResponseWriter, r *http.Request) {
	var in struct{ Token string }
	if !read(w, r, &in) {
		return
	}
	if user, foreign := foreigner(r); foreign {
		d.warn(warning{user: user})
		refuse(w, http.StatusForbidden)
		return
	}
	cookie, browsers, what := d.passes.redeem(in.Token, r)
	switch what {
	case inside:
		w.WriteHeader(http.StatusNoContent)
		return
	case conflict:
		d.board.entered(browsers)
		d.warn(warning{withdrawn: true})
		refuse(w, http.StatusUnauthorized)
		return
	case unknown, spent:
		refuse(w, http.StatusUnauthorized)
		return
	}
	d.board.entered(browsers)
	if browsers > 1 {
		d.warn(warning{browsers: browsers})
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: d.path(), HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.WriteHeader(http.StatusNoContent)
}

// verdict is what a page hears of an answer: how the question ended, or what is wrong with the answer.
type verdict struct {
	Outcome  elicit.Outcome `json:"outcome,omitempty"`
	Cause    elicit.Cause   `json:"cause,omitempty"`
	By       string         `json:"by,omitempty"`
	Problems []wrong        `json:"problems"`
	Waiting  bool           `json:"waiting,omitempty"` // guardians still look at it; ask with await
}

// wrong is a problem with its sentence.
type wrong struct{ elicit.Problem }

// MarshalJSON adds {"message"} to the problem.
func (p wrong) MarshalJSON() ([]byte, error) {
	text := p.AppendJSON(nil)
	text = append(text[:len(text)-1], `,"message":`...)
	return append(append(text, asJSON(english.Problem(p.Problem))...), '}'), nil
}

func wrongs(list []elicit.Problem) []wrong {
	all := make([]wrong, 0, len(list))
	for _, p := range list {
		all = append(all, wrong{p})
	}
	return all
}

// answer gives the engine an answer and waits for what becomes of it.
func (d *door) answer(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID      elicit.ID
		Action  elicit.Action
		Content json.RawMessage
		Mute    bool
		Scope   engine.Scope
	}
	if !read(w, r, &in) {
		return
	}
	s, answer, ok := d.board.shown(in.ID)
	if !ok {
		refuse(w, http.StatusGone)
		return
	}
	given := ui.Given{Action: in.Action, Via: engine.ViaPerson, Remember: in.Scope, Mute: in.Mute}
	if s.Form != nil && in.Action == elicit.Accept {
		given.Content = in.Content
	}
	fate := d.board.await(s.ID)
	answer(given)
	d.tell(w, r, s.ID, fate)
}

// await goes on waiting for the fate of an answer that was given before.
func (d *door) await(w http.ResponseWriter, r *http.Request) {
	var in struct{ ID elicit.ID }
	if !read(w, r, &in) {
		return
	}
	fate := d.board.awaited(in.ID)
	if fate == nil {
		refuse(w, http.StatusGone)
		return
	}
	d.tell(w, r, in.ID, fate)
}

// tell writes the fate of an answer, or after a while that there is none yet.
func (d *door) tell(w http.ResponseWriter, r *http.Request, id elicit.ID, fate <-chan fate) {
	late := time.NewTimer(d.wait)
	defer late.Stop()
	select {
	case f := <-fate:
		d.board.heard(id, fate)
		v := verdict{Outcome: f.outcome, Cause: f.cause, Problems: wrongs(f.problems)}
		if f.outcome != "" {
			v.By = english.Cause(f.cause)
		}
		write(w, v)
	case <-late.C:
		write(w, verdict{Problems: wrongs(nil), Waiting: true})
	case <-d.over:
		refuse(w, http.StatusGone)
	case <-r.Context().Done():
	}
}

// check says what is wrong with an answer that is still being typed. The verdict is the form's own, as it will be when
// the answer comes.
func (d *door) check(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID      elicit.ID
		Content json.RawMessage
	}
	if !read(w, r, &in) {
		return
	}
	s, _, ok := d.board.shown(in.ID)
	if !ok || s.Form == nil {
		refuse(w, http.StatusGone)
		return
	}
	write(w, verdict{Problems: wrongs(s.Form.Check(in.Content))})
}

// draft keeps what is being typed, here for a reload and in the engine for another run.
func (d *door) draft(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID      elicit.ID
		Content json.RawMessage
	}
	if !read(w, r, &in) {
		return
	}
	s, _, ok := d.board.shown(in.ID)
	if !ok || s.Form == nil {
		refuse(w, http.StatusGone)
		return
	}
	draft := harmless(s.Form, in.Content)
	d.board.keep(s.ID, draft)
	d.board.tell(engine.Drafted{Session: s.Session, ID: s.ID, Draft: draft})
	w.WriteHeader(http.StatusNoContent)
}

// harmless is a draft without what the form calls sensitive or does not know.
func harmless(form *schema.Form, content []byte) []byte {
	draft := []byte{'{'}
	gjson.ParseBytes(content).ForEach(func(name, value gjson.Result) bool {
		if f := form.Field(name.String()); f != nil && !f.Sensitive {
			if len(draft) > 1 {
				draft = append(draft, ',')
			}
			draft = append(append(append(draft, asJSON(f.Name)...), ':'), value.Raw...)
		}
		return true
	})
	return append(draft, '}')
}

// receipt tells how far a question has come.
func (d *door) receipt(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID   elicit.ID
		What engine.Receipt
	}
	if !read(w, r, &in) {
		return
	}
	if s, _, ok := d.board.shown(in.ID); ok {
		d.board.tell(engine.Noted{Session: s.Session, ID: s.ID, Receipt: in.What})
	}
	w.WriteHeader(http.StatusNoContent)
}

// moreTime is what one wish for time adds.
const moreTime = 5 * time.Minute

func (d *door) extend(w http.ResponseWriter, r *http.Request) {
	var in struct{ ID elicit.ID }
	if !read(w, r, &in) {
		return
	}
	if s, _, ok := d.board.shown(in.ID); ok && s.Deadline != 0 {
		until := max(s.Deadline, time.Now().UnixMilli()) + moreTime.Milliseconds()
		d.board.tell(engine.Extended{Session: s.Session, ID: s.ID, Until: until})
	}
	w.WriteHeader(http.StatusNoContent)
}

// read reads one JSON object with no member it does not know, and answers for what is anything else.
func read(w http.ResponseWriter, r *http.Request, in any) bool {
	reader := json.NewDecoder(r.Body)
	reader.DisallowUnknownFields()
	err := reader.Decode(in)
	if err == nil {
		_, err = reader.Token()
		if errors.Is(err, io.EOF) {
			return true
		}
		err = errors.New("more than one value")
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		refuse(w, http.StatusRequestEntityTooLarge)
		return false
	}
	refuse(w, http.StatusBadRequest)
	return false
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(asJSON(v))
}

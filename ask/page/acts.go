package page

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/web"
)

// open draws the question again for the browser that has claimed it: after a reload, and to find out that the question
// is over. Any other browser gets a cookie, and learns nothing before the click. The cookie comes before the claim, so
// that a browser can repeat a claim whose response was lost.
func (h *Handler) open(w http.ResponseWriter, r *http.Request, principal string) {
	var in struct{ Token string }
	if !web.Read(w, r, &in) {
		return
	}
	q, _, err := h.look(r, in.Token, principal)
	if errors.Is(err, errNoCookie) || errors.Is(err, ErrUsed) {
		http.SetCookie(w, h.cookie(in.Token, rand.Text(), 0))
		h.write(w, http.StatusOK, reply{State: "new"})
		return
	}
	h.show(w, q, err)
}

// claim gives the link to this browser, unless another browser has it.
func (h *Handler) claim(w http.ResponseWriter, r *http.Request, principal string) {
	var in struct{ Token string }
	if !web.Read(w, r, &in) {
		return
	}
	q, _, err := h.look(r, in.Token, principal)
	if errors.Is(err, ErrUsed) {
		cookies := r.CookiesNamed(h.cookieName(in.Token))
		secret := cookies[len(cookies)-1].Value // browsers send the cookie with the shortest path last, which is ours
		q, err = h.o.Source.Claim(r.Context(), in.Token, Visitor{principal, digest(secret)})
		if err == nil {
			http.SetCookie(w, h.cookie(in.Token, secret, q.Deadline))
		}
	}
	h.show(w, q, err)
}

// answer gives an answer to the source.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, principal string) {
	var in struct {
		Token   string
		Action  elicit.Action
		Content json.RawMessage
		Cleared []string
	}
	if !web.Read(w, r, &in) {
		return
	}
	if !in.Action.Valid() {
		web.Refuse(w, http.StatusBadRequest)
		return
	}
	given := Answer{Action: in.Action}
	if in.Action == elicit.Accept {
		given.Content, given.Cleared = in.Content, in.Cleared
	}
	// The source decides whether the browser may answer. Open only finds the right cookie among several.
	_, v, err := h.look(r, in.Token, principal)
	var problems []elicit.Problem
	if err == nil {
		problems, err = h.o.Source.Answer(r.Context(), in.Token, v, given)
	}
	switch {
	case errors.Is(err, errNoCookie):
		h.refuse(w, ErrUsed)
	case err != nil:
		h.refuse(w, err)
	case len(problems) > 0:
		h.write(w, http.StatusOK, reply{State: "open", Problems: elicit.AppendList(nil, problems)})
	default:
		h.write(w, http.StatusOK, reply{State: "done", Outcome: in.Action})
	}
}

// errNoCookie says that this browser has claimed nothing.
var errNoCookie = errors.New("page: no cookie")

// look opens a link with the cookies of a browser.
func (h *Handler) look(r *http.Request, token, principal string) (q Question, v Visitor, err error) {
	if token == "" || len(token) > mostToken {
		return q, v, ErrUnknown
	}
	err = errNoCookie
	for i, c := range r.CookiesNamed(h.cookieName(token)) {
		if i == mostCookies {
			break
		}
		v = Visitor{principal, digest(c.Value)}
		if q, err = h.o.Source.Open(r.Context(), token, v); !errors.Is(err, ErrUsed) {
			return q, v, err
		}
	}
	return q, v, err
}

// cookieName is the name of the cookie of one link. Each link has its own cookie, so that two tabs do not replace each
// other's. The prefix __Host- keeps other hosts of the domain from setting it.
func (h *Handler) cookieName(token string) string {
	name := "elicit-" + digest(token)[:16]
	if h.secure {
		return "__Host-" + name
	}
	return name
}

// cookie lives as long as the question, or until the browser ends.
func (h *Handler) cookie(token, secret string, deadline int64) *http.Cookie {
	c := &http.Cookie{Name: h.cookieName(token), Value: secret, Path: "/", HttpOnly: true, Secure: h.secure,
		SameSite: http.SameSiteStrictMode}
	if deadline != 0 {
		c.Expires = time.UnixMilli(deadline).Add(time.Hour) // so that the page can say how it ended
	}
	return c
}

// digest is what a source may keep of a secret: a copy of its store opens no page.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

package site

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Bounds of one request.
const (
	mostToken   = 8 << 10
	mostCookies = 4 // of one name; another program on this host may have set more
)

// Page is what a session knows of the page of a link.
type Page struct {
	asking.Page              // of one that is over, Browser alone
	Principal   string       // who may answer, "" for whoever has the link
	Over        elicit.Cause // why it is over
}

// Visit is a request about one link, before its session was asked.
//
// Begin makes it, and each of Look and Done is called at most once for it. It has copies of what it needs of the
// request.
type Visit struct {
	Link      string
	site      *Site
	act       string // open, claim or answer
	at        int64
	principal string
	cookies   []string
	secret    string // for a browser that has no cookie yet
	action    elicit.Action
	content   []byte
	cleared   []string
}

// files are the files that a page loads, with the ends of their names.
var files = []string{"ar.js", "de.js", "form.js", "icon.svg", "page.css", "page.js", "zh.js"}

var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml"}

// Begin checks a request. It returns the response, or a visit if the session of a link has to be asked. secret is a new
// secret that nobody can guess, and at the time.
//
// A request that fails before the token is read costs the store nothing. The secret is used only if the answer sets a
// cookie.
func (s *Site) Begin(q Request, secret string, at int64) (*Visit, *Response) {
	name, below := strings.CutPrefix(q.Path, s.path)
	act := name == "open" || name == "claim" || name == "answer"
	switch {
	case !strings.EqualFold(q.Host, s.host):
		return nil, refuse(421)
	case !below || name != "" && !act && !slices.Contains(files, name):
		return nil, refuse(404)
	case !act:
		return nil, s.static(q, name)
	case !s.sameOrigin(&q):
		return nil, refuse(403)
	case q.Method != "POST":
		return nil, refuse(405, [2]string{"Allow", "POST"})
	// A POST of a page of this site always has an Origin. Without one, another program made the request.
	case q.header("Origin") != s.origin:
		return nil, refuse(403)
	// A form of another site cannot send this type without a preflight request (WHATWG Fetch, CORS-safelisted
	// request-header).
	case q.header("Content-Type") != "application/json":
		return nil, refuse(415)
	case q.Refused != "" || q.Login && q.Principal == "":
		return nil, s.login(q.Refused)
	case len(q.Body) > MostBody:
		return nil, refuse(413)
	}
	v := &Visit{site: s, act: name, at: at, principal: q.Principal, secret: secret}
	r, problems := strict.Document(q.Body, jsontext.Limits{Bytes: MostBody, Depth: 100, Members: 1 << 16})
	if len(problems) > 0 {
		return nil, refuse(400)
	}
	v.Link = r.Str("token")
	if act := r.Opt("action"); name == "answer" {
		v.action, v.content, v.cleared = elicit.Action(act), r.Raw("content"), r.Strs("cleared")
		if !v.action.Valid() {
			return nil, refuse(400)
		}
		if v.action != elicit.Accept {
			v.content, v.cleared = nil, nil
		}
	} else if act != "" {
		return nil, refuse(400)
	}
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return nil, refuse(400)
	}
	if v.Link == "" || len(v.Link) > mostToken {
		return nil, s.state(404, "unknown")
	}
	v.cookies = q.cookies(s.cookieName(v.Link))
	// The session need not be asked: this browser cannot have claimed the link.
	if len(v.cookies) == 0 {
		return nil, v.stranger()
	}
	return v, nil
}

// static serves a file. A browser gets the document only when it navigates to it, and the other files only for the
// document of the same origin.
func (s *Site) static(q Request, name string) *Response {
	where, what := q.header("Sec-Fetch-Dest"), q.header("Sec-Fetch-Mode")
	switch {
	case q.Method != "GET" && q.Method != "HEAD":
		return refuse(405, [2]string{"Allow", "GET, HEAD"})
	case name == "" && (where != "" && where != "document" || what != "" && what != "navigate"):
		return refuse(403)
	case name != "" && !s.sameOrigin(&q):
		return refuse(403)
	case name == "":
		p := respond(200, "text/html; charset=utf-8", s.document())
		if q.Method == "HEAD" {
			p.Body = ""
		}
		return p
	}
	p := respond(200, kinds[name[strings.LastIndexByte(name, '.'):]], "")
	if q.Method == "GET" {
		p.File = name
	}
	return p
}

// sameOrigin reports whether the headers that the browser sent, if any, say that the page itself made the request.
func (s *Site) sameOrigin(q *Request) bool {
	site, from := q.header("Sec-Fetch-Site"), q.header("Origin")
	return (site == "" || site == "same-origin") && (from == "" || from == s.origin)
}

// login says why the server's login does not let a person in.
func (s *Site) login(refused string) *Response {
	switch refused {
	case "":
		o := jsontext.With(nil, "state", "sign_in")
		o.OptStr("sign_in", s.signIn)
		return s.reply(401, o.End())
	case "forbidden":
		return s.state(403, "forbidden")
	}
	return s.state(500, "failed")
}

// stranger answers a browser that has not claimed the link. It learns nothing before the click. It gets the cookie
// before the claim, so that it can repeat a claim whose response was lost.
func (v *Visit) stranger() *Response {
	switch {
	case v.act == "open":
		p := v.site.state(200, "new")
		p.Headers = append(p.Headers, v.cookie(v.secret, 0))
		return p
	case v.act == "claim" && len(v.cookies) == 0:
		return v.site.state(400, "no_cookie")
	}
	return v.site.state(409, "used")
}

// Look decides with what the session knows. It returns the response, or an event for the session. The principal comes
// first: somebody else learns nothing, whatever else the link names.
//
//	                        cookie of the browser that has the link    another cookie
//	the page is over        why it is over                             unknown
//	another principal       forbidden                                  forbidden
//	open                    the question                               new, a cookie, or used
//	claim                   the question                               Claimed, if nobody has it; else used
//	answer                  Submitted                                  used
func (v *Visit) Look(p Page) (asking.Event, *Response) {
	open := p.Link != ""
	// The session has a hash of the cookie. Comparing hashes in any time is safe: a guess would have to meet a hash.
	own := p.Browser != "" && slices.ContainsFunc(v.cookies, func(c string) bool { return hash(c) == p.Browser })
	switch {
	case !open && own:
		return nil, v.site.over(p.Over)
	case !open:
		return nil, v.site.state(404, "unknown")
	case p.Principal != "" && p.Principal != v.principal:
		return nil, v.site.state(403, "forbidden")
	case own && v.act == "answer":
		return asking.Submitted{Link: p.Link, Principal: p.Principal, Action: v.action, Content: v.content,
			Cleared: v.cleared}, nil
	case own:
		return nil, v.site.question(p)
	case v.act == "claim" && p.Browser == "":
		return asking.Claimed{Link: p.Link, Principal: p.Principal, Browser: hash(v.last())}, nil
	}
	return nil, v.stranger()
}

// last is the cookie that a claim counts for: browsers send the cookie with the shortest path last, which is ours.
func (v *Visit) last() string { return v.cookies[len(v.cookies)-1] }

// Done answers when the session has the event of Look. p is the page, as it is now if the event was refused. problems
// are about a wrong answer. refused is the code of the problem that a claim or an answer met, "" for none.
//
// An answer that does not fit leaves the page open, and its problems go beside their fields. A claim that counts shows
// the question, and the cookie gets its end.
func (v *Visit) Done(p Page, problems []elicit.Problem, refused string) *Response {
	switch {
	case v.act == "answer" && refused != "":
		return v.site.over(cmp.Or(p.Over, elicit.ByUser)) // it was open a moment ago
	case v.act == "answer" && len(problems) > 0:
		o := jsontext.With(nil, "state", "open")
		jsontext.List(&o, "problems", problems)
		return v.site.reply(200, o.End())
	case v.act == "answer":
		return v.site.reply(200, jsontext.Whole(nil, "state", "done", "outcome", string(v.action)))
	case refused == "link_used":
		return v.site.state(409, "used")
	case refused == "wrong_principal":
		return v.site.state(403, "forbidden")
	case refused != "":
		return v.site.state(404, "unknown")
	}
	shown := v.site.question(p)
	shown.Headers = append(shown.Headers, v.cookie(v.last(), p.Expires))
	return shown
}

// Failed answers when nobody knows, because the store or the journal is out of order.
func (v *Visit) Failed() *Response { return v.site.state(500, "failed") }

// Unknown answers when the link names no session.
func (v *Visit) Unknown() *Response { return v.site.state(404, "unknown") }

// Busy answers when too many requests wait for their sessions.
func (v *Visit) Busy() *Response { return v.site.state(503, "busy") }

// question draws an open question as `<elicit-form>` reads it. All texts in it are untrusted.
func (s *Site) question(p Page) *Response {
	o := jsontext.With(nil, "state", "open")
	o.Name("question", func(dst []byte) []byte {
		o := jsontext.With(dst, "server", s.name)
		o.OptStr("tool", p.Show.Tool)
		o.Str("message", p.Show.Message)
		if p.Show.Form != nil {
			o.Name("form", p.Show.Form.AppendJSON)
		} else {
			o.Raw("form", []byte(`{"fields":[]}`))
		}
		jsontext.OptList(&o, "findings", p.Show.Findings)
		o.OptInt("deadline", p.Expires)
		o.OptTrue("secret", p.Secret)
		return o.End()
	})
	return s.reply(200, o.End())
}

// over says why a question is no longer open.
//
// A page that was given up after too many attempts looks like an answered one.
func (s *Site) over(why elicit.Cause) *Response {
	switch why {
	case elicit.ByUser, elicit.ByAttemptsUsed:
		return s.state(410, "answered")
	case elicit.ByTimeout:
		return s.state(410, "expired")
	}
	return s.state(410, "closed")
}

func (s *Site) state(status int, state string) *Response {
	return s.reply(status, jsontext.Whole(nil, "state", state))
}

func (s *Site) reply(status int, body []byte) *Response {
	return respond(status, "application/json", string(body))
}

// cookieName is the name of the cookie of one link. Each link has its own cookie, so that two tabs do not replace each
// other's. The prefix __Host- keeps other hosts of the domain from setting it.
//
// The hash has 64 bits of the link, so the name tells nothing of it. Path=/ is part of what __Host- demands (RFC
// 6265bis, section 4.1.3.2).
func (s *Site) cookieName(link string) string {
	name := "elicit-" + hash(link)[:16]
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// cookie lives an hour longer than the question, so that the page can say how it ended, or until the browser ends.
func (v *Visit) cookie(secret string, expires int64) [2]string {
	text := v.site.cookieName(v.Link) + "=" + secret + "; Path=/"
	if expires != 0 {
		text += "; Max-Age=" + strconv.FormatInt((expires-v.at)/1000+3600, 10)
	}
	text += "; HttpOnly"
	if v.site.secure {
		text += "; Secure"
	}
	return [2]string{"Set-Cookie", text + "; SameSite=Strict"}
}

// hash is what a session may keep of a secret: a copy of its store opens no page.
//
// The secret has 128 random bits, so a hash without salt cannot be turned round.
func hash(secret string) string {
	sum := digest.Sum256([]byte(secret))
	return digest.Hex(sum[:])
}

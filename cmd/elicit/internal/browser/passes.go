package browser

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"slices"
	"sync"
)

// passes are the invitations not yet used and the cookies they were exchanged for. An invitation may be seen by others:
// one that was printed is in the log of a client. So it works once, and the cookie that it buys is seen by nobody.
type passes struct {
	mu      sync.Mutex
	invites []string
	ended   []string // invitations that were used, or that others replaced
	cookies []string
}

// Of each there are only as many as one person can need; the oldest make room.
const (
	mostInvites = 4
	mostCookies = 16
	mostEnded   = 64
	cookieName  = "elicit"
)

// entry is what became of an invitation.
type entry int

const (
	unknown  entry = iota // never was one, or so long ago that it is forgotten
	entered               // it bought a cookie
	inside                // the browser has a cookie of ours already, so nothing changes
	spent                 // it had been used or replaced, and nobody is in
	conflict              // it had been used or replaced, and every cookie has been withdrawn
)

func newPasses() *passes { return &passes{} }

// invite mints an invitation: 128 bits and more that nobody can guess.
func (p *passes) invite() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.invites) >= mostInvites {
		p.end(p.invites[:1])
	}
	var token string
	p.invites, token = mint(p.invites, mostInvites)
	return token
}

// redeem exchanges an invitation for a cookie, once. The others end with it: whoever was meant is in. An invitation
// that has ended shows that two browsers were brought here and that one of them may be somebody else's, who has read
// the link. Nobody can tell which, so all cookies are withdrawn.
func (p *passes) redeem(token string, r *http.Request) (cookie string, browsers int, what entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	valid, ended, known := find(p.invites, token) >= 0, find(p.ended, token) >= 0, p.known(r)
	switch {
	case (valid || ended) && known:
		if valid {
			p.end(p.invites)
			p.invites = nil
		}
		return "", len(p.cookies), inside
	case valid:
		p.end(p.invites)
		p.invites = nil
		p.cookies, cookie = mint(p.cookies, mostCookies)
		return cookie, len(p.cookies), entered
	case ended && len(p.cookies) > 0:
		p.cookies = nil
		p.end(p.invites)
		p.invites = nil
		return "", 0, conflict
	case ended:
		return "", 0, spent
	}
	return "", len(p.cookies), unknown
}

// end remembers invitations that no longer work.
func (p *passes) end(tokens []string) {
	p.ended = append(p.ended, tokens...)
	p.ended = slices.Clone(p.ended[max(0, len(p.ended)-mostEnded):])
}

// open reports whether an invitation still waits for a browser.
func (p *passes) open(token string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return find(p.invites, token) >= 0
}

// holds reports whether a request carries a cookie of ours. Others of that name may have been set by another program on
// this host; they neither help nor harm.
func (p *passes) holds(r *http.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known(r)
}

func (p *passes) known(r *http.Request) bool {
	for _, c := range r.CookiesNamed(cookieName) {
		if find(p.cookies, c.Value) >= 0 {
			return true
		}
	}
	return false
}

func mint(list []string, most int) ([]string, string) {
	token := rand.Text()
	if len(list) >= most {
		list = list[1:]
	}
	return append(list[:len(list):len(list)], token), token
}

// find looks at every entry, so that its time tells nothing.
func find(list []string, token string) int {
	at := -1
	for i, have := range list {
		if subtle.ConstantTimeCompare([]byte(have), []byte(token)) == 1 {
			at = i
		}
	}
	return at
}

package browser

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"sync"
)

// passes are the invitations not yet used and the cookies they were exchanged for. An invitation is seen by others: it
// is on the error stream, which clients log, and may be in a list of running programs. So it works once, and the
// cookie it buys is seen by nobody.
type passes struct {
	mu      sync.Mutex
	invites []string
	cookies []string
}

// Of both there are only as many as one person can need; the oldest make room.
const (
	mostInvites = 4
	mostCookies = 16
	cookieName  = "elicit"
)

func newPasses() *passes { return &passes{} }

// invite mints an invitation: 128 bits and more that nobody can guess.
func (p *passes) invite() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var token string
	p.invites, token = mint(p.invites, mostInvites)
	return token
}

// redeem exchanges an invitation for a cookie, once. The others end with it: whoever was meant is in.
func (p *passes) redeem(token string) (cookie string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if find(p.invites, token) < 0 {
		return "", false
	}
	p.invites = nil
	p.cookies, cookie = mint(p.cookies, mostCookies)
	return cookie, true
}

// holds reports whether a request carries a cookie of ours. Others of that name may have been set by another program on
// this host; they neither help nor harm.
func (p *passes) holds(r *http.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
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

package browser

import (
	"crypto/rand"
	"net/http"
	"slices"
	"sync"

	"github.com/elicit-engine/elicit/internal/web"
)

// accessList holds the invitations and the cookies of one server. A browser exchanges an invitation for a cookie. Other
// people may see an invitation, because a printed one is in the log of a client. So each invitation works once, and
// nobody else sees the cookie.
type accessList struct {
	mu              sync.Mutex
	invitations     []string
	usedInvitations []string // invitations that were used or replaced
	cookies         []string
}

// The lists have bounds that one person does not reach. A new entry replaces the oldest one.
const (
	mostInvites = 4
	mostCookies = 16
	mostUsed    = 64
	cookieName  = "elicit"
)

// redemption is the result of redeeming an invitation.
type redemption int

const (
	tokenUnknown  redemption = iota // no invitation, or one that is so old that it is forgotten
	tokenRedeemed                   // the browser got a cookie
	alreadyInside                   // the browser has a valid cookie already, so nothing changes
	tokenUsed                       // used or replaced before, and no browser has a cookie
	tokenConflict                   // used or replaced before, so every cookie was withdrawn
)

// invite makes an invitation of at least 128 random bits.
func (p *accessList) invite() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.invitations) >= mostInvites {
		p.retire(p.invitations[:1])
	}
	var token string
	p.invitations, token = addToken(p.invitations, mostInvites)
	return token
}

// redeem exchanges an invitation for a cookie. That invalidates all other invitations, because the person's browser is
// connected now. When a browser without a cookie brings a used invitation, two browsers have had the same link, and one
// of them may belong to somebody else who read it. Nothing shows which one, so redeem withdraws all cookies.
func (p *accessList) redeem(token string, r *http.Request) (cookie string, browsers int, what redemption) {
	p.mu.Lock()
	defer p.mu.Unlock()
	valid, ended := findToken(p.invitations, token) >= 0, findToken(p.usedInvitations, token) >= 0
	known := p.hasCookieLocked(r)
	conflict := ended && !known && len(p.cookies) > 0
	if valid || conflict {
		p.retire(p.invitations)
		p.invitations = nil
	}
	switch {
	case (valid || ended) && known:
		return "", len(p.cookies), alreadyInside
	case valid:
		p.cookies, cookie = addToken(p.cookies, mostCookies)
		return cookie, len(p.cookies), tokenRedeemed
	case conflict:
		p.cookies = nil
		return "", 0, tokenConflict
	case ended:
		return "", 0, tokenUsed
	}
	return "", len(p.cookies), tokenUnknown
}

// retire remembers invitations that no longer work.
func (p *accessList) retire(tokens []string) {
	p.usedInvitations = append(p.usedInvitations, tokens...)
	p.usedInvitations = slices.Clone(p.usedInvitations[max(0, len(p.usedInvitations)-mostUsed):])
}

// isUnused reports whether an invitation still works.
func (p *accessList) isUnused(token string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return findToken(p.invitations, token) >= 0
}

// hasCookie reports whether a request has a valid cookie. Another program on this host may have set more cookies of the
// same name, so hasCookie looks at each of them.
func (p *accessList) hasCookie(r *http.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hasCookieLocked(r)
}

func (p *accessList) hasCookieLocked(r *http.Request) bool {
	return slices.ContainsFunc(r.CookiesNamed(cookieName), func(c *http.Cookie) bool {
		return findToken(p.cookies, c.Value) >= 0
	})
}

// addToken adds a new random token to a list. In a full list it replaces the oldest.
func addToken(list []string, most int) ([]string, string) {
	token := rand.Text()
	if len(list) >= most {
		list = list[1:]
	}
	return append(list[:len(list):len(list)], token), token
}

// findToken returns the index of a token, or -1. It compares every entry in constant time, so that the time shows
// nothing about the tokens.
func findToken(list []string, token string) int {
	at := -1
	for i, have := range list {
		if web.Equal(have, token) {
			at = i
		}
	}
	return at
}

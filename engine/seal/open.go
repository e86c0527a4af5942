package seal

import (
	"crypto/subtle"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
)

// Expected is what the request that brings a token says. A token is accepted only if it was sealed with exactly this.
// It has no zero value that fits everything: an empty Principal fits only a token that was sealed for nobody.
type Expected struct {
	Principal, Method, Target, Audience string

	Arguments [32]byte

	Now  int64 // milliseconds since 1970
	Skew int64 // how far the clock of the replica that sealed the token may be ahead, in milliseconds
}

// Open returns the claims of a token, or the problem for which it is refused. The code is for logs alone:
//
//	seal_too_long         more than MaxToken characters
//	seal_malformed        no token at all, or cut in its header
//	seal_unknown_key      sealed with a key that is not in the ring; the argument key has its id
//	seal_broken           changed, cut, or not sealed by this server
//	seal_wrong_purpose    intact, but for something else; so are those below
//	seal_not_yet          issued in the future
//	seal_expired
//	seal_wrong_principal  and …_method, …_target, …_audience: another one than expected
//	seal_other_arguments
//	seal_forbidden        the process allows the algorithms of FIPS 140 alone
//	bad_input             Expected has a time that is none
//
// The claims of a token that is refused are not returned. The time that Open takes tells a peer nothing about a text
// that it compares. Open keeps no part of token. The order of the checks: size, syntax, key, tag, purpose, time, then
// what the token is bound to. A peer that reads only "refused" learns nothing from it.
func (r *Ring) Open(token []byte, p Purpose, want Expected) (Claims, *elicit.Problem) {
	c, purpose, problem := r.decrypt(token)
	if problem != nil {
		return Claims{}, problem
	}
	if string(purpose) != string(p) {
		return Claims{}, refuse("seal_wrong_purpose")
	}
	if problem := want.check(&c); problem != nil {
		return Claims{}, problem
	}
	return c, nil
}

// decrypt returns what this server sealed. Nothing in the token is believed before its tag is checked. The work of a
// hostile token is bounded by MaxToken: one base64 reading, one derivation and one pass of Poly1305.
func (r *Ring) decrypt(token []byte) (c Claims, purpose []byte, problem *elicit.Problem) {
	if len(token) > MaxToken {
		return c, nil, refuse("seal_too_long", elicit.Num("limit", MaxToken))
	}
	if len(token) < len(prefix) || string(token[:len(prefix)]) != prefix {
		return c, nil, refuse("seal_malformed")
	}
	raw, ok := base64.ReadURL(make([]byte, 0, len(token)), token[len(prefix):])
	// base64.ReadURL takes one spelling of the bytes alone, so one token has one text. A store of redeemed texts could
	// be fooled otherwise.
	if !ok || len(raw) == 0 || raw[0] != version {
		return c, nil, refuse("seal_malformed")
	}
	id, rest, idThere := tagged(raw[1:])
	purpose, rest, purposeThere := tagged(rest)
	if !idThere || !purposeThere || len(rest) < saltSize+chacha20poly1305.Overhead {
		return c, nil, refuse("seal_malformed")
	}
	key := r.named(string(id))
	if key == nil {
		return c, nil, refuse("seal_unknown_key", elicit.Str("key", string(id)))
	}
	salted := len(raw) - len(rest)
	// The whole header is associated data. Changing the purpose or the key id in it breaks the tag.
	header, sealed := raw[:salted+saltSize], rest[saltSize:]
	aead, nonce, problem := key.cipher(rest[:saltSize], raw[:salted])
	if problem != nil {
		return c, nil, problem
	}
	claims, err := aead.Open(sealed[:0], nonce, sealed, header)
	if err != nil {
		return c, nil, refuse("seal_broken")
	}
	if !c.read(claims) { // sealed by a program with another idea of version 1
		return c, nil, refuse("seal_malformed")
	}
	return c, purpose, nil
}

// tagged splits off bytes with their length before them. None at all do not count.
func tagged(b []byte) (tag, rest []byte, ok bool) {
	if len(b) == 0 || b[0] == 0 || len(b) <= int(b[0]) {
		return nil, nil, false
	}
	end := 1 + int(b[0])
	return b[1:end], b[end:], true
}

// check compares the times first, so an expired token says so whoever brings it. The texts are compared in constant
// time.
func (want *Expected) check(c *Claims) *elicit.Problem {
	switch {
	case want.Now < 0 || want.Now > LastMoment:
		return &elicit.Problem{Code: "bad_input", Pointer: "/now"}
	case want.Skew < 0 || want.Skew > LastMoment:
		return &elicit.Problem{Code: "bad_input", Pointer: "/skew"}
	// Replicas have clocks of their own. A token of one that is ahead by Skew is taken. Expiry has no such allowance.
	case c.IssuedAt > want.Now+want.Skew:
		return refuse("seal_not_yet")
	case c.ExpiresAt <= want.Now:
		return refuse("seal_expired")
	case !equal(c.Principal, want.Principal):
		return refuse("seal_wrong_principal")
	case !equal(c.Audience, want.Audience):
		return refuse("seal_wrong_audience")
	case !equal(c.Method, want.Method):
		return refuse("seal_wrong_method")
	case !equal(c.Target, want.Target):
		return refuse("seal_wrong_target")
	case !equal(string(c.Arguments[:]), string(want.Arguments[:])):
		return refuse("seal_other_arguments")
	}
	return nil
}

// equal reports whether a and b are the same. Its time depends on their lengths only.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

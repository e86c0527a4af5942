//go:build !browser

package abi

import (
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/seal"
)

// evalSeal makes a token: {"keys":[{"id","secret":base64url}…],"random":64 hex digits,"purpose","claims":{"id"?,
// "principal"?,"method"?,"target"?,"audience"?,"arguments"? or "arguments_digest"?,"questions"?:[hex…],"issued_at",
// "expires_at","body"?}} → {"token","id"}. The first key seals. An id that is left out is seal.ID(random, purpose, 0).
// arguments and body are documents; arguments may also be arguments_text, and body body_text or body_base64. The secret
// is base64url without padding, at least 32 bytes of it. Secrets never come back: a problem has the pointer
// /keys/0/secret and no text.
func evalSeal(in gjson.Result, dst []byte) []byte {
	r := strict.Of(in)
	ring, purpose := readRing(&r), seal.Purpose(r.Str("purpose"))
	var random [32]byte
	if text := r.Take("random"); text.Type != gjson.String || !digest.ReadHex(random[:], text.String()) {
		r.Report("bad_input", "random")
	}
	var claims seal.Claims
	if !r.Has("claims") {
		r.Report("bad_input", "claims")
	}
	r.Object("claims", func(c *strict.Reader) {
		claims = readClaims(c)
		if !c.Has("id") {
			// The id of the first token of a step. A step that makes several gives each its own id.
			claims.ID = seal.ID(random, purpose, 0)
		}
	})
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return appendProblem(dst, r.Problems...)
	}
	token, err := ring.Seal(nil, random, purpose, claims)
	if err != nil {
		// Only the purpose is a member beside claims. All other pointers are into the claims.
		p := err.(*seal.Error).Problem
		if p.Pointer != "" && p.Pointer != "/purpose" {
			p.Pointer = "/claims" + p.Pointer
		}
		return appendProblem(dst, p)
	}
	return jsontext.Whole(dst, "token", string(token), "id", claims.ID)
}

// evalUnseal opens a token: {"keys":[…],"token","purpose","expected":{"principal"?,"method"?,"target"?,"audience"?,
// "arguments"? or "arguments_digest"?,"now","skew"?}} → {"claims":{"id","principal"?,"method"?,"target"?,"audience"?,
// "arguments_digest","questions"?,"issued_at","expires_at","body_text"? or "body_base64"?}}, or one problem whose code
// is for the log of the server. Expected members that are left out are "", which fits only a token that was sealed
// without them. now is needed, because this operation has no clock.
func evalUnseal(in gjson.Result, dst []byte) []byte {
	r := strict.Of(in)
	ring, purpose, token := readRing(&r), seal.Purpose(r.Str("purpose")), r.Str("token")
	var want seal.Expected
	if !r.Has("expected") {
		r.Report("bad_input", "expected")
	}
	r.Object("expected", func(e *strict.Reader) {
		want = seal.Expected{Principal: e.Opt("principal"), Method: e.Opt("method"), Target: e.Opt("target"),
			Audience: e.Opt("audience"), Arguments: readArguments(e), Now: e.Time("now"), Skew: e.OptTime("skew")}
	})
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return appendProblem(dst, r.Problems...)
	}
	// The problem has one of the codes that seal.Open lists. A server logs it and tells the peer one text for all.
	claims, problem := ring.Open([]byte(token), purpose, want)
	if problem != nil {
		return appendProblem(dst, *problem)
	}
	o := jsontext.Begin(dst)
	o.Name("claims", func(dst []byte) []byte { return appendClaims(dst, &claims) })
	return o.End()
}

// readRing takes the keys. Without a ring there is a problem, which holds no part of a secret. No keys at all is a
// problem too: there would be nothing to seal with. All wrong keys are told at once.
func readRing(r *strict.Reader) *seal.Ring {
	var keys []seal.Key
	r.Array("keys", func(i int, v gjson.Result) bool {
		k, at := strict.Of(v), strict.Element("keys", i)
		id := k.Str("id")
		secret, ok := base64.ReadURL(nil, []byte(k.Str("secret")))
		key, err := seal.NewKey(id, secret)
		if !ok {
			k.Report("bad_input", "secret")
		} else if err != nil && len(k.Problems) == 0 {
			k.Problems = append(k.Problems, err.(*seal.Error).Problem)
		}
		keys = append(keys, key)
		r.Include(at, &k)
		return true
	})
	if len(r.Problems) > 0 {
		return nil
	}
	ring, err := seal.NewRing(keys...)
	if err != nil {
		r.ReportAt("/keys"+err.(*seal.Error).Problem.Pointer, "bad_input")
	}
	return ring
}

// readClaims takes all members but the id, for which the random bytes are needed. body and body_text are a document,
// and body_base64 any bytes.
func readClaims(r *strict.Reader) seal.Claims {
	c := seal.Claims{ID: r.Opt("id"), Principal: r.Opt("principal"), Method: r.Opt("method"), Target: r.Opt("target"),
		Audience: r.Opt("audience"), Arguments: readArguments(r), IssuedAt: r.Time("issued_at"),
		ExpiresAt: r.Time("expires_at")}
	for i, text := range r.Strs("questions") {
		var question [32]byte
		if !digest.ReadHex(question[:], text) {
			r.ReportAt(strict.Element("questions", i), "bad_input")
		}
		c.Questions = append(c.Questions, question)
	}
	if v := r.Take("body_base64"); v.Exists() {
		var ok bool
		if c.Body, ok = base64.Read(nil, v.String()); !ok || v.Type != gjson.String {
			r.Report("bad_input", "body_base64")
		}
	} else {
		c.Body = r.Text("body")
	}
	return c
}

// readArguments takes the arguments of a request, or their digest. Without either it is zero. The digest is of
// canonical JSON with sorted names, so the spelling of the arguments does not matter.
func readArguments(r *strict.Reader) (sum [32]byte) {
	if r.Has("arguments_digest") {
		if text := r.Take("arguments_digest"); text.Type != gjson.String || !digest.ReadHex(sum[:], text.String()) {
			r.Report("bad_input", "arguments_digest")
		}
		return sum
	}
	document := r.Text("arguments")
	if document == nil {
		return sum
	}
	sum, problem := seal.Digest(document)
	if problem != nil {
		r.IncludeProblems("/arguments", []elicit.Problem{*problem})
	}
	return sum
}

// The body is text where it can be. A token of this interface keeps which of both it was given only by its bytes.
func appendClaims(dst []byte, c *seal.Claims) []byte {
	o := jsontext.With(dst, "id", c.ID)
	o.OptStrs("principal", c.Principal, "method", c.Method, "target", c.Target, "audience", c.Audience)
	o.Str("arguments_digest", digest.Hex(c.Arguments[:]))
	if len(c.Questions) > 0 {
		list := make([]string, len(c.Questions))
		for i, q := range c.Questions {
			list[i] = digest.Hex(q[:])
		}
		jsontext.OptStrings(&o, "questions", list)
	}
	o.Int("issued_at", c.IssuedAt)
	o.Int("expires_at", c.ExpiresAt)
	if utf8.Valid(c.Body) {
		o.OptStr("body_text", string(c.Body))
	} else {
		o.Str("body_base64", string(base64.Append(nil, c.Body)))
	}
	return o.End()
}

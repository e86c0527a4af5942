// Package seal makes tokens that a server gives away and gets back: the requestState of MCP, the link of a page, the id
// that a model carries. The holder of a token can neither read nor change it, nor use it for anything else.
//
//	key, err := seal.NewKey("2026-11", secret)     // at least 32 random bytes, the same on every replica
//	ring, err := seal.NewRing(key)                 // the first key seals, all keys open
//	token, err := ring.Seal(nil, random, seal.State, seal.Claims{
//		ID:        seal.ID(random, seal.State, 0), // for a store that redeems each token once
//		Principal: "alice", Method: "tools/call", Target: "deploy", Audience: "ops-server",
//		Arguments: digest, IssuedAt: now, ExpiresAt: now + 600_000, Body: answersSoFar,
//	})
//	claims, problem := ring.Open(token, seal.State, seal.Expected{Principal: "alice", …})
//
// Open compares everything that the token is bound to. There is no way to leave a comparison out: an empty text in
// Expected fits only a token that was sealed with an empty text. Each reason has its own code, which is for the log of
// the server. Tell the peer one text for all of them, so that it learns nothing by trying.
//
// A token can be opened as often as its holder likes until it expires. If that matters, redeem Claims.ID in a store.
//
// # Format
//
//	token      = "e1." base64url(header ‖ ciphertext ‖ tag)        without padding, at most MaxToken characters
//	header     = 1 ‖ length of key id ‖ key id ‖ length of purpose ‖ purpose ‖ salt (32 bytes)
//	salt       = HMAC-SHA-256(PRK, "elicit seal salt 1" ‖ random ‖ header without salt ‖ claims)
//	PRK        = HMAC-SHA-256("elicit seal prf 1", secret)
//	key, nonce = HKDF-SHA-256(secret, salt, "elicit seal 1" ‖ header without salt)     32 bytes, then 12
//	ciphertext = ChaCha20-Poly1305(key, nonce, claims), with header as associated data (RFC 8439)
//
// Every token has its own key and nonce. They are safe also if random bytes repeat, because the salt depends on the
// claims: two tokens have the same salt only if they are the same token.
package seal

import (
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// MaxToken is the most characters of a token. Open looks at no longer text, and Seal makes none.
const MaxToken = 64 << 10

// LastMoment is the latest time that a token may name, in milliseconds since 1970.
const LastMoment = 1 << 52

// Purpose says what a token is for. A token of one purpose is refused where another is expected. It has 1 to 255 bytes
// and can be read in the token. Two purposes of one program never share tokens: the header is authenticated, and the
// key is derived from it.
type Purpose string

// These are the purposes that Elicit uses.
const (
	State    Purpose = "state"    // the requestState of a call that waits for answers
	Page     Purpose = "page"     // the link of a page that collects an answer
	Fallback Purpose = "fallback" // the id that a model gives back to a tool
)

// Claims are what a token holds. Principal, Method, Target, Audience and Arguments bind the token, and Open compares
// them. ID, Questions and Body are for the caller alone.
type Claims struct {
	ID string // 32 lower-case hexadecimal digits, different for every token; see ID

	// These four are at most 65,535 bytes each. What has no meaning for a purpose stays empty.
	Principal string // who may use the token
	Method    string // of the request that it belongs to, such as tools/call
	Target    string // the tool, prompt or resource
	Audience  string // the server that sealed it, by a name that its replicas share

	Arguments [32]byte   // Digest of the arguments of the request
	Questions [][32]byte // digests of the questions that were asked with this token, at most 65,535

	IssuedAt, ExpiresAt int64 // milliseconds since 1970, up to LastMoment; it ends after it is issued

	Body []byte // anything else that the server needs again
}

// The four infos keep the uses of one secret apart: key, pseudo-random function, salt and id never see the same text.
const (
	prefix     = "e1."
	version    = 1
	saltSize   = 32
	keyInfo    = "elicit seal 1"
	prfInfo    = "elicit seal prf 1"
	saltInfo   = "elicit seal salt 1"
	idInfo     = "elicit seal id 1"
	idSize     = 16
	longestTag = 255 // a key id or purpose
)

// Error says why a key, a ring or a token cannot be made. It never holds a key or a claim.
type Error struct {
	// Problem has the code. Its pointer names the member: /id or /secret of a key, the number of a key in a ring, or
	// /id, /principal, /expires_at … of claims.
	Problem elicit.Problem
}

// Error returns the code and the pointer. Package english has a sentence for a person.
func (e *Error) Error() string {
	if e.Problem.Pointer == "" {
		return "seal: " + e.Problem.Code
	}
	return "seal: " + e.Problem.Code + " at " + e.Problem.Pointer
}

func invalid(pointer string) error {
	return &Error{elicit.Problem{Code: "bad_input", Pointer: pointer}}
}

// Seal appends a token with the claims. The same arguments give the same token. The error is an *Error. dst may have
// bytes before the token, and is returned unchanged with an error. Random bytes come from the step, so a replay makes
// the same token.
func (r *Ring) Seal(dst []byte, random [32]byte, p Purpose, c Claims) ([]byte, error) {
	if pointer := c.invalidMember(); pointer != "" {
		return dst, invalid(pointer)
	}
	if len(p) == 0 || len(p) > longestTag {
		return dst, invalid("/purpose")
	}
	key := &r.keys[0]
	head := 3 + len(key.id) + len(p) + saltSize
	// The size is computed before anything is encrypted, so a body of any length costs nothing but the refusal.
	size := base64.URLSize(head+c.size()+chacha20poly1305.Overhead) + len(prefix)
	if size > MaxToken {
		return dst, &Error{*refuse("seal_too_long", elicit.Num("limit", MaxToken))}
	}
	raw := make([]byte, 0, head+c.size()+chacha20poly1305.Overhead)
	raw = append(raw, version, byte(len(key.id)))
	raw = append(raw, key.id...)
	raw = append(raw, byte(len(p)))
	raw = append(raw, p...)
	claims := c.append(make([]byte, 0, c.size()))
	salt := key.salt(&random, raw, claims)
	aead, nonce, problem := key.cipher(salt[:], raw)
	if problem != nil {
		return dst, &Error{*problem}
	}
	raw = append(raw, salt[:]...)
	raw = aead.Seal(raw, nonce, claims, raw)
	return base64.AppendURL(append(dst, prefix...), raw), nil
}

// ID makes the n-th id of a step from its random bytes: the first 16 bytes of HMAC-SHA-256(random, "elicit seal id 1" ‖
// purpose ‖ 0 ‖ n as four bytes), in hexadecimal. n counts from 0, so that one step can make several tokens. A store
// that redeems each token once keeps these ids until the tokens expire.
func ID(random [32]byte, p Purpose, n int) string {
	number := [5]byte{0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
	sum := digest.MAC(random[:], []byte(idInfo), []byte(p), number[:])
	return digest.Hex(sum[:idSize])
}

// Digest is SHA-256 of a JSON document in one spelling: members in the order of their names, no white space, and
// strings with the fewest escapes. Numbers stay as they are written, so 1 and 1.0 differ. The document must pass the
// gate of every other document: no name twice in an object, UTF-8, at most 4 MiB. Example: {"b":1,"a":"x"} and { "a" :
// "x", "b" : 1 } have one digest. So a client may write its retry in another order, and the token still fits its
// arguments.
func Digest(document []byte) (sum [32]byte, problem *elicit.Problem) {
	if f := jsontext.Check(document, jsontext.DocumentLimits()); f != nil {
		p := elicit.FromFault(f)
		return sum, &p
	}
	return digest.Sum256(jsontext.AppendSorted(make([]byte, 0, len(document)), document)), nil
}

func refuse(code string, args ...elicit.Arg) *elicit.Problem {
	return &elicit.Problem{Code: code, Args: args}
}

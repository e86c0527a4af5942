package seal

import (
	"crypto/cipher"
	"strconv"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// MinSecret is the fewest bytes of a key's secret. They must be random, not a password.
const MinSecret = 32

// Key is a secret with a name. Printing a key, in any format, shows its name only. The zero Key has no secret, and
// NewRing refuses it. Copies share the secret.
type Key struct {
	id     string
	secret func() *secret // a function, because printers look into every other value; fmt follows a pointer with %s
}

// secret is what a key derives from.
type secret struct {
	bytes []byte
	prk   []byte // for salts
}

// NewKey makes a key of at least MinSecret random bytes, which it copies. The id has 1 to 255 bytes and can be read in
// every token. The same id must always mean the same secret. The error is an *Error.
func NewKey(id string, secretBytes []byte) (Key, error) {
	if id == "" || len(id) > longestTag {
		return Key{}, invalid("/id")
	}
	if len(secretBytes) < MinSecret {
		return Key{}, invalid("/secret")
	}
	// HKDF-Extract (RFC 5869 section 2.2) with prfInfo as the salt. It is made once for a key, because each token needs
	// it.
	prk := digest.MAC([]byte(prfInfo), secretBytes)
	held := &secret{append([]byte(nil), secretBytes...), prk[:]}
	return Key{id, func() *secret { return held }}, nil
}

// ID returns the name of the key.
func (k Key) ID() string { return k.id }

// String returns the name of the key.
func (k Key) String() string { return "key " + strconv.Quote(k.id) }

// GoString returns the name of the key.
func (k Key) GoString() string { return "seal.Key(" + strconv.Quote(k.id) + ")" }

// salt is a pseudo-random function of the random bytes and the claims. Without the key in it, equal random bytes would
// let a holder of a token try out claims. It is what makes repeated random bytes harmless. Example: a machine is
// restored from a snapshot and draws the same bytes again. Two different claims still have two salts, and so two keys.
func (k *Key) salt(random *[32]byte, header, claims []byte) [saltSize]byte {
	return digest.MAC(k.secret().prk, []byte(saltInfo), random[:], header, claims)
}

// Derive makes another key of 32 bytes: HKDF-SHA-256 of the secret. The label must be one that nobody else uses, and
// must not begin with "elicit seal". The salt has at most 64 bytes. A program that has a seal key gets the others that
// it needs from it, such as those of a store, each under its label.
func (k Key) Derive(salt []byte, label string) [32]byte {
	var to [32]byte
	digest.Derive(to[:], k.secret().bytes, salt, label, nil)
	return to
}

// cipher returns what encrypts one token, and its nonce. It fails in a process that allows the algorithms of FIPS 140
// alone.
func (k *Key) cipher(salt, header []byte) (c cipher.AEAD, nonce []byte, problem *elicit.Problem) {
	derived := make([]byte, chacha20poly1305.KeySize+chacha20poly1305.NonceSize)
	digest.Derive(derived, k.secret().bytes, salt, keyInfo, header)
	c, err := chacha20poly1305.New(derived[:chacha20poly1305.KeySize])
	if err != nil {
		return nil, nil, refuse("seal_forbidden")
	}
	return c, derived[chacha20poly1305.KeySize:], nil
}

// Ring is the keys that a server knows. It does not change, and any number of goroutines may use it.
//
// To change the key: give every replica the new key behind the old one, then put it first everywhere, and remove the
// old key when its last token has expired. A ring of one key is the usual one.
type Ring struct{ keys []Key }

// NewRing returns a ring. The first key seals, and all open. It needs a key, and every id once. The error is an
// *Error.
func NewRing(keys ...Key) (*Ring, error) {
	if len(keys) == 0 {
		return nil, invalid("")
	}
	ring := &Ring{}
	for i, k := range keys {
		if k.secret == nil || ring.named(k.id) != nil {
			return nil, invalid("/" + strconv.Itoa(i) + "/id")
		}
		ring.keys = append(ring.keys, k)
	}
	return ring, nil
}

// String lists the names of the keys.
func (r *Ring) String() string {
	text := "ring of"
	for _, k := range r.keys {
		text += " " + strconv.Quote(k.id)
	}
	return text
}

// GoString lists the names of the keys.
func (r *Ring) GoString() string { return "seal.Ring(" + r.String() + ")" }

// Key returns the key with an id. An empty id stands for the key that seals.
func (r *Ring) Key(id string) (k Key, known bool) {
	if id == "" {
		return r.keys[0], true
	}
	if named := r.named(id); named != nil {
		return *named, true
	}
	return k, false
}

// named returns the key with an id, nil if there is none.
func (r *Ring) named(id string) *Key {
	for i := range r.keys {
		if r.keys[i].id == id {
			return &r.keys[i]
		}
	}
	return nil
}

// Package atrest encrypts what a store keeps of the asking side, so that nobody can read it there, or change or move it
// unnoticed. It asks nobody for time or random bytes, and reads no store.
//
//	names, err := seal.NewKey("names", secret)  // for names and ids; it stays the same when keys rotate
//	ring, err := atrest.New(names, keys)        // the first key seals, all keys open
//	sealed := ring.Change(change, version, random)
//	state, err := ring.State(saved.State, session, saved.Version)
//
// Times, sizes and numbers stay readable. Somebody who can write to the store can still delete a session, or bring back
// an older one.
//
// # Format
//
//	sealed  = header ‖ AES-256-GCM(key, nonce of zeros, text), with bound as associated data
//	header  = 0 "eS1" ‖ length of key id ‖ key id ‖ salt (32 bytes)
//	key     = HKDF-SHA-256(secret of the key, salt, "elicit store 1 seal " ‖ key id)
//	bound   = "elicit store 1 " ‖ header ‖ len ‖ kind ‖ len ‖ name ‖ a ‖ b       numbers and lengths of 8 bytes
//	code    = base64url(the first 24 bytes of HMAC-SHA-256(codes, len ‖ kind ‖ len ‖ text …))
//	session = base64url(tag ‖ AES-256-CTR(names, tag, name))
//	tag     = the first 16 bytes of HMAC-SHA-256(codes, len ‖ "session" ‖ len ‖ name)
//
// codes and names are HKDF-SHA-256 of the secret for names. A state has the code of its session as its name and its
// version as a. A record has its index as b too. An entry has the codes of its session and id as its name, and its time
// as a.
//
// Each text has a key of its own, so the nonce may be the same for all. Salts depend on the text and its place. So two
// texts have one key only if they are the same text in the same place.
package atrest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"errors"
	"strconv"

	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/seal"
)

// Errors of what is at rest. None of them means that something is absent.
var (
	ErrPlain    = errors.New("encrypted: the store holds something that is not encrypted")
	ErrTampered = errors.New("encrypted: the store holds something that was changed or moved")
	ErrKey      = errors.New("encrypted: the store holds something sealed with a key that is not in the ring")
)

// UnknownKey is an ErrKey: the id of a key that is not in the ring.
type UnknownKey string

// Error names the key.
func (id UnknownKey) Error() string { return ErrKey.Error() + ": " + strconv.Quote(string(id)) }

// Unwrap returns ErrKey.
func (UnknownKey) Unwrap() error { return ErrKey }

// Ring is the secrets of an encrypted store. It does not change, and any number of goroutines may use it.
//
// A Key of package seal holds the secret in the same way.
type Ring struct{ secrets func() *secrets } // a function, because printers look into every other value

type secrets struct {
	codes [32]byte     // for HMAC
	names cipher.Block // for names of sessions
	keys  *seal.Ring
}

const (
	domain  = "elicit store 1 "
	magic   = "\x00eS1"
	saltLen = 32
)

var nonce [12]byte

// New returns a ring. It fails without a key, and in a process that allows no AES-GCM with a nonce of its own.
func New(names seal.Key, keys *seal.Ring) (*Ring, error) {
	if names.ID() == "" || keys == nil {
		return nil, errors.New("encrypted: a ring needs a key for names, and keys that seal")
	}
	key := names.Derive(nil, domain+"names")
	block, err := aes.NewCipher(key[:])
	if err == nil {
		_, err = cipher.NewGCM(block)
	}
	if err != nil {
		return nil, err
	}
	held := &secrets{names.Derive(nil, domain+"codes"), block, keys}
	return &Ring{func() *secrets { return held }}, nil
}

// measured is parts behind their lengths, so that they cannot run into each other.
func measured(dst []byte, parts ...string) []byte {
	for _, part := range parts {
		dst = append(number(dst, uint64(len(part))), part...)
	}
	return dst
}

func number(dst []byte, n uint64) []byte {
	return append(dst, byte(n>>56), byte(n>>48), byte(n>>40), byte(n>>32), byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

func (r *Ring) sum(parts ...string) []byte {
	s := r.secrets()
	sum := digest.MAC(s.codes[:], measured(nil, parts...))
	return sum[:]
}

// code stands for a text in the store; nothing stands for nothing.
//
// 192 bits are kept, so two texts have one code only if they are equal. Codes of different kinds differ for one text: a
// tool cannot be found by the name of a server.
func (r *Ring) code(kind string, texts ...string) string {
	if texts[len(texts)-1] == "" {
		return ""
	}
	return string(base64.AppendURL(nil, r.sum(append([]string{kind}, texts...)...)[:24]))
}

// Redeemed stands for an id that is redeemed.
func (r *Ring) Redeemed(id string) string { return r.code("redeemed", id) }

// Session stands for a session. It is the HMAC of the name and, because a store tells which sessions are due, the name
// encrypted with the HMAC as its nonce. Equal names have equal codes, and a code shows nothing else but the length.
func (r *Ring) Session(name string) string {
	tag := r.sum("session", name)[:aes.BlockSize]
	text := []byte(name)
	cipher.NewCTR(r.secrets().names, tag).XORKeyStream(text, text)
	return string(base64.AppendURL(nil, append(tag, text...)))
}

// Name is the name of the session for which a code stands.
func (r *Ring) Name(code string) (string, error) {
	raw, ok := base64.ReadURL(nil, []byte(code))
	if !ok || len(raw) < aes.BlockSize {
		return "", ErrPlain
	}
	tag, text := raw[:aes.BlockSize], raw[aes.BlockSize:]
	cipher.NewCTR(r.secrets().names, tag).XORKeyStream(text, text)
	if subtle.ConstantTimeCompare(tag, r.sum("session", string(text))[:aes.BlockSize]) != 1 {
		return "", ErrTampered
	}
	return string(text), nil
}

// place is what a sealed text belongs to.
type place struct {
	kind, name string
	a, b       uint64
}

func (p *place) bound(header []byte) []byte {
	out := measured(append([]byte(domain), header...), p.kind, p.name)
	return number(number(out, p.a), p.b)
}

// aead makes the cipher of one sealed text.
func aead(k *seal.Key, salt []byte) cipher.AEAD {
	key := k.Derive(salt, domain+"seal "+k.ID())
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // a length that is right
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // New would have failed
	}
	return gcm
}

// seal encrypts a text for its place. The salt is derived from random bytes, the place and the text. With a repeated
// random, two different texts still get two keys, and a nonce of zeros stays safe.
func (r *Ring) seal(plain []byte, random *[32]byte, p place) []byte {
	key, _ := r.secrets().keys.Key("")
	out := make([]byte, 0, len(magic)+1+len(key.ID())+saltLen+len(plain)+16)
	out = append(append(append(out, magic...), byte(len(key.ID()))), key.ID()...)
	sum := digest.Sum256(plain)
	salt := key.Derive(random[:], domain+"salt "+string(p.bound(out))+string(sum[:]))
	out = append(out, salt[:]...)
	return aead(&key, salt[:]).Seal(out, nonce[:], plain, p.bound(out))
}

// open decrypts a text, if it is sealed for this place. The result is not nil for an empty text. The error does not
// tell which part was changed.
func (r *Ring) open(sealed []byte, p place) ([]byte, error) {
	if len(sealed) < len(magic) || string(sealed[:len(magic)]) != magic {
		return nil, ErrPlain
	}
	rest := sealed[len(magic):]
	if len(rest) == 0 || rest[0] == 0 || len(rest) < 1+int(rest[0])+saltLen {
		return nil, ErrTampered
	}
	id := string(rest[1 : 1+int(rest[0])])
	key, known := r.secrets().keys.Key(id)
	if !known {
		return nil, UnknownKey(id)
	}
	header := len(magic) + 1 + len(id) + saltLen
	plain, err := aead(&key, sealed[header-saltLen:header]).Open([]byte{}, nonce[:], sealed[header:],
		p.bound(sealed[:header]))
	if err != nil {
		return nil, ErrTampered
	}
	return plain, nil
}

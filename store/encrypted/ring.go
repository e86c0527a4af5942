package encrypted

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Ring are the secrets. The first key seals, and all open: to rotate, put a new key first and keep the old ones as long
// as something sealed with them is at rest.
type Ring struct {
	Names []byte // 32 bytes or more, for names and ids; it stays the same when keys rotate
	Keys  []Key
}

// Key is one secret with an id, which is not secret.
type Key struct {
	ID     string // 1 to 255 bytes
	Secret []byte // 32 bytes or more
}

// ring is a Ring ready for use.
type ring struct {
	codes []byte // for HMAC
	block cipher.Block
	first string
	keys  map[string][]byte
}

const (
	domain  = "elicit store 1 "
	magic   = "\x00eS1"
	saltLen = 32
)

func (r Ring) derive() (*ring, error) {
	if len(r.Names) < 32 || len(r.Keys) == 0 {
		return nil, errors.New("encrypted: a ring needs a secret for names of 32 bytes or more, and a key")
	}
	made := &ring{first: r.Keys[0].ID, keys: map[string][]byte{}}
	for _, k := range r.Keys {
		if k.ID == "" || len(k.ID) > 255 || len(k.Secret) < 32 || made.keys[k.ID] != nil {
			return nil, fmt.Errorf("encrypted: key %q: an id has 1 to 255 bytes and is there once, a secret 32 or more", k.ID)
		}
		made.keys[k.ID] = append([]byte(nil), k.Secret...)
	}
	var err error
	if made.codes, err = hkdf.Key(sha256.New, r.Names, nil, domain+"codes", 32); err != nil {
		return nil, err
	}
	names, err := hkdf.Key(sha256.New, r.Names, nil, domain+"names", 32)
	if err != nil {
		return nil, err
	}
	made.block, err = aes.NewCipher(names)
	return made, err
}

// sum is an HMAC over parts that cannot run into each other.
func (r *ring) sum(parts ...string) []byte {
	h := hmac.New(sha256.New, r.codes)
	for _, part := range parts {
		_ = binary.Write(h, binary.BigEndian, uint64(len(part)))
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// code stands for a text in the inner store; nothing stands for nothing.
func (r *ring) code(kind string, texts ...string) string {
	if texts[len(texts)-1] == "" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(r.sum(append([]string{kind}, texts...)...)[:24])
}

// name stands for a session. It is the HMAC of the name and, because Due must tell names, the name encrypted with the
// HMAC as its nonce. Equal names give equal codes, and nothing else can be told but the length.
func (r *ring) name(session string) string {
	tag := r.sum("session", session)[:aes.BlockSize]
	text := []byte(session)
	cipher.NewCTR(r.block, tag).XORKeyStream(text, text)
	return base64.RawURLEncoding.EncodeToString(append(tag, text...))
}

// session is the name for which a code stands.
func (r *ring) session(name string) (string, error) {
	raw, err := base64.RawURLEncoding.DecodeString(name)
	if err != nil || len(raw) < aes.BlockSize {
		return "", ErrPlain
	}
	tag, text := raw[:aes.BlockSize], raw[aes.BlockSize:]
	cipher.NewCTR(r.block, tag).XORKeyStream(text, text)
	if !hmac.Equal(tag, r.sum("session", string(text))[:aes.BlockSize]) {
		return "", ErrTampered
	}
	return string(text), nil
}

// aead makes the cipher of one sealed text. Its key is used once, so its nonce may be the same for all.
func (r *ring) aead(id string, salt []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, r.keys[id], salt, domain+"seal "+id, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// bound is what a sealed text belongs to, and its header.
func bound(header []byte, kind, name string, a, b uint64) []byte {
	out := append([]byte(domain), header...)
	for _, part := range []string{kind, name} {
		out = binary.BigEndian.AppendUint64(out, uint64(len(part)))
		out = append(out, part...)
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(out, a), b)
}

var nonce [12]byte

func (r *ring) seal(plain []byte, kind, name string, a, b uint64) []byte {
	out := append(make([]byte, 0, len(plain)+len(magic)+1+len(r.first)+saltLen+16), magic...)
	out = append(append(out, byte(len(r.first))), r.first...)
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails
	out = append(out, salt...)
	aead, err := r.aead(r.first, salt)
	if err != nil {
		panic(err) // a length that derive has checked
	}
	return aead.Seal(out, nonce[:], plain, bound(out, kind, name, a, b))
}

func (r *ring) open(sealed []byte, kind, name string, a, b uint64) ([]byte, error) {
	rest, is := strings.CutPrefix(string(sealed[:min(len(sealed), len(magic)+256)]), magic)
	if !is {
		return nil, ErrPlain
	}
	if rest == "" || len(rest) < 1+int(rest[0]) {
		return nil, ErrTampered
	}
	id := rest[1 : 1+int(rest[0])]
	header := len(magic) + 1 + len(id) + saltLen
	if len(sealed) < header {
		return nil, ErrTampered
	}
	if r.keys[id] == nil {
		return nil, fmt.Errorf("%w: %q", ErrKey, id)
	}
	aead, err := r.aead(id, sealed[header-saltLen:header])
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open([]byte{}, nonce[:], sealed[header:], bound(sealed[:header], kind, name, a, b))
	if err != nil {
		return nil, ErrTampered
	}
	return plain, nil
}

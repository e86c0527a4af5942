package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

func drawn[T [KeySize]byte | [NonceSize]byte](t *rapid.T, name string, n int) T {
	return T(rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, name))
}

// TestOwnIsTheStandard compares our AES-GCM with the standard library's in both directions.
func TestOwnIsTheStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, nonce := drawn[[KeySize]byte](t, "key", KeySize), drawn[[NonceSize]byte](t, "nonce", NonceSize)
		text := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "text")
		associated := rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "associated")
		block, err := aes.NewCipher(key[:])
		if err != nil {
			t.Fatal(err)
		}
		standard, err := cipher.NewGCM(block)
		if err != nil {
			t.Fatal(err)
		}
		want := standard.Seal([]byte("before"), nonce[:], text, associated)
		got := seal([]byte("before"), &key, &nonce, text, associated)
		if !bytes.Equal(got, want) {
			t.Fatalf("got %x, want %x", got, want)
		}
		sealed := got[len("before"):]
		if back, ok := open([]byte("x"), &key, &nonce, sealed, associated); !ok || string(back) != "x"+string(text) {
			t.Fatalf("%v %x", ok, back)
		}
		at := rapid.IntRange(0, 8*len(sealed)-1).Draw(t, "bit")
		sealed[at/8] ^= 1 << (at % 8)
		if back, ok := open([]byte("x"), &key, &nonce, sealed, associated); ok || string(back) != "x" {
			t.Fatalf("bit %d: %v %x", at, ok, back)
		}
	})
}

// TestEveryLength covers the borders of blocks and of the four blocks that are encrypted together.
func TestEveryLength(t *testing.T) {
	var key [KeySize]byte
	var nonce [NonceSize]byte
	text := bytes.Repeat([]byte("0123456789abcdef"), 20)
	for n := range text {
		got, want := seal(nil, &key, &nonce, text[:n], text[:n/2]), Seal(nil, &key, &nonce, text[:n], text[:n/2])
		if !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
	for n := range Overhead {
		if _, ok := open(nil, &key, &nonce, text[:n], nil); ok {
			t.Errorf("%d bytes are no ciphertext", n)
		}
	}
}

// TestPublishedBlock is the example of AES-256 in FIPS 197, appendix C.3.
func TestPublishedBlock(t *testing.T) {
	var key [KeySize]byte
	var blocks [64]byte
	for i := range key {
		key[i] = byte(i)
	}
	for i := range 16 {
		blocks[i] = byte(17 * i)
	}
	keys := newSchedule(&key)
	keys.encrypt(&blocks)
	if got := hex.EncodeToString(blocks[:16]); got != "8ea2b7ca516745bfeafc49904b496089" {
		t.Error(got)
	}
}

func TestDeriveIsTheStandard(t *testing.T) {
	some := rapid.SliceOfN(rapid.Byte(), 0, 150)
	rapid.Check(t, func(t *rapid.T) {
		secret, salt, info := some.Draw(t, "secret"), some.Draw(t, "salt"), some.Draw(t, "info")
		want, err := hkdf.Key(sha256.New, secret, salt, string(info), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := Derive(secret, salt, info); !bytes.Equal(got[:], want) {
			t.Fatalf("got %x, want %x", got, want)
		}
		h := hmac.New(sha256.New, secret)
		h.Write(salt)
		h.Write(info)
		if got := HMAC(secret, salt, info); !bytes.Equal(got[:], h.Sum(nil)) {
			t.Fatalf("HMAC %x", got)
		}
	})
}

func TestEqual(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{{"", "", true}, {"a", "a", true}, {"a", "b", false}, {"a", "ab", false}, {"ab", "aB", false}} {
		if Equal(row.a, row.b) != row.want {
			t.Errorf("%q and %q: want %v", row.a, row.b, row.want)
		}
	}
}

func BenchmarkOwn(b *testing.B) {
	var key [KeySize]byte
	var nonce [NonceSize]byte
	text := make([]byte, 512)
	for b.Loop() {
		seal(nil, &key, &nonce, text, nil)
	}
}

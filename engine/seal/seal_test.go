package seal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
)

// secretText is a secret that is easy to find in an output.
const secretText = "hunter2-hunter2-hunter2-hunter2-hunter2"

func newKey(t testing.TB, id, secret string) seal.Key {
	t.Helper()
	key, err := seal.NewKey(id, []byte(secret))
	must.OK(t, err)
	return key
}

func newRing(t testing.TB, keys ...seal.Key) *seal.Ring {
	t.Helper()
	if len(keys) == 0 {
		keys = []seal.Key{newKey(t, "k1", secretText)}
	}
	ring, err := seal.NewRing(keys...)
	must.OK(t, err)
	return ring
}

func someClaims() seal.Claims {
	return seal.Claims{ID: seal.ID([32]byte{}, seal.State, 0), Principal: "alice", Method: "tools/call", Target: "deploy",
		Audience: "ops", Arguments: [32]byte{1}, Questions: [][32]byte{{2}}, IssuedAt: 1000, ExpiresAt: 2000,
		Body: []byte("answers")}
}

func expecting(c seal.Claims, now int64) seal.Expected {
	return seal.Expected{Principal: c.Principal, Method: c.Method, Target: c.Target, Audience: c.Audience,
		Arguments: c.Arguments, Now: now}
}

var (
	anyBytes = rapid.SliceOfN(rapid.Byte(), 0, 100)
	anyText  = rapid.Map(anyBytes, func(b []byte) string { return string(b) })
	digests  = rapid.Map(rapid.SliceOfN(rapid.Byte(), 32, 32), func(b []byte) [32]byte { return [32]byte(b) })
	moments  = rapid.Int64Range(0, seal.LastMoment-1)
)

func drawClaims(t *rapid.T) seal.Claims {
	c := seal.Claims{
		ID:        seal.ID(digests.Draw(t, "id"), "test", 0),
		Principal: anyText.Draw(t, "principal"), Method: anyText.Draw(t, "method"), Target: anyText.Draw(t, "target"),
		Audience: anyText.Draw(t, "audience"), Arguments: digests.Draw(t, "arguments"),
		Questions: rapid.SliceOfN(digests, 0, 4).Draw(t, "questions"), IssuedAt: moments.Draw(t, "issued"),
		Body: anyBytes.Draw(t, "body"),
	}
	c.ExpiresAt = rapid.Int64Range(c.IssuedAt+1, seal.LastMoment).Draw(t, "expires")
	return c
}

// TestRoundTrip: any claims come back, with any key of the ring, and only at a time between the two of the token.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, random := drawClaims(rt), digests.Draw(rt, "random")
		purpose := seal.Purpose(rapid.StringN(1, 20, 255).Draw(rt, "purpose"))
		first, second := newKey(t, rapid.StringN(1, 20, 254).Draw(rt, "key")+"1", secretText), newKey(t, "2", secretText+"2")
		token, err := newRing(t, first).Seal([]byte("before "), random, purpose, c)
		if err != nil {
			rt.Fatal(err)
		}
		token, had := bytes.CutPrefix(token, []byte("before "))
		if again, _ := newRing(t, first, second).Seal(nil, random, purpose, c); !had || !bytes.Equal(again, token) {
			rt.Fatalf("%s, then %s", token, again)
		}
		now := rapid.Int64Range(0, seal.LastMoment).Draw(rt, "now")
		ring := newRing(t, second, first)
		got, problem := ring.Open(token, purpose, expecting(c, now))
		switch {
		case now < c.IssuedAt:
			if problem == nil || problem.Code != "seal_not_yet" {
				rt.Fatalf("early: %v", problem)
			}
		case now >= c.ExpiresAt:
			if problem == nil || problem.Code != "seal_expired" {
				rt.Fatalf("late: %v", problem)
			}
		case problem != nil:
			rt.Fatal(problem)
		default:
			if len(c.Body) == 0 {
				c.Body = nil
			}
			if len(c.Questions) == 0 {
				c.Questions = nil
			}
			if !reflect.DeepEqual(got, c) {
				rt.Fatalf("got %+v, want %+v", got, c)
			}
		}
	})
}

// TestEveryByteCounts changes every byte of a token to other bytes, and cuts and repeats the token everywhere.
func TestEveryByteCounts(t *testing.T) {
	ring, c := newRing(t), someClaims()
	token, err := ring.Seal(nil, [32]byte{7}, seal.State, c)
	must.OK(t, err)
	refused := func(what string, changed []byte) {
		t.Helper()
		got, problem := ring.Open(changed, seal.State, expecting(c, 1500))
		if problem == nil || !reflect.ValueOf(got).IsZero() {
			t.Errorf("%s: %v %v", what, got, problem)
		}
	}
	for i := range token {
		for b := range 256 {
			if changed := bytes.Clone(token); byte(b) != token[i] {
				changed[i] = byte(b)
				refused(fmt.Sprintf("byte %d as %d", i, b), changed)
			}
		}
		refused(fmt.Sprintf("cut at %d", i), token[:i])
		refused(fmt.Sprintf("without the first %d", i+1), token[i+1:])
		refused(fmt.Sprintf("with %d bytes more", i+1), append(bytes.Clone(token), token[:i+1]...))
	}
	if _, problem := ring.Open(token, seal.State, expecting(c, 1500)); problem != nil {
		t.Fatal(problem)
	}
}

// TestEachMemberIsBound changes one expectation at a time, also to nothing.
func TestEachMemberIsBound(t *testing.T) {
	ring, c := newRing(t), someClaims()
	token, err := ring.Seal(nil, [32]byte{}, seal.State, c)
	must.OK(t, err)
	for name, row := range map[string]struct {
		change func(*seal.Expected)
		code   string
	}{
		"principal":    {func(e *seal.Expected) { e.Principal = "mallory" }, "seal_wrong_principal"},
		"no principal": {func(e *seal.Expected) { e.Principal = "" }, "seal_wrong_principal"},
		"method":       {func(e *seal.Expected) { e.Method = "" }, "seal_wrong_method"},
		"target":       {func(e *seal.Expected) { e.Target = "deplo" }, "seal_wrong_target"},
		"audience":     {func(e *seal.Expected) { e.Audience = "OPS" }, "seal_wrong_audience"},
		"arguments":    {func(e *seal.Expected) { e.Arguments = [32]byte{} }, "seal_other_arguments"},
		"no time":      {func(e *seal.Expected) { e.Now = 0 }, "seal_not_yet"},
		"before time":  {func(e *seal.Expected) { e.Now = -1 << 63 }, "bad_input"},
		"after time":   {func(e *seal.Expected) { e.Now = 1<<63 - 1 }, "bad_input"},
		"skew":         {func(e *seal.Expected) { e.Now, e.Skew = 0, 1<<63-1 }, "bad_input"},
		"skew back":    {func(e *seal.Expected) { e.Skew = -1 }, "bad_input"},
	} {
		want := expecting(c, 1500)
		row.change(&want)
		if _, problem := ring.Open(token, seal.State, want); problem == nil || problem.Code != row.code {
			t.Errorf("%s: %v, want %s", name, problem, row.code)
		}
	}
	if _, problem := ring.Open(token, "", expecting(c, 1500)); problem == nil || problem.Code != "seal_wrong_purpose" {
		t.Errorf("no purpose: %v", problem)
	}
}

// TestSecretsStayInside prints everything that holds or met a secret, in the formats of fmt and as JSON.
func TestSecretsStayInside(t *testing.T) {
	key := newKey(t, "k1", secretText)
	ring := newRing(t, key)
	_, short := seal.NewKey("k", []byte(secretText[:31]))
	_, unnamed := seal.NewKey("", []byte(secretText))
	_, twice := seal.NewRing(key, key)
	_, unfit := ring.Seal(nil, [32]byte{}, seal.State, seal.Claims{ID: secretText, Body: []byte(secretText)})
	_, problem := ring.Open([]byte("e1."+secretText), seal.State, seal.Expected{})
	forms := []string{secretText, secretText[:31], fmt.Sprintf("%x", secretText), fmt.Sprintf("%X", secretText),
		base64.StdEncoding.EncodeToString([]byte(secretText)), strings.Trim(fmt.Sprint([]byte(secretText[:8])), "[]"),
		strings.Trim(fmt.Sprintf("%#v", []byte(secretText[:8])), "[]byte{}")}
	for _, v := range []any{key, &key, []seal.Key{key}, map[string]any{"k": key}, struct{ k seal.Key }{key}, ring, *ring,
		struct{ r *seal.Ring }{ring}, []any{ring}, short, unnamed, twice, unfit, *short.(*seal.Error), problem} {
		if v == nil {
			t.Fatal("an error is missing")
		}
		asJSON, err := json.Marshal(v)
		must.OK(t, err)
		out := string(asJSON) + fmt.Sprintf("\n%+v\n%#v", v, v)
		for _, verb := range "vsqxXdboUctp" {
			out += "\n" + fmt.Sprintf("%"+string(verb), v)
		}
		for _, form := range forms {
			if strings.Contains(out, form) {
				t.Errorf("%T shows its secret as %s:\n%s", v, form, out)
			}
		}
	}
	if got := fmt.Sprintf("%v %#v %v %#v", key, key, ring, ring); !strings.Contains(got, `"k1"`) {
		t.Errorf("names are missing: %s", got)
	}
}

// TestTokensUnlikeForEqualRandom: random bytes that repeat give no second token with the salt of another one, and
// nothing of the claims can be read or compared.
func TestTokensUnlikeForEqualRandom(t *testing.T) {
	ring, salts := newRing(t), map[string]bool{}
	for i := range 200 {
		c := someClaims()
		c.Body = []byte{byte(i)}
		token, err := ring.Seal(nil, [32]byte{}, seal.State, c)
		must.OK(t, err)
		raw, err := base64.RawURLEncoding.DecodeString(string(token[3:]))
		must.OK(t, err)
		salts[string(raw[10:42])] = true
		if bytes.Contains(raw, []byte("alice")) {
			t.Fatal("the principal can be read")
		}
	}
	if len(salts) != 200 {
		t.Errorf("%d salts of 200 tokens", len(salts))
	}
}

func TestRefusedArguments(t *testing.T) {
	ring := newRing(t)
	for pointer, change := range map[string]func(*seal.Claims){
		"/id":         func(c *seal.Claims) { c.ID = "" },
		"/principal":  func(c *seal.Claims) { c.Principal = strings.Repeat("x", 1<<16) },
		"/audience":   func(c *seal.Claims) { c.Audience = strings.Repeat("x", 1<<16) },
		"/issued_at":  func(c *seal.Claims) { c.IssuedAt = -1 },
		"/expires_at": func(c *seal.Claims) { c.ExpiresAt = seal.LastMoment + 1 },
		"/questions":  func(c *seal.Claims) { c.Questions = make([][32]byte, 1<<16) },
	} {
		c := someClaims()
		change(&c)
		dst, err := ring.Seal([]byte("x"), [32]byte{}, seal.State, c)
		var refused *seal.Error
		if !errors.As(err, &refused) || refused.Problem.Pointer != pointer || string(dst) != "x" {
			t.Errorf("%s: %v %s", pointer, err, dst)
		}
	}
	for _, purpose := range []seal.Purpose{"", seal.Purpose(strings.Repeat("p", 256))} {
		_, err := ring.Seal(nil, [32]byte{}, purpose, someClaims())
		if err == nil || err.Error() != "seal: bad_input at /purpose" {
			t.Errorf("%d bytes of purpose: %v", len(purpose), err)
		}
	}
	if _, err := seal.NewRing(seal.Key{}); err == nil {
		t.Error("a key without a secret is taken")
	}
	if _, err := seal.NewKey(strings.Repeat("k", 256), []byte(secretText)); err == nil {
		t.Error("an id of 256 bytes is taken")
	}
}

// TestLongestToken seals as much as fits, and not a byte more.
func TestLongestToken(t *testing.T) {
	ring, c := newRing(t), someClaims()
	for n := 48_000; ; n++ {
		c.Body = make([]byte, n)
		token, err := ring.Seal(nil, [32]byte{}, seal.State, c)
		if err != nil {
			if err.Error() != "seal: seal_too_long" || n < 48_500 {
				t.Errorf("%d bytes: %v", n, err)
			}
			return
		}
		if _, problem := ring.Open(token, seal.State, expecting(c, 1500)); problem != nil || len(token) > seal.MaxToken {
			t.Fatalf("%d bytes: %v", n, problem)
		}
	}
}

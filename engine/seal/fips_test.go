package seal_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestForbidden runs this test again in a process that allows the algorithms of FIPS 140 alone.
func TestForbidden(t *testing.T) {
	const mark = "ELICIT_TEST_FIPS"
	if os.Getenv(mark) == "" {
		again := exec.Command(os.Args[0], "-test.run=^TestForbidden$", "-test.count=1")
		again.Env = append(os.Environ(), mark+"="+sealed(t), "GODEBUG=fips140=only")
		must.Run(t, again)
		return
	}
	ring, c := newRing(t), someClaims()
	_, err := ring.Seal(nil, [32]byte{}, seal.State, c)
	if e, ok := err.(*seal.Error); !ok || e.Problem.Code != "seal_forbidden" {
		t.Errorf("Seal: %v", err)
	}
	if _, p := ring.Open([]byte(os.Getenv(mark)), seal.State, expecting(c, 1000)); p == nil || p.Code != "seal_forbidden" {
		t.Errorf("Open: %v", p)
	}
}

// sealed is a token with some claims.
func sealed(t *testing.T) string {
	t.Helper()
	token, err := newRing(t).Seal(nil, [32]byte{}, seal.State, someClaims())
	must.OK(t, err)
	return string(token)
}

package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
)

// TestThePolicyAtTheDefaultPlaceComesAndGoes: a proxy that reads its rules again sees a policy that was written since
// it started, and one that was removed.
func TestThePolicyAtTheDefaultPlaceComesAndGoes(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, t.TempDir())
	}
	path, err := places.Policy()
	if err != nil {
		t.Fatal(err)
	}
	var l Layers
	l.UseDefaultPlaces()
	look := func(want string) {
		t.Helper()
		l = l.unread()
		if err := l.Require(&cobra.Command{}); err != nil {
			t.Fatal(err)
		}
		if got := string(l.Policies().User); got != want || l.Given() != (want != "") {
			t.Errorf("got %q, given %t; want %q", got, l.Given(), want)
		}
	}
	look("")
	const text = `{"version":1}`
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	look(text)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	look("")
	// A flag wins, and the word none too.
	for _, l := range []Layers{{policy: "p.json"}, {policy: places.None}, {Files: [4]string{"", places.None, "", ""}}} {
		if l.UseDefaultPlaces(); l.fallback != "" {
			t.Errorf("%+v reads the default place", l)
		}
	}
}

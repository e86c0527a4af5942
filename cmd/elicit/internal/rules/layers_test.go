package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestThePolicyAtTheDefaultPlaceComesAndGoes: a proxy that reads its rules again sees a policy that was written since
// it started, and one that was removed.
func TestThePolicyAtTheDefaultPlaceComesAndGoes(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, t.TempDir())
	}
	path, err := places.Policy()
	must.OK(t, err)
	var l Layers
	l.UseDefaultPlaces()
	look := func(want string) {
		t.Helper()
		l = l.unread()
		must.OK(t, l.Require(&cobra.Command{}))
		if got := string(l.Policies().User); got != want || l.Found() != (want != "") {
			t.Errorf("got %q, given %t; want %q", got, l.Found(), want)
		}
	}
	look("")
	const text = `{"version":1}`
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Write(t, text, path)
	look(text)
	must.OK(t, os.Remove(path))
	look("")
	// A flag wins, and the word none too.
	for _, l := range []Layers{{Files: [4]string{"", "p.json"}}, {Files: [4]string{"", places.None}}} {
		if l.UseDefaultPlaces(); l.fallback != "" {
			t.Errorf("%+v reads the default place", l)
		}
	}
}

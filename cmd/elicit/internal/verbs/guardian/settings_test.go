package guardian

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
)

// TestAModuleIsTriedWithThePermitsSettings compares the settings in the document that a module gets with those of the
// permit, whatever the question has.
func TestAModuleIsTriedWithThePermitsSettings(t *testing.T) {
	t.Parallel()
	permit := filepath.Join(t.TempDir(), "permit.json")
	if err := os.WriteFile(permit, []byte(`{"name":"keeper","settings":{"word":"plum"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, u := range []struct {
		permit         string
		question, want string
		replaced       bool
	}{
		{permit, `{"v":1,"settings":{"word":"fig"},"seed":"00"}`, `{"word":"plum"}`, true},
		{permit, `{"v":1,"settings":{"word":"fig"},"settings":{"word":"pear"}}`, `{"word":"plum"}`, true},
		{permit, `{"v":1,"settings":{}}`, `{"word":"plum"}`, false},
		{permit, `{"v":1}`, `{"word":"plum"}`, false},
		{"", `{"v":1,"settings":{"word":"fig"}}`, `{"word":"fig"}`, false},
		{"", `{"v":1}`, ``, false},
	} {
		g, err := openGuest(&cobra.Command{}, "../../../../../testdata/guests/keeper.wasm", 0, guestFlags{permit: u.permit})
		if err != nil {
			t.Fatal(err)
		}
		put := g.narrow([]byte(u.question))
		g.Close()
		if got := gjson.GetBytes(put.text, "settings").Raw; got != u.want || put.replaced != u.replaced {
			t.Errorf("%s under %q is asked with the settings %s, replaced: %t", u.question, u.permit, got, put.replaced)
		}
	}
}

package guardian

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestAModuleIsTriedWithThePermitsSettings compares the settings in the document that a module gets with those of the
// permit, whatever the question has.
func TestAModuleIsTriedWithThePermitsSettings(t *testing.T) {
	t.Parallel()
	permit := must.Write(t, `{"name":"keeper","settings":{"word":"plum"}}`, t.TempDir(), "permit.json")
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
		g, err := openGuest(&cobra.Command{}, "../../../../../testdata/guests/keeper.wasm", guestFlags{permit: u.permit})
		must.OK(t, err)
		put := g.narrow([]byte(u.question))
		g.Close()
		if got := gjson.GetBytes(put.text, "settings").Raw; got != u.want || put.replaced != u.replaced {
			t.Errorf("%s under %q is asked with the settings %s, replaced: %t", u.question, u.permit, got, put.replaced)
		}
	}
}

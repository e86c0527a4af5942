package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/tck"
)

// TestGuest loads the guests of the kit inside the module and outside it. The metered module that a browser runs is the
// same, byte for byte, as in every other host.
func TestGuest(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	read, refused := 0, 0
	for _, kit := range tck.Kits() {
		for _, m := range kit.Modules {
			module, problems := guest.Read(m.Bytes(), guest.Options{WASI: true})
			if len(problems) > 0 {
				refused++
				if _, got := d.call(abi.OpGuest, 0, 0, string(m.Bytes()), abi.Invalid); !strings.Contains(got,
					`"code":"`+problems[0].Code+`"`) {
					t.Errorf("%s: got %s, want %s", m.Name, got, problems[0].Code)
				}
				continue
			}
			read++
			if _, got := d.call(abi.OpGuest, 0, 0, string(m.Bytes()), abi.OK); got != string(module.AppendJSON(nil, true)) {
				t.Errorf("%s:\n got %s\nwant %s", m.Name, got, module.AppendJSON(nil, true))
			}
		}
	}
	if read < 20 || refused < 5 {
		t.Errorf("%d guests read, %d refused: the kit has lost its subject", read, refused)
	}
}

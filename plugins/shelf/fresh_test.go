package shelf

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

var update = flag.Bool("update", false, "write testdata/guests anew")

// noLinks is the guest the tests of every door share. It denies questions that are links, says nothing of others, and
// takes no settings.
func noLinks() []byte {
	const (
		pass = `{"v":1,"decision":"pass"}`
		deny = `{"v":1,"decision":"deny","findings":[{"code":"link","pointer":"/request/url","message":"No links here","severity":"high"}]}`
		fits = `{"v":1,"problems":[]}`
		none = `{"v":1,"problems":[{"pointer":"","message":"there is nothing to set"}]}`
		at   = 16
	)
	m := assemble.New()
	m.Pages = 4
	m.Manifest = `{"name":"no-links","version":"1.0","summary":"Denies every question that is a link.","phases":["before_show"],"reads":["/request/mode","/request/url"]}`
	m.Data, m.DataAt = []byte(pass+deny+fits+none), at
	const denyAt, fitsAt = at + len(pass), at + len(pass) + len(deny)
	get, code := func(i int) []byte { return assemble.Code(0x20, i) }, assemble.Code
	mode, link := 0x223a2265646f6d22, 0x226c7275 // "mode":" and url" as little-endian numbers
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", code(
		get(0), get(1), 0x6a, assemble.Const(12), 0x6b, 0x21, 1, // the last place where the words can begin
		0x02, 0x40, 0x03, 0x40, get(0), get(1), 0x4a, 0x0d, 1,
		get(0), 0x29, 0, 0, assemble.Long(mode), 0x51, get(0), 0x28, 0, 8, assemble.Const(link), 0x46, 0x71,
		0x04, 0x40, assemble.Says(denyAt, len(deny)), 0x0f, 0x0b,
		get(0), assemble.Const(1), 0x6a, 0x21, 0, 0x0c, 0, 0x0b, 0x0b, assemble.Says(at, len(pass))))
	m.Func("elicit_check_settings", "ii", "I", code(
		assemble.Says(fitsAt, len(fits)), assemble.Says(fitsAt+len(fits), len(none)), get(1), assemble.Const(2), 0x46, 0x1b))
	return m.Bytes()
}

// TestFreshGuests keeps the file that tests in other languages read.
func TestFreshGuests(t *testing.T) {
	const path = "../../testdata/guests/no-links.wasm"
	want := noLinks()
	if _, problems := guest.Read(want, guest.Options{}); problems != nil {
		t.Fatalf("%+v", problems)
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not fresh; run this test with -update (%v)", path, err)
	}
}

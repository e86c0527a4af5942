package host

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

var update = flag.Bool("update", false, "write testdata/guests anew")

// noLinks is the guest the tests of every interface share. It denies questions that are links, says nothing of others,
// and takes no settings.
func noLinks() []byte {
	const (
		pass = `{"v":1,"decision":"pass"}`
		deny = `{"v":1,"decision":"deny","findings":[{"code":"link","pointer":"/request/url","message":"No links ` +
			`here","severity":"high"}]}`
		fits = `{"v":1,"problems":[]}`
		none = `{"v":1,"problems":[{"pointer":"","message":"there is nothing to set"}]}`
		at   = 16
	)
	m := assemble.New()
	m.Pages = 4
	m.Manifest = `{"name":"no-links","version":"1.0","summary":"Denies every question that is a link.",` +
		`"phases":["before_show"],"reads":["/request/mode","/request/url"]}`
	m.Data, m.DataAt = []byte(pass+deny+fits+none), at
	const denyAt, fitsAt = at + len(pass), at + len(pass) + len(deny)
	get, code := func(i int) []byte { return assemble.Code(0x20, i) }, assemble.Code
	mode, link := 0x223a2265646f6d22, 0x226c7275 // "mode":" and url" as little-endian numbers
	exportAll(m, code(
		get(0), get(1), 0x6a, assemble.Const(12), 0x6b, 0x21, 1, // the last place where the words can begin
		0x02, 0x40, 0x03, 0x40, get(0), get(1), 0x4a, 0x0d, 1,
		get(0), 0x29, 0, 0, assemble.Long(mode), 0x51, get(0), 0x28, 0, 8, assemble.Const(link), 0x46, 0x71,
		0x04, 0x40, assemble.Says(denyAt, len(deny)), 0x0f, 0x0b,
		get(0), assemble.Const(1), 0x6a, 0x21, 0, 0x0c, 0, 0x0b, 0x0b, assemble.Says(at, len(pass))),
		empty(fitsAt, len(fits), len(none)))
	return m.Bytes()
}

// exportAll exports what a guardian exports, with these two bodies.
func exportAll(m *assemble.Module, evaluate, checkSettings []byte) {
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", evaluate)
	m.Func("elicit_check_settings", "ii", "I", checkSettings)
}

// empty says that settings fit if they are {}. The text of no that follows the text of yes says what is wrong.
func empty(yesAt, yes, no int) []byte {
	return assemble.Code(assemble.Says(yesAt, yes), assemble.Says(yesAt+yes, no), assemble.Code(0x20, 1),
		assemble.Const(2), 0x46, 0x1b)
}

// wary wants an answer confirmed that holds "prod", refuses one that holds "drop", names the field
// "name" for both, and takes no settings.
func wary() []byte {
	const (
		pass = `{"v":1,"decision":"pass"}`
		ask  = `{"v":1,"decision":"ask","findings":[{"code":"production","pointer":"/answer/name","message":"This is ` +
			`production","severity":"high"}]}`
		deny = `{"v":1,"decision":"deny","findings":[{"code":"drop","pointer":"/answer/name","message":"Nothing is ` +
			`dropped from here","severity":"high"}]}`
		fits = `{"v":1,"problems":[]}`
		none = `{"v":1,"problems":[{"pointer":"","message":"there is nothing to set"}]}`
		at   = 16
	)
	m := assemble.New()
	m.Pages = 4
	m.Manifest = `{"name":"wary","version":"1.0","summary":"Wants answers about production confirmed.",` +
		`"phases":["before_send"],"reads":["/answer"]}`
	m.Data, m.DataAt = []byte(pass+ask+deny+fits+none), at
	const askAt, denyAt = at + len(pass), at + len(pass) + len(ask)
	const fitsAt = denyAt + len(deny)
	get, code := func(i int) []byte { return assemble.Code(0x20, i) }, assemble.Code
	says := func(word, ptr, length int) []byte { // returns that when the word stands at local 0
		return code(get(0), 0x28, 0, 0, assemble.Const(word), 0x46, 0x04, 0x40, assemble.Says(ptr, length), 0x0f, 0x0b)
	}
	prod, drop := 0x646f7270, 0x706f7264 // as little-endian numbers
	exportAll(m, code(
		get(0), get(1), 0x6a, assemble.Const(4), 0x6b, 0x21, 1, // the last place where a word can begin
		0x02, 0x40, 0x03, 0x40, get(0), get(1), 0x4a, 0x0d, 1,
		says(prod, askAt, len(ask)), says(drop, denyAt, len(deny)),
		get(0), assemble.Const(1), 0x6a, 0x21, 0, 0x0c, 0, 0x0b, 0x0b, assemble.Says(at, len(pass))),
		empty(fitsAt, len(fits), len(none)))
	return m.Bytes()
}

// keeper is a guest that is asked about answers, may read all of them, and has nothing against any.
func keeper() []byte {
	const said, fits = `{"v":1,"decision":"pass","findings":[{"code":"seen","pointer":"/answer/password",` +
		`"message":"I have seen it","severity":"info"}]}`, `{"v":1,"problems":[]}`
	m := assemble.New()
	m.Pages = 4
	m.Manifest = `{"name":"keeper","version":"1.0","phases":["before_send"],"reads":["/answer"]}`
	m.Data, m.DataAt = []byte(said+fits), 16
	exportAll(m, assemble.Says(16, len(said)), assemble.Says(16+len(said), len(fits)))
	return m.Bytes()
}

// clerk reads the first byte of its data document: it denies every question for a d, passes it for another, and does
// not take a document that begins with x.
func clerk() []byte {
	const (
		pass = `{"v":1,"decision":"pass"}`
		deny = `{"v":1,"decision":"deny","findings":[{"code":"document","message":"The document says no"}]}`
		fits = `{"v":1,"problems":[]}`
		none = `{"v":1,"problems":[{"pointer":"","message":"the document begins with x"}]}`
		at   = 16
	)
	const denyAt, fitsAt = at + len(pass), at + len(pass) + len(deny)
	m := assemble.New()
	m.Manifest = `{"name":"clerk","version":"1.0","summary":"Does what its document says.",` +
		`"phases":["before_show"],"reads":[],"data":"d to deny"}`
	m.Data, m.DataAt = []byte(pass+deny+fits+none), at
	read := m.Import("elicit_guardian_v1", "data_read", "iii", "i")
	begins := func(letter int) []byte {
		return assemble.Code(assemble.Const(0), assemble.Const(8), assemble.Const(1), assemble.Call(read), 0x1a,
			assemble.Const(8), 0x2d, 0, 0, assemble.Const(letter), 0x46)
	}
	exportAll(m,
		assemble.Code(assemble.Says(denyAt, len(deny)), assemble.Says(at, len(pass)), begins('d'), 0x1b),
		assemble.Code(assemble.Says(fitsAt+len(fits), len(none)), assemble.Says(fitsAt, len(fits)), begins('x'), 0x1b))
	return m.Bytes()
}

// TestFreshGuests keeps the files that tests in other languages read.
func TestFreshGuests(t *testing.T) {
	for name, want := range map[string][]byte{"no-links": noLinks(), "wary": wary(), "keeper": keeper(),
		"clerk": clerk()} {
		path := "../../testdata/guests/" + name + ".wasm"
		if _, problems := guest.Read(want, guest.Options{}); problems != nil {
			t.Fatalf("%s: %+v", name, problems)
		}
		if *update {
			must.Write(t, want, path)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not fresh; run this test with -update (%v)", path, err)
		}
	}
}

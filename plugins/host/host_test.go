package host

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

const pass = `{"v":1,"decision":"pass"}`

// hosts are both ways to run a guest.
func hosts(t testing.TB) map[string]*Host {
	t.Helper()
	list := map[string]*Host{"interpreter": New(Options{}), "compiler": New(Options{Compiler: true})}
	t.Cleanup(func() {
		for _, h := range list {
			h.Close()
		}
	})
	return list
}

func load(t testing.TB, h *Host, module []byte, wasi bool) string {
	t.Helper()
	m, problems := h.Load(module, guest.Options{WASI: wasi})
	if problems != nil {
		t.Fatalf("%+v", problems)
	}
	return m.Digest
}

// same is what of a result must not depend on the engine.
func same(r Result) string {
	return fmt.Sprintf("output %q fault %q fuel %d pages %d log %v", r.Output, r.Fault, r.Fuel, r.Pages, r.Log)
}

// both runs one evaluation on both engines and demands one result.
func both(t testing.TB, list map[string]*Host, module []byte, e Evaluation) Result {
	t.Helper()
	var results []Result
	for _, name := range []string{"interpreter", "compiler"} {
		e.Digest = load(t, list[name], module, e.WASI)
		results = append(results, list[name].Evaluate(e))
	}
	if a, b := same(results[0]), same(results[1]); a != b {
		t.Fatalf("the engines disagree:\ninterpreter %s\ncompiler    %s", a, b)
	}
	return results[0]
}

func TestEvaluate(t *testing.T) {
	list := hosts(t)
	ops, call, i32 := assemble.Code, assemble.Call, assemble.Const
	echo := ops(0x20, 0, 0xad, 0x42, 32, 0x86, 0x20, 1, 0xad, 0x84) // ptr<<32|len of what came in
	trap := []byte{0x00}
	recurse := func(name, params, results string, body func(self int) []byte) func() *assemble.Module {
		return func() *assemble.Module {
			m := assemble.Guest(i32(4096), assemble.Says(1, 1))
			m.Func(name, params, results, body(3))
			return m
		}
	}
	starting := func(body []byte) func() *assemble.Module {
		return func() *assemble.Module {
			m := assemble.Saying(pass)
			m.Start = m.Func("", "", "", body)
			return m
		}
	}
	initializing := func(body []byte) func() *assemble.Module {
		return func() *assemble.Module {
			m := assemble.Saying(pass)
			m.Func("_initialize", "", "", body)
			return m
		}
	}
	guests := func(alloc, evaluate []byte) func() *assemble.Module {
		return func() *assemble.Module { return assemble.Guest(alloc, evaluate) }
	}
	grow := func(pages int) []byte { return ops(i32(pages), 0x40, 0, 0x1a) }
	for _, c := range []struct {
		name   string
		guest  func() *assemble.Module
		fault  guardian.Fault
		output string
		pages  int
	}{
		{"says", func() *assemble.Module { return assemble.Saying(pass) }, "", pass, 1},
		{"echoes", guests(i32(4096), echo), "", "a question", 1},
		{"refuses", guests(i32(4096), assemble.Says(0, 0)), guardian.FaultRefused, "", 1},
		{"says nothing at length 0", guests(i32(4096), assemble.Says(16, 0)), guardian.FaultBadOutput, "", 1},
		{"speaks from address 0", guests(i32(4096), assemble.Says(0, 4)), "", "\x00\x00\x00\x00", 1},
		{"points behind its memory", guests(i32(4096), assemble.Says(65530, 7)), guardian.FaultBadOutput, "", 1},
		{"points to the last byte", guests(i32(4096), assemble.Says(65529, 7)), "", "\x00\x00\x00\x00\x00\x00\x00", 1},
		{"points around the world", guests(i32(4096), assemble.Says(0xffffffff, 2)), guardian.FaultBadOutput, "", 1},
		{"claims all of 4 GiB", guests(i32(4096), assemble.Long(0xffffffff)), guardian.FaultBadOutput, "", 1},
		{"claims everything", guests(i32(4096), assemble.Long(-1)), guardian.FaultBadOutput, "", 1},
		{"says the most", guests(i32(4096), assemble.Says(0, guest.MaxOutput)), "", strings.Repeat("\x00", 4096) +
			"a question" + strings.Repeat("\x00", guest.MaxOutput-4106), 1},
		{"says more", guests(i32(4096), assemble.Says(0, guest.MaxOutput+1)), guardian.FaultOutputTooLarge, "", 1},
		{"says what is not text", func() *assemble.Module { return assemble.Saying("\xc3\x28") }, guardian.FaultBadOutput, "",
			1},
		{"allocates nothing", guests(i32(0), assemble.Says(1, 1)), guardian.FaultBadAlloc, "", 1},
		{"allocates behind its memory", guests(i32(65536-9), assemble.Says(1, 1)), guardian.FaultBadAlloc, "", 1},
		{"allocates the end of its memory", guests(i32(65536-10), echo), "", "a question", 1},
		{"allocates around the world", guests(i32(-1), assemble.Says(1, 1)), guardian.FaultBadAlloc, "", 1},
		{"allocates what it says", guests(i32(16), assemble.Says(20, 4)), "", "esti", 1},
		{"grows to allocate", guests(ops(grow(3), i32(3<<16)), echo), "", "a question", 4},
		{"grows its output", guests(i32(4096), ops(grow(31), assemble.Says(32<<16-3, 3))), "", "\x00\x00\x00", 32},
		{"grows too far", guests(i32(4096), ops(grow(32), assemble.Says(32<<16-3, 3))), guardian.FaultBadOutput, "", 1},
		{"traps in alloc", guests(trap, unreached()), guardian.FaultTrap, "", 1},
		{"traps", guests(i32(4096), trap), guardian.FaultTrap, "", 1},
		{"divides by zero", guests(i32(4096), ops(i32(1), i32(0), 0x6d, 0x1a, assemble.Long(1))), guardian.FaultTrap, "", 1},
		{"reads behind its memory", guests(i32(4096), ops(i32(-1), 0x28, 2, 0, 0x1a, assemble.Long(1))), guardian.FaultTrap,
			"", 1},
		{"spins in alloc", guests(ops(assemble.Forever(), 0x00), unreached()), guardian.FaultFuel, "", 1},
		{"spins", guests(i32(4096), ops(assemble.Forever(), 0x00)), guardian.FaultFuel, "", 1},
		{"spins in its start", starting(assemble.Forever()), guardian.FaultStart, "", 0},
		{"traps in its start", starting(trap), guardian.FaultStart, "", 0},
		{"recurses in its start", func() *assemble.Module {
			m := assemble.Saying(pass)
			m.Start = m.Func("", "", "", call(3))
			return m
		}, guardian.FaultStart, "", 0},
		{"starts well", starting(nil), "", pass, 1},
		{"initializes well", initializing(nil), "", pass, 1},
		{"spins in initialize", initializing(assemble.Forever()), guardian.FaultFuel, "", 1},
		{"traps in initialize", initializing(trap), guardian.FaultStart, "", 1},
		{"recurses in initialize", recurse("_initialize", "", "", call), guardian.FaultDepth, "", 1},
		{"recurses", func() *assemble.Module {
			return assemble.Guest(i32(4096), ops(0x20, 0, 0x20, 1, call(1)))
		}, guardian.FaultDepth, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := both(t, list, c.guest().Bytes(), Evaluation{Question: []byte("a question"), Fuel: 100_000})
			if r.Fault != c.fault || string(r.Output) != c.output || r.Pages != c.pages {
				t.Errorf("got fault %q (%s), %q, %d pages; want %q, %q, %d", r.Fault, r.Detail, r.Output, r.Pages, c.fault,
					c.output, c.pages)
			}
			if r.Fault == guardian.FaultFuel && r.Fuel != 100_000 || r.Fuel > 100_000 || r.Fuel <= 0 &&
				r.Fault != guardian.FaultStart {
				t.Errorf("used %d fuel", r.Fuel)
			}
		})
	}
}

// unreached is a body for functions a test does not come to.
func unreached() []byte { return assemble.Long(0) }

// TestNothingStays evaluates guests that leave traces and look for them.
func TestNothingStays(t *testing.T) {
	ops, i32 := assemble.Code, assemble.Const
	// Each evaluation adds 1 to a cell of memory and to a global, grows memory, and says the sums.
	m := assemble.Guest(i32(4096), ops(
		0x23, 1, i32(1), 0x6a, 0x24, 1, i32(1), 0x40, 0, 0x1a,
		i32(0), i32(0), 0x28, 2, 0, i32(1), 0x6a, 0x23, 1, 0x6a, 0x3f, 0, 0x6a, 0x36, 2, 0, assemble.Says(0, 4)))
	m.Global("", assemble.I32, true, i32(0))
	src := m.Bytes()
	list := hosts(t)
	first := both(t, list, src, Evaluation{})
	if string(first.Output) != "\x04\x00\x00\x00" {
		t.Fatalf("got %q", first.Output)
	}
	for range 20 {
		if again := both(t, list, src, Evaluation{}); same(again) != same(first) {
			t.Fatalf("got %s, at first %s", same(again), same(first))
		}
	}
}

func TestLog(t *testing.T) {
	list := hosts(t)
	ops, i32 := assemble.Code, assemble.Const
	say := func(level, ptr, n int) []byte { return ops(i32(level), i32(ptr), i32(n), assemble.Call(0)) }
	m := assemble.New()
	m.Import("elicit_guardian_v1", "log", "iii", "")
	m.Global("elicit_guardian_abi", assemble.I32, false, i32(1<<16))
	m.Func("elicit_alloc", "i", "i", i32(4096))
	lines := ops(say(0, 16, 5), say(3, 16, 5), say(-1, 16, 5), say(1, 65535, 2), say(1, -1, -1), say(2, 20, 2),
		say(1, 0, 2000))
	for range 40 {
		lines = append(lines, say(1, 16, 1)...)
	}
	m.Func("elicit_evaluate", "ii", "I", ops(lines, assemble.Says(16, 5)))
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(16, 5))
	m.Data, m.DataAt = []byte("abxcd\xff"), 16
	r := both(t, list, m.Bytes(), Evaluation{})
	if r.Fault != "" || len(r.Log) != 32 {
		t.Fatalf("fault %q, %d lines", r.Fault, len(r.Log))
	}
	for i, want := range []Line{{Debug, "abxcd"}, {Error, "abxcd"}, {Error, "abxcd"}, {Warn, "d\ufffd"}} {
		if r.Log[i] != want {
			t.Errorf("line %d: got %v, want %v", i, r.Log[i], want)
		}
	}
	if len(r.Log[4].Text) != maxLine-1+len("\ufffd") {
		t.Errorf("a long line has %d bytes", len(r.Log[4].Text))
	}
}

func TestCheckSettings(t *testing.T) {
	h := New(Options{})
	defer h.Close()
	m := assemble.New()
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", []byte{0x00})
	m.Func("elicit_check_settings", "ii", "I", assemble.Code(0x20, 0, 0xad, 0x42, 32, 0x86, 0x20, 1, 0xad, 0x84))
	digest := load(t, h, m.Bytes(), false)
	if r := h.CheckSettings(Evaluation{Digest: digest, Question: []byte(`{"a":1}`)}); string(r.Output) != `{"a":1}` ||
		r.Fault != "" {
		t.Errorf("got %+v", r)
	}
}

func TestLoad(t *testing.T) {
	h := New(Options{})
	src := assemble.Saying(pass).Bytes()
	digest := load(t, h, src, false)
	m, _ := h.Load(bytes.Clone(src), guest.Options{})
	if m != h.Guest(digest) || !h.Has(digest) || h.Has(strings.Repeat("0", 64)) {
		t.Error("loading again is not finding again")
	}
	if m, problems := h.Load([]byte("no module"), guest.Options{}); m != nil || len(problems) != 1 || len(h.guests) != 1 {
		t.Errorf("a bad module: %v, %d guests", problems, len(h.guests))
	}
	if r := h.Evaluate(Evaluation{Digest: strings.Repeat("0", 64)}); r.Fault != guardian.FaultNotLoaded {
		t.Errorf("an unknown digest: %+v", r)
	}
	if r := h.Evaluate(Evaluation{Digest: digest,
		Question: make([]byte, guest.MaxQuestion+1)}); r.Fault != guardian.FaultQuestionTooLarge {
		t.Errorf("a long question: %+v", r)
	}
	if r := h.Evaluate(Evaluation{Digest: digest, Question: make([]byte, 60000)}); r.Fault != "" {
		t.Errorf("a question that fits: %+v", r)
	}
	for i := len(h.guests); i < maxGuests; i++ {
		load(t, h, assemble.Saying(fmt.Sprintf("%d", i)).Bytes(), false)
	}
	if _, problems := h.Load(assemble.Saying("one more").Bytes(), guest.Options{}); len(problems) != 1 ||
		problems[0].Code != "too_many_guests" {
		t.Errorf("one guest too many: %v", problems)
	}
	h.Close()
	h.Close()
	if _, problems := h.Load(src, guest.Options{}); len(problems) != 1 || problems[0].Code != "host_closed" {
		t.Errorf("closed: %v", problems)
	}
	if r := h.Evaluate(Evaluation{Digest: digest}); r.Fault != guardian.FaultNotLoaded || h.Has(digest) {
		t.Errorf("closed: %+v", r)
	}
}

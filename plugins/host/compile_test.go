package host

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestBeside asks while a guest changes from the interpreter to machine code.
func TestBeside(t *testing.T) {
	if !compiles() {
		t.Skip("no compiler here")
	}
	// adds 1 to a cell of memory and says the cell
	counting := assemble.Code(assemble.Const(60_000), assemble.Const(60_000), 0x28, 2, 0, assemble.Const(1), 0x6a, 0x36,
		2, 0, assemble.Says(60_000, 4))
	h := New(Options{Compiler: true, Beside: true})
	defer h.Close()
	e := Evaluation{Digest: load(t, h, assemble.Guest(assemble.Const(4096), counting).Bytes(), false)}
	l := h.guests[e.Digest]
	want := same(h.Evaluate(e))
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for range 500 {
				if got := same(h.Evaluate(e)); got != want {
					t.Errorf("got %s, at first %s", got, want)
					return
				}
			}
		})
	}
	h.beside.Wait()
	asking.Wait()
	if l.now.engine != h.engines[compiler] {
		t.Error("the guest is interpreted still")
	}
	h.Evaluate(e)
	bytes := 0
	for _, v := range l.now.idle {
		bytes += v.bytes()
	}
	if l.now.users != 0 || bytes == 0 || bytes != h.idle {
		t.Errorf("%d evaluations run, %d bytes are idle, and %d are counted", l.now.users, bytes, h.idle)
	}
}

// TestBesideKept holds that a process finds the machine code that another one made beside, and closes at once where
// none can be kept.
func TestBesideKept(t *testing.T) {
	src := assemble.Saying(pass).Bytes()
	dir := filepath.Join(t.TempDir(), "code")
	for _, kept := range []bool{false, true} {
		h := New(Options{Compiler: true, Beside: true, CacheDir: dir})
		if h.CacheFault() != nil || !h.options.Compiler {
			t.Skip(h.CacheFault())
		}
		digest := load(t, h, src, false)
		if kept && h.engines[interpreter] != nil {
			t.Error("machine code that is kept is not used")
		}
		if r := h.Evaluate(Evaluation{Digest: digest}); string(r.Output) != pass {
			t.Error(same(r))
		}
		h.Close()
	}
	h := New(Options{Compiler: true, Beside: true})
	h.stop()
	digest := load(t, h, src, false)
	h.beside.Wait()
	if h.guests[digest].now.engine != h.engines[interpreter] {
		t.Error("a host that closes compiles on")
	}
	h.Close()
}

// TestLongestBody holds that a function which would take the compiler long is interpreted.
func TestLongestBody(t *testing.T) {
	h := New(Options{Compiler: true, Beside: true})
	defer h.Close()
	m := assemble.New()
	m.Import("wasi_snapshot_preview1", "sched_yield", "", "i")
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", assemble.Says(1, 1))
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(0, 0))
	long := make([]byte, 0, compilable+10)
	for len(long) < compilable {
		long = append(long, assemble.Code(assemble.Const(1), 0x1a)...)
	}
	m.Func("long", "", "", long)
	src := m.Bytes()
	loaded, problems := h.Load(src, guest.Options{WASI: true})
	if problems != nil || loaded.Sizes.LongestBody <= compilable {
		t.Fatal(problems, loaded)
	}
	h.beside.Wait()
	if h.engines[compiler] != nil {
		t.Error("it is compiled")
	}
}

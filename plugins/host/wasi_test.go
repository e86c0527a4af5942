package host

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// goGuest compiles a guest with the Go toolchain that runs the test.
func goGuest(t testing.TB) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "guest.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", file, ".")
	cmd.Dir = "testdata/gowasi"
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	must.Run(t, cmd)
	return append(must.Read(t, file), assemble.Custom("elicit.guardian", assemble.Manifest)...)
}

func TestStandardGo(t *testing.T) {
	src := goGuest(t)
	h := New(Options{})
	defer h.Close()
	if _, problems := h.Load(src, guest.Options{}); len(problems) != 1 || problems[0].Code != "wasi_not_granted" {
		t.Fatalf("without the permit: %v", problems)
	}
	m, problems := h.Load(src, guest.Options{WASI: true})
	if problems != nil {
		t.Fatalf("%+v", problems)
	}
	t.Logf("%+v", m.Sizes)
	for _, c := range []struct {
		message, want string
		fault         guardian.Fault
		log           string
	}{
		{"hello", `"message":"hello"`, "", ""},
		{"exit", "", guardian.FaultExit, ""},
		{"panic", "", guardian.FaultTrap, "panic: on purpose"},
		{"sleep", `"message":"1h0m0s"`, "", ""},
		{"read a file", "Not implemented", "", ""},
		{"read the input", "Not implemented", "", ""},
		{"look around", "[] [] false 1970-01-01 00:00:00.000000001", "", ""},
		{"collect", "collect", "", ""},
		{"goroutines", "fromsomewhereelse", "", ""},
		{"maps", "19 ", "", ""},
		{"print", "print", "", "to standard output to standard error without an endfrom 1 runtime"},
	} {
		t.Run(c.message, func(t *testing.T) {
			e := Evaluation{Digest: m.Digest, WASI: true, Fuel: guest.MaxFuel,
				Question: []byte(`{"v":1,"request":{"message":"` + c.message + `"}}`)}
			first := h.Evaluate(e)
			var lines []string
			for _, l := range first.Log {
				lines = append(lines, l.Text)
			}
			said := strings.Join(lines, " ")
			if first.Fault != c.fault || !strings.Contains(string(first.Output), c.want) || !strings.Contains(said,
				c.log) {
				t.Errorf("fault %q (%s), output %s, log %s; %d fuel", first.Fault, first.Detail, first.Output, said,
					first.Fuel)
			}
			t.Logf("%d fuel, %d pages, %d ms: %s", first.Fuel, first.Pages, first.Nanoseconds/1e6, first.Output)
			if again := h.Evaluate(e); same(again) != same(first) {
				t.Errorf("twice not the same:\n%s\n%s", same(first), same(again))
			}
		})
	}
	// The largest program there is here, on the other engine.
	e := Evaluation{Digest: m.Digest, WASI: true, Fuel: guest.MaxFuel,
		Question: []byte(`{"v":1,"request":{"message":"collect"}}`)}
	want := same(h.Evaluate(e))
	compiled := New(Options{Compiler: true})
	defer compiled.Close()
	load(t, compiled, src, true)
	if got := same(compiled.Evaluate(e)); got != want {
		t.Errorf("the engines disagree:\ninterpreter %s\ncompiler    %s", want, got)
	}
	if r := h.Evaluate(Evaluation{Digest: m.Digest}); r.Fault != guardian.FaultNotLoaded ||
		!strings.Contains(r.Detail, "WASI") {
		t.Errorf("without the permit: %+v", r)
	}
}

// TestListOfWASI holds the list of imports against wazero's own.
func TestListOfWASI(t *testing.T) {
	ctx := t.Context()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	theirs, err := wasi_snapshot_preview1.NewBuilder(rt).Compile(ctx)
	must.OK(t, err)
	functions := theirs.ExportedFunctions()
	for _, i := range guest.WASIImports() {
		f := functions[i.Name]
		if f == nil || string(f.ParamTypes()) != string(types(i.Params)) ||
			string(f.ResultTypes()) != string(types(i.Results)) {
			t.Errorf("%s: %v is not what wazero says", i.Name, i)
		}
		delete(functions, i.Name)
	}
	for name := range functions {
		t.Errorf("%s is missing", name)
	}
}

func TestShim(t *testing.T) {
	var s shim
	var l log
	m := memory(make([]byte, 10_000))
	vectors := func(pairs ...uint32) {
		for i, v := range pairs {
			binary.LittleEndian.PutUint32(m[4*i:], v)
		}
	}
	copy(m[500:], "one\ntwo")
	for _, c := range []struct {
		name string
		got  errno
		want errno
	}{
		{"random", s.fill(m, 100, 12), success},
		{"random again", s.fill(m, 112, 8), success},
		{"random of nothing", s.fill(m, 10_000, 0), success},
		{"random nowhere", s.fill(m, 9_999, 2), fault},
		{"random around the world", s.fill(m, 1<<32-1, 2), fault},
		{"random without measure", s.fill(m, 0, maxRandom+1), inval},
		{"clock", s.clock(m, 3, 200, 0), success},
		{"no such clock", s.clock(m, 4, 200, 0), inval},
		{"clock nowhere", s.clock(m, 0, 9_993, 0), fault},
		{"counts", s.counts(m, 300, 304), success},
		{"counts nowhere", s.counts(m, 300, 9_997), fault},
		{"status", s.status(m, 2, 400), success},
		{"status of nothing", s.status(m, 3, 400), badf},
		{"status nowhere", s.status(m, 0, 9_977), fault},
		{"write to the input", s.write(m, &l, 0, 0, 0, 600), badf},
		{"write to a file", s.write(m, &l, 3, 0, 0, 600), badf},
		{"write too much at once", s.write(m, &l, 1, 0, maxVectors+1, 600), inval},
		{"vectors nowhere", s.write(m, &l, 1, 9_993, 1, 600), fault},
		{"write nothing", s.write(m, &l, 1, 0, 0, 600), success},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, c.got, c.want)
		}
	}
	got, want := string(m[100:120]), "\xaf\xcd\x1d\x7b\x39\xa8\x20\xe2\xf4\x65\xb9\xa6\xe9\x78\x6e\x34"
	if got[:8] != want[:8] || got[:4] == got[12:16] {
		t.Errorf("random: got % x", got)
	}
	vectors(500, 5, 505, 2)
	if e := s.write(m, &l, 1, 0, 2, 600); e != success || binary.LittleEndian.Uint32(m[600:]) != 7 {
		t.Errorf("write: %d, %d bytes", e, binary.LittleEndian.Uint32(m[600:]))
	}
	vectors(500, 3, 9_999, 2)
	if e := s.write(m, &l, 2, 0, 2, 600); e != fault {
		t.Errorf("a vector nowhere: %d", e)
	}
	vectors(1000, 9000)
	if e := s.write(m, &l, 2, 0, 1, 600); e != success || binary.LittleEndian.Uint32(m[600:]) != 9000 ||
		len(l.streams[1]) != maxLine {
		t.Errorf("a lot: %d, %d bytes, %d kept", e, binary.LittleEndian.Uint32(m[600:]), len(l.streams[1]))
	}
	l.flush()
	if len(l.lines) != 3 || l.lines[0] != (Line{Info, "one"}) || l.lines[1] != (Line{Info, "two"}) ||
		l.lines[2].Level != Warn {
		t.Errorf("log: %v", l.lines)
	}
}

func TestWait(t *testing.T) {
	const clock, stream = 0, 1
	type wait struct {
		tag, flags byte
		until      uint64
	}
	for _, c := range []struct {
		name  string
		waits []wait
		told  []byte // which, counted from 1
		slept uint64
	}{
		{"one", []wait{{clock, 0, 50}}, []byte{1}, 150},
		{"the first of three", []wait{{clock, 0, 50}, {clock, 0, 7}, {clock, 0, 7}}, []byte{2, 3}, 107},
		{"at a moment", []wait{{clock, 1, 200}, {clock, 0, 1000}}, []byte{1}, 199},
		{"at a moment gone by", []wait{{clock, 1, 0}, {clock, 0, 0}}, []byte{1, 2}, 100},
		{"for ever", []wait{{clock, 0, 1<<64 - 1}}, []byte{1}, forever},
		{"a stream", []wait{{clock, 0, 0}, {stream, 0, 0}}, []byte{2}, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := shim{slept: 100}
			m := memory(make([]byte, 1000))
			for i, w := range c.waits {
				m[48*i], m[48*i+8], m[48*i+40] = byte(i+1), w.tag, w.flags
				binary.LittleEndian.PutUint64(m[48*i+24:], w.until)
			}
			if e := s.wait(m, 0, 0, uint32(len(c.waits)), 900); e != success || s.slept != c.slept ||
				m[900] != byte(len(c.told)) {
				t.Fatalf("errno %d, slept %d, told %d", e, s.slept, m[900])
			}
			for i, want := range c.told {
				if m[32*i] != want || m[32*i+8] != 8*m[32*i+10] {
					t.Errorf("event %d: % x", i, m[32*i:32*i+32])
				}
			}
		})
	}
	var s shim
	m := memory(make([]byte, 1000))
	for _, c := range []struct{ got, want errno }{
		{s.wait(m, 0, 0, 0, 900), inval}, {s.wait(m, 0, 0, 65, 900), inval}, {s.wait(m, 960, 0, 1, 900), fault},
		{s.wait(m, 0, 990, 1, 900), fault}, {s.wait(m, 0, 0, 1, 998), fault},
	} {
		if c.got != c.want {
			t.Errorf("got %d, want %d", c.got, c.want)
		}
	}
}

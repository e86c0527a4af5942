package meter_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// script is one file of the suite under way. Left out are modules that the meter refuses (SIMD; imports of memories,
// tables, globals and of one another's functions; what engines disagree on) and actions on them.
type script struct {
	dir                         string
	now                         *triplet
	named                       map[string]*triplet
	open                        []*triplet
	rewritten, calls, exhausted int
	refused                     map[string]int
}

// TestSpecSame runs the suite's scripts on every valid module, and on its metered twin on both engines, and compares
// what comes out, bit by bit.
func TestSpecSame(t *testing.T) {
	s := &script{refused: map[string]int{}}
	suite(t, func(dir string, commands []command) {
		s.dir, s.now, s.named = dir, nil, map[string]*triplet{}
		for _, c := range commands {
			s.run(t, c)
		}
		for _, p := range s.open {
			p.close()
		}
		s.open = nil
	})
	if s.rewritten < 1700 || s.calls < 38_000 || s.exhausted < 20 {
		t.Errorf("%d modules, %d calls, %d of them without end; the test has lost its subject", s.rewritten, s.calls,
			s.exhausted)
	}
	t.Logf("%d modules rewritten, %d calls compared, %d without end stopped, refused %v", s.rewritten, s.calls,
		s.exhausted, s.refused)
}

func (s *script) run(t *testing.T, c command) {
	switch c.Type {
	case "module", "assert_uninstantiable":
		p := s.load(t, c)
		if c.Type == "assert_uninstantiable" {
			if p != nil && p.failure == "" {
				t.Errorf("%s: the metered twin can be instantiated; want %s", c.Filename, c.Text)
			}
			return
		}
		if s.now = p; p != nil && p.failure != "" {
			t.Errorf("%s: %s", c.Filename, p.failure)
			s.now = nil
		}
		if c.Name != "" {
			s.named[c.Name] = s.now
		}
	case "assert_return", "assert_trap", "action", "assert_exhaustion":
		p := s.now
		if c.Action.Module != "" {
			p = s.named[c.Action.Module]
		}
		if p == nil {
			return
		}
		s.calls++
		switch {
		case c.Type == "assert_exhaustion":
			p.exhaust(t, c)
			s.exhausted++
		case c.Action.Type == "get":
			p.get(t, c)
		default:
			p.compare(t, c)
		}
	}
}

func (s *script) load(t *testing.T, c command) *triplet {
	src := must.Read(t, s.dir, c.Filename)
	metered, no := meter.Rewrite(src, roomy())
	if no != nil {
		s.refused[no.Code]++
		never := c.Type == "assert_uninstantiable" && strings.HasSuffix(no.Detail, "no instance could begin")
		if no.Code == meter.Malformed || no.Code == meter.Invalid && !never && !strings.Contains(no.Detail,
			"imported globals") {
			t.Errorf("%s: refused at %d: %v", c.Filename, no.Offset, no)
		}
		return nil
	}
	s.rewritten++
	p := newTriplet(t, src, metered)
	s.open = append(s.open, p)
	return p
}

// triplet is a module as it was and, metered, on both engines, instantiated.
type triplet struct {
	runtimes [3]wazero.Runtime
	modules  [3]api.Module // the original first
	failure  string        // to instantiate, the same for all
}

func newTriplet(t *testing.T, original, metered []byte) *triplet {
	t.Helper()
	ctx := context.Background()
	p := &triplet{}
	var failures [3]string
	for i, src := range [][]byte{original, metered, metered} {
		config := wazero.NewRuntimeConfigInterpreter()
		if i == 2 {
			config = wazero.NewRuntimeConfigCompiler()
		}
		rt := wazero.NewRuntimeWithConfig(ctx, config.WithMemoryLimitPages(256).WithCoreFeatures(features))
		p.runtimes[i] = rt
		host := rt.NewHostModuleBuilder("spectest")
		for _, f := range roomy().Imports {
			host.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(context.Context, []uint64) {}), letters(f.Params),
				nil).Export(f.Name)
		}
		if _, err := host.Instantiate(ctx); err != nil {
			t.Fatal(err)
		}
		mod, err := rt.InstantiateWithConfig(ctx, src, wazero.NewModuleConfig().WithName("").WithStartFunctions())
		if err != nil {
			failures[i] = cause(err)
		}
		p.modules[i] = mod
	}
	if failures[0] != failures[1] || failures[0] != failures[2] {
		t.Errorf("the original and the metered ones do not begin alike: %q", failures)
	}
	p.failure = failures[0]
	return p
}

func (p *triplet) close() {
	for _, rt := range p.runtimes {
		rt.Close(context.Background())
	}
}

func letters(s string) (types []api.ValueType) {
	for _, l := range s {
		types = append(types, map[rune]byte{'i': 0x7f, 'I': 0x7e, 'f': 0x7d, 'F': 0x7c}[l])
	}
	return types
}

func (c command) arguments() (args []uint64, ok bool) {
	for _, a := range c.Action.Args {
		s, _ := a.Value.(string)
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil && s != "null" {
			return nil, false
		}
		args = append(args, v)
	}
	return args, true
}

// called calls the function on the original and, with the fuel, on the metered ones.
func (p *triplet) called(c command, args []uint64) (results [3][]uint64, traps [3]string) {
	for i, mod := range p.modules {
		if i > 0 {
			setFuel(mod, 1<<40, 1_024)
		}
		f := mod.ExportedFunction(c.Action.Field)
		got, err := f.Call(context.Background(), args...)
		for k, of := range f.Definition().ResultTypes() {
			if err == nil && (of == api.ValueTypeI32 || of == api.ValueTypeF32) {
				got[k] = uint64(uint32(got[k])) // the compiler leaves anything in the upper half
			}
		}
		if results[i] = got; err != nil {
			traps[i] = cause(err)
		}
	}
	return results, traps
}

func (p *triplet) compare(t *testing.T, c command) {
	t.Helper()
	args, ok := c.arguments()
	if !ok {
		t.Errorf("line %d: an argument that is no number", c.Line)
		return
	}
	results, traps := p.called(c, args)
	if traps[0] != traps[1] || traps[0] != traps[2] || !slices.Equal(results[1], results[2]) {
		t.Errorf("line %d: %s(%v): got %v and %v, traps %q", c.Line, c.Action.Field, args, results[1], results[2], traps)
		return
	}
	types := p.modules[0].ExportedFunction(c.Action.Field).Definition().ResultTypes()
	for i, want := range results[0] {
		if got := results[1][i]; got != want && !(got == canonical[types[i]] && isNaN(types[i], want)) {
			t.Errorf("line %d: %s(%v): result %d: got %#x, want %#x", c.Line, c.Action.Field, args, i, got, want)
		}
	}
}

// canonical are the bits that the meter gives every NaN that was computed.
var canonical = map[api.ValueType]uint64{api.ValueTypeF32: 0x7fc00000, api.ValueTypeF64: 0x7ff8000000000000}

func isNaN(of api.ValueType, bits uint64) bool {
	if of == api.ValueTypeF32 {
		return bits&0x7fffffff > 0x7f800000
	}
	return of == api.ValueTypeF64 && bits&(1<<63-1) > 0x7ff<<52
}

// exhaust calls what calls itself without end: the meter must stop it before the engine does.
func (p *triplet) exhaust(t *testing.T, c command) {
	t.Helper()
	args, _ := c.arguments()
	for _, mod := range p.modules[1:] {
		setFuel(mod, 50_000_000, 1_024)
		_, err := mod.ExportedFunction(c.Action.Field).Call(context.Background(), args...)
		if reason := mod.ExportedGlobal(meter.ReasonExport).Get(); err == nil || reason == meter.ReasonNone {
			t.Errorf("line %d: %s: got reason %d, %v", c.Line, c.Action.Field, reason, err)
		}
	}
}

func (p *triplet) get(t *testing.T, c command) {
	t.Helper()
	want := p.modules[0].ExportedGlobal(c.Action.Field).Get()
	for _, mod := range p.modules[1:] {
		if got := mod.ExportedGlobal(c.Action.Field).Get(); got != want {
			t.Errorf("line %d: %s is %d, want %d", c.Line, c.Action.Field, got, want)
		}
	}
}

// cause is a trap without its stack.
func cause(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

func setFuel(mod api.Module, fuel uint64, depth uint64) {
	mod.ExportedGlobal(meter.FuelExport).(api.MutableGlobal).Set(fuel)
	mod.ExportedGlobal(meter.DepthExport).(api.MutableGlobal).Set(depth)
	mod.ExportedGlobal(meter.ReasonExport).(api.MutableGlobal).Set(0)
}

var (
	smithFrom  = flag.Int("smith.from", 1, "the first seed of TestSmith")
	smithCount = flag.Int("smith.count", 300, "how many seeds TestSmith takes")
)

const smith = "../../testdata/smith/target/debug/smith"

// TestSmith has modules that wasm-smith makes run as they are and metered, on both engines, and demands the same
// results, traps, memory and globals.
func TestSmith(t *testing.T) {
	if _, err := os.Stat(smith); err != nil {
		t.Skip("testdata/smith is not built: cargo build --release there")
	}
	out, err := exec.Command(smith, strconv.Itoa(*smithFrom), strconv.Itoa(*smithCount)).Output()
	must.OK(t, err)
	limits := meter.HardLimits()
	ran, refused, calls := 0, map[string]int{}, 0
	for len(out) >= 4 {
		n := binary.LittleEndian.Uint32(out)
		module := out[4 : 4+n]
		out = out[4+n:]
		metered, no := meter.Rewrite(module, limits)
		if no != nil {
			refused[no.Code]++
			if no.Code == meter.Malformed {
				t.Errorf("a valid module is refused: %v", no)
			}
			continue
		}
		ran++
		for engine := range engines {
			want, got := whole(t, engine, module), whole(t, engine, metered)
			calls += len(want)
			for i := range want {
				if i >= len(got) || got[i] != want[i] && got[i] != spent {
					t.Fatalf("module %d, %s\n got %v\nwant %v", ran, engine, got, want)
				}
				if got[i] == spent {
					break // what follows starts from another state
				}
			}
		}
	}
	t.Logf("%d modules, %d calls, refused %v", ran, calls, refused)
	if ran < *smithCount/4 {
		t.Errorf("only %d of %d seeds gave a module that was run", ran, *smithCount)
	}
}

// spent is what the meter ended.
const spent = "metered"

// whole calls every exported function with zeros, and tells after each what it left. A trap is a trap: engines word
// them as they like.
func whole(t *testing.T, engine string, module []byte) (told []string) {
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, engines[engine]().WithCoreFeatures(features).WithMemoryLimitPages(256))
	defer rt.Close(ctx)
	code, err := rt.CompileModule(ctx, module)
	if err != nil {
		t.Fatalf("%s: %v", engine, err)
	}
	mod, err := rt.InstantiateModule(ctx, code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return []string{"no instance"}
	}
	var names []string
	for name := range code.ExportedFunctions() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if mod.ExportedGlobal(meter.FuelExport) != nil {
			setFuel(mod, 2_000_000, 1_000)
		}
		f := mod.ExportedFunction(name)
		results, err := f.Call(ctx, make([]uint64, len(f.Definition().ParamTypes()))...)
		if reason := mod.ExportedGlobal(meter.ReasonExport); err != nil && reason != nil &&
			reason.Get() != meter.ReasonNone {
			return append(told, spent)
		}
		told = append(told, fmt.Sprint(name, numbers(f, results), err != nil, left(code, mod)))
	}
	return told
}

// numbers are the results but references, which are addresses. NaNs count as one: wasm-smith leaves promoted ones
// as they come, the meter does not.
func numbers(f api.Function, results []uint64) (list []uint64) {
	for i, of := range f.Definition().ResultTypes() {
		if i >= len(results) {
			break
		}
		switch v := results[i]; {
		case of == api.ValueTypeF64 && math.IsNaN(math.Float64frombits(v)):
			list = append(list, math.Float64bits(math.NaN()))
		case of == api.ValueTypeF32 && math.IsNaN(float64(math.Float32frombits(uint32(v)))):
			list = append(list, math.Float64bits(math.NaN()))
		case of != api.ValueTypeExternref && of != 0x70:
			list = append(list, v)
		}
	}
	return list
}

// left is a digest of memory.
func left(code wazero.CompiledModule, mod api.Module) uint32 {
	m := mod.Memory()
	if len(code.ExportedMemories()) == 0 {
		return 0
	}
	all, _ := m.Read(0, m.Size())
	return crc32.ChecksumIEEE(bytes.TrimRight(all, "\x00")) + m.Size()
}

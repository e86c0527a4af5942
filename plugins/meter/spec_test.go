package meter_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// The WebAssembly specification's test suite comes with the sources of wazero, assembled, so none of it lies here.

type command struct {
	Type, Filename, Text string
	Line                 int
	ModuleType           string `json:"module_type"`
	Action               struct {
		Type, Field, Module string
		Args                []struct {
			Type  string
			Value any
		}
	}
}

// suite calls each with the commands of every file of the suite.
func suite(t *testing.T, each func(dir string, commands []command)) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "internal/integration_test/spectest/v[12]/testdata/*.json"))
	if err != nil || len(files) < 150 {
		t.Fatalf("found %d files of the specification's tests: %v", len(files), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var script struct{ Commands []command }
		if err := json.Unmarshal(raw, &script); err != nil {
			t.Fatal(err)
		}
		each(filepath.Dir(file), script.Commands)
	}
}

func roomy() meter.Limits {
	l := meter.HardLimits()
	l.Imports = []meter.Import{
		{"spectest", "print", "", ""}, {"spectest", "print_i32", "i", ""}, {"spectest", "print_i64", "I", ""},
		{"spectest", "print_f32", "f", ""}, {"spectest", "print_f64", "F", ""}, {"spectest", "print_i32_f32", "if", ""},
		{"spectest", "print_f64_f64", "FF", ""},
	}
	return l
}

// TestSpecRefusals feeds every module the suite calls invalid or malformed.
func TestSpecRefusals(t *testing.T) {
	refused := 0
	suite(t, func(dir string, commands []command) {
		for _, c := range commands {
			if c.Type != "assert_invalid" && (c.Type != "assert_malformed" || c.ModuleType == "text") {
				continue
			}
			src, err := os.ReadFile(filepath.Join(dir, c.Filename))
			if err != nil {
				t.Fatal(err)
			}
			if _, no := meter.Rewrite(src, roomy()); no == nil && !allowedSince(dir, c) {
				t.Errorf("%s was rewritten; want a refusal: %s", c.Filename, c.Text)
			}
			refused++
		}
	})
	if refused < 3000 {
		t.Errorf("%d modules refused; the test has lost its subject", refused)
	}
	t.Logf("%d invalid and malformed modules refused", refused)
}

// allowedSince names what version 1 of the specification forbids and version 2, which is ours, allows.
func allowedSince(dir string, c command) bool {
	return strings.Contains(dir, "spectest/v1/") && (c.Text == "invalid result arity" || c.Text == "multiple tables" ||
		c.Filename == "unreached-invalid.87.wasm")
}

// TestSpecSame runs the suite's scripts on every valid module and its metered twin and compares what comes out, bit by bit.
func TestSpecSame(t *testing.T) {
	var rewritten, calls int
	refused := map[string]int{}
	suite(t, func(dir string, commands []command) {
		var pair *twins
		for _, c := range commands {
			switch c.Type {
			case "module":
				pair.close()
				pair = nil
				src, err := os.ReadFile(filepath.Join(dir, c.Filename))
				if err != nil {
					t.Fatal(err)
				}
				metered, no := meter.Rewrite(src, roomy())
				if no != nil {
					refused[no.Code]++
					if no.Code == meter.Malformed || no.Code == meter.Invalid && !strings.Contains(no.Detail, "imported globals") {
						t.Errorf("%s: refused at %d: %v", c.Filename, no.Offset, no)
					}
					continue
				}
				rewritten++
				pair = newTwins(t, c.Filename, src, metered)
			case "assert_return", "assert_trap", "action":
				if pair != nil && c.Action.Module == "" && c.Action.Type == "invoke" {
					pair.compare(t, c)
					calls++
				}
			}
		}
		pair.close()
	})
	if rewritten < 700 || calls < 20_000 {
		t.Errorf("%d modules, %d calls; the test has lost its subject", rewritten, calls)
	}
	t.Logf("%d modules rewritten, %d calls compared, refused %v", rewritten, calls, refused)
}

// twins are an original and its metered module, instantiated.
type twins struct {
	runtimes          [2]wazero.Runtime
	original, metered api.Module
}

func newTwins(t *testing.T, name string, original, metered []byte) *twins {
	t.Helper()
	ctx := context.Background()
	p := &twins{}
	for i, src := range [][]byte{original, metered} {
		rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(256).
			WithCoreFeatures(api.CoreFeaturesV2&^api.CoreFeatureSIMD))
		p.runtimes[i] = rt
		host := rt.NewHostModuleBuilder("spectest")
		for _, f := range roomy().Imports {
			host.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(context.Context, []uint64) {}), letters(f.Params), nil).Export(f.Name)
		}
		if _, err := host.Instantiate(ctx); err != nil {
			t.Fatal(err)
		}
		mod, err := rt.InstantiateWithConfig(ctx, src, wazero.NewModuleConfig().WithName("").WithStartFunctions())
		if err != nil && i == 1 {
			t.Fatalf("%s: the metered twin does not instantiate: %v", name, err)
		}
		if err != nil {
			t.Fatalf("%s: the original does not instantiate: %v", name, err)
		}
		if i == 0 {
			p.original = mod
		} else {
			p.metered = mod
		}
	}
	return p
}

func (p *twins) close() {
	if p != nil {
		p.runtimes[0].Close(context.Background())
		p.runtimes[1].Close(context.Background())
	}
}

func letters(s string) (types []api.ValueType) {
	for _, l := range s {
		types = append(types, map[rune]byte{'i': 0x7f, 'I': 0x7e, 'f': 0x7d, 'F': 0x7c}[l])
	}
	return types
}

func (p *twins) compare(t *testing.T, c command) {
	t.Helper()
	var args []uint64
	for _, a := range c.Action.Args {
		s, _ := a.Value.(string)
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil && s != "null" {
			return // a NaN by name
		}
		args = append(args, v)
	}
	setFuel(p.metered, 1<<40, 1_024)
	want, errWant := p.original.ExportedFunction(c.Action.Field).Call(context.Background(), args...)
	got, errGot := p.metered.ExportedFunction(c.Action.Field).Call(context.Background(), args...)
	if errWant != nil || errGot != nil {
		if errWant == nil || errGot == nil || cause(errWant) != cause(errGot) {
			t.Errorf("line %d: %s(%v): got %v, want %v", c.Line, c.Action.Field, args, errGot, errWant)
		}
		return
	}
	if !slices.Equal(got, want) {
		t.Errorf("line %d: %s(%v): got %v, want %v", c.Line, c.Action.Field, args, got, want)
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

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
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/meter"
)

var (
	smithFrom  = flag.Int("smith.from", 1, "the first seed of TestSmith")
	smithCount = flag.Int("smith.count", 300, "how many seeds TestSmith takes")
)

const smith = "../../testdata/smith/target/release/smith"

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

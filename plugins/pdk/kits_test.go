package pdk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// modules are the kits' examples; ./build.sh kits leaves them there.
const modules = "../../dist/guests/kits/*.wasm"

// example is one file of cases.
type example struct {
	Question json.RawMessage `json:"question"`
	Verdict  json.RawMessage `json:"verdict"`
	Settings json.RawMessage `json:"settings"`
	Problems json.RawMessage `json:"problems"`
	Fault    string          `json:"fault"`
}

// TestKits gives every case to the example of every kit and wants the same bytes of each.
func TestKits(t *testing.T) {
	found, err := filepath.Glob(modules)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		if os.Getenv("ELICIT_KITS") != "" {
			t.Fatal("no kit left an example to test")
		}
		t.Skip("no examples: run ./build.sh kits")
	}
	cases, err := filepath.Glob("cases/*.json")
	if err != nil || len(cases) < 30 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, file := range found {
		module, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := load(t, module)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".wasm"), func(t *testing.T) {
			var most int64
			for _, file := range cases {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
					most = max(most, g.try(t, file))
				})
			}
			t.Logf("%d bytes, at most %d fuel", len(module), most)
		})
	}
}

type guest struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

func load(t *testing.T, module []byte) guest {
	t.Helper()
	ctx := context.Background()
	metered, refusal := meter.Rewrite(module, meter.Limits{})
	if refusal != nil {
		t.Fatal(refusal)
	}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { r.Close(ctx) })
	_, err := r.NewHostModuleBuilder("elicit_guardian_v1").NewFunctionBuilder().
		WithFunc(func(context.Context, api.Module, int32, int32, int32) {}).Export("log").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := r.CompileModule(ctx, metered)
	if err != nil {
		t.Fatal(err)
	}
	return guest{r, compiled}
}

// try runs one case and returns the fuel it took.
func (g guest) try(t *testing.T, file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c example
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	call, in, want := "elicit_evaluate", c.Question, c.Fault
	switch {
	case c.Settings != nil:
		call, in, want = "elicit_check_settings", c.Settings, `{"v":1,"problems":`+compact(t, c.Problems)+"}"
	case want == "":
		want = compact(t, c.Verdict)
	}
	got, fuel, err := g.call(call, []byte(compact(t, in)))
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	return fuel
}

// compact takes the blanks out and leaves every escape as it is spelled.
func compact(t *testing.T, doc []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, doc); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return b.String()
}

const budget = 5_000_000

func (g guest) call(name string, in []byte) (string, int64, error) {
	ctx := context.Background()
	m, err := g.runtime.InstantiateModule(ctx, g.module, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return "", 0, err
	}
	defer m.Close(ctx)
	if abi := m.ExportedGlobal("elicit_guardian_abi"); abi == nil || abi.Get() != 1<<16 {
		return "", 0, errors.New("elicit_guardian_abi is not 65536")
	}
	fuel := m.ExportedGlobal(meter.FuelExport).(api.MutableGlobal)
	fuel.Set(budget)
	if f := m.ExportedFunction("_initialize"); f != nil {
		if _, err := f.Call(ctx); err != nil {
			return "", 0, err
		}
	}
	ptr, err := m.ExportedFunction("elicit_alloc").Call(ctx, uint64(len(in)))
	if err != nil {
		return "", 0, err
	}
	if !m.Memory().Write(uint32(ptr[0]), in) {
		return "", 0, fmt.Errorf("bad_alloc: %d", ptr[0])
	}
	out, err := m.ExportedFunction(name).Call(ctx, ptr[0], uint64(len(in)))
	if err != nil {
		return "", 0, err
	}
	if out[0] == 0 {
		return "", 0, errors.New("refused")
	}
	text, ok := m.Memory().Read(uint32(out[0]>>32), uint32(out[0]))
	if !ok {
		return "", 0, errors.New("bad_output")
	}
	return string(text), budget - int64(fuel.Get()), nil
}

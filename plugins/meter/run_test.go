package meter_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/plugins/meter"
)

const features = api.CoreFeaturesV2 &^ api.CoreFeatureSIMD

// engines are the two ways wazero runs a module.
var engines = map[string]func() wazero.RuntimeConfig{
	"compiler": wazero.NewRuntimeConfigCompiler, "interpreter": wazero.NewRuntimeConfigInterpreter,
}

// outcome is everything a host can see of one call.
type outcome struct {
	trap    string
	results []uint64
	fuel    int64
	depth   int32
	reason  int32
	memory  uint32
	steps   uint32 // the guest's own count, in an exported global "steps"
}

func (o outcome) String() string {
	return fmt.Sprintf("trap %q, results %v, fuel %d, depth %d, reason %d, memory %d, steps %d",
		o.trap, o.results, o.fuel, o.depth, o.reason, o.memory, o.steps)
}

func (o outcome) equal(p outcome) bool { return o.String() == p.String() }

// run calls a metered module's function on one engine.
func run(t testing.TB, engine string, metered []byte, function string, fuel, depth int) outcome {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, engines[engine]().WithCoreFeatures(features))
	defer rt.Close(ctx)
	mod, err := instantiate(ctx, rt, metered)
	if err != nil {
		return outcome{trap: cause(err)}
	}
	setFuel(mod, uint64(fuel), uint64(depth))
	return called(ctx, mod, function)
}

func instantiate(ctx context.Context, rt wazero.Runtime, src []byte) (api.Module, error) {
	_, err := rt.NewHostModuleBuilder("elicit_guardian_v1").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(context.Context, []uint64) {}), letters("iii"), nil).Export("log").Instantiate(ctx)
	if err != nil {
		return nil, err
	}
	return rt.InstantiateWithConfig(ctx, src, wazero.NewModuleConfig().WithName("").WithStartFunctions())
}

func called(ctx context.Context, mod api.Module, function string) (o outcome) {
	results, err := mod.ExportedFunction(function).Call(ctx)
	if err != nil {
		o.trap = cause(err)
	}
	o.results = results
	if g := mod.ExportedGlobal(meter.FuelExport); g != nil {
		o.fuel = int64(g.Get())
		o.depth = int32(mod.ExportedGlobal(meter.DepthExport).Get())
		o.reason = int32(mod.ExportedGlobal(meter.ReasonExport).Get())
	}
	if g := mod.ExportedGlobal("steps"); g != nil {
		o.steps = uint32(g.Get())
	}
	if m := mod.ExportedMemory("memory"); m != nil {
		o.memory = m.Size()
	}
	return o
}

// both runs on both engines and demands one outcome.
func both(t testing.TB, metered []byte, function string, fuel, depth int) outcome {
	t.Helper()
	a := run(t, "compiler", metered, function, fuel, depth)
	if b := run(t, "interpreter", metered, function, fuel, depth); !a.equal(b) {
		t.Fatalf("the engines disagree:\ncompiler    %v\ninterpreter %v", a, b)
	}
	return a
}

func rewrite(t testing.TB, src []byte) []byte {
	t.Helper()
	out, no := meter.Rewrite(src, meter.Limits{})
	if no != nil {
		t.Fatalf("refused at %d: %v", no.Offset, no)
	}
	again, _ := meter.Rewrite(slices.Clone(src), meter.Limits{})
	if !slices.Equal(out, again) {
		t.Fatal("the same module gave other bytes")
	}
	return out
}

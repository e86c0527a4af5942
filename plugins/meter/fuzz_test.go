package meter_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// fates counts how the runs of generated modules ended.
type fates struct{ finished, trapped, fuel, depth int }

// differ holds one generated module to both promises: with any fuel it stops within the bound, on both engines alike;
// when it stops by itself, the original does the same.
func differ(t testing.TB, src []byte, fuel int, f *fates) {
	t.Helper()
	metered := rewrite(t, src)
	o := both(t, metered, "run", fuel, 100)
	used := int64(fuel) - o.fuel
	switch {
	case o.reason == meter.ReasonFuel:
		f.fuel++
		if int64(o.steps) > used || o.fuel >= 0 || -o.fuel > int64(129*len(src)) {
			t.Fatalf("with %d fuel: %v", fuel, o)
		}
		return
	case o.reason == meter.ReasonDepth:
		f.depth++
		return
	case o.trap == "":
		f.finished++
		if int64(o.steps) > used || o.depth != 100 {
			t.Fatalf("%d operators ran for %d fuel: %v", o.steps, used, o)
		}
	default:
		f.trapped++
	}
	want := original(t, src)
	o.fuel, o.depth, o.reason = 0, 0, 0
	if !o.equal(want) {
		t.Fatalf("the metered twin differs:\ngot  %v\nwant %v", o, want)
	}
}

func original(t testing.TB, src []byte) outcome {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
	defer rt.Close(ctx)
	mod, err := instantiate(ctx, rt, src)
	if err != nil {
		t.Fatalf("the generator made an invalid module: %v", err)
	}
	return called(ctx, mod, "run")
}

// TestGeneratedModules is the differential test on modules from a fixed seed.
func TestGeneratedModules(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var f fates
	for i := range 600 {
		bytes := make([]byte, 60+random.IntN(500))
		for j := range bytes {
			bytes[j] = byte(random.Uint32())
		}
		differ(t, randomModule(bytes), []int{40, 700, 20_000, 200_000}[i%4], &f)
	}
	t.Logf("%+v", f)
	if min(f.finished, f.trapped, f.fuel, f.depth) < 20 {
		t.Errorf("%+v: the generator has lost its subject", f)
	}
}

func FuzzDifferential(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		bytes := make([]byte, 300)
		for j := range bytes {
			bytes[j] = byte(random.Uint32())
		}
		f.Add(bytes, uint32(5000))
	}
	f.Fuzz(func(t *testing.T, bytes []byte, fuel uint32) {
		if len(bytes) > 4096 {
			return
		}
		var fate fates
		if src := randomModule(bytes); len(src) < 30_000 {
			differ(t, src, int(fuel%200_000), &fate)
		}
	})
}

// FuzzRewrite feeds bytes: never a panic, and what comes out is a valid module if and only if the input was one.
func FuzzRewrite(f *testing.F) {
	for _, h := range hostile {
		if src := h.guest().bytes(); len(src) < 4096 {
			f.Add(src)
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		bytes := make([]byte, 200)
		for j := range bytes {
			bytes[j] = byte(random.Uint32())
		}
		f.Add(randomModule(bytes))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ctx := context.Background()
		out, no := meter.Rewrite(src, meter.Limits{})
		if no != nil {
			if no.Offset < 0 || no.Offset > len(src) || no.Code == "" || no.Detail == "" {
				t.Fatalf("a refusal that says nothing: %+v", no)
			}
			return
		}
		rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
		defer rt.Close(ctx)
		for _, module := range [][]byte{src, out} {
			_, err := rt.CompileModule(ctx, module)
			if err != nil && strings.Contains(err.Error(), "failed to read custom section name") &&
				strings.HasSuffix(err.Error(), "EOF") {
				err = nil // wazero 1.12 reads beyond an empty custom section at the end of a module, which is valid
			}
			if err != nil {
				t.Fatalf("accepted, but %v", err)
			}
		}
	})
}

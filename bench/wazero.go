package main

import (
	"context"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/engine/abi"
)

// otherHosts measures the module under wazero.
func otherHosts() ([]*contest, []row) {
	module, err := os.ReadFile("../dist/elicit.wasm")
	must(err)
	inputs := questionInputs()
	native := nativeStep(inputs)
	compiled, interpreted := wazeroStep(module, wazero.NewRuntimeConfigCompiler(), inputs),
		wazeroStep(module, wazero.NewRuntimeConfigInterpreter(), inputs)
	compiled.name, interpreted.name = "asked and answered, wazero", "asked and answered, wazero interpreting"
	steps := &contest{procs: 1, batch: batch, batches: 5, lines: []*line{compiled, native, interpreted}}

	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	load := func(name string, config func() wazero.RuntimeConfig) *line {
		return &line{name: name, unit: "ms", once: func() float64 {
			start := time.Now()
			r := wazero.NewRuntimeWithConfig(context.Background(), config())
			open(r, module)
			took := time.Since(start)
			must(r.Close(context.Background()))
			return float64(took) / 1e6
		}}
	}
	cold := load("compiling", wazero.NewRuntimeConfigCompiler)
	cached := load("from its cache", func() wazero.RuntimeConfig {
		cache, err := wazero.NewCompilationCacheWithDir(dir)
		must(err)
		return wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache)
	})
	cached.once() // fills the cache
	interpreter := load("interpreting", wazero.NewRuntimeConfigInterpreter)
	loads := &contest{procs: 2, batches: 1, lines: []*line{cold, cached, interpreter}, close: func() { os.RemoveAll(dir) }}

	return []*contest{steps, loads}, []row{
		{path: "a question under wazero", ours: compiled, against: native, most: 50},
		{path: "a question under wazero, interpreting", ours: interpreted, against: native, most: 800},
		{path: "load by wazero from its cache on disk", ours: cached, against: cold, most: 0.15},
		{path: "load by wazero, interpreting", ours: interpreter, against: cold, most: 0.6},
	}
}

func questionInputs() []string {
	random := `"at":0,"random":"` + strings.Repeat("07", 32) + `"}`
	return []string{
		`{"event":{"event":"opened","session":"s","server":"bench","side":"answering","declared":["form","url"],` +
			`"shown":["form","url"]},"at":0}`,
		`{"event":{"event":"asked","session":"s","ref":"8","mode":"form","message":"` + question + `","schema":` +
			string(formText) + `},` + random,
		`{"event":{"event":"answered","session":"s","id":"$1","action":"accept","content":` + string(rightAnswer) + `},` +
			random,
	}
}

// open starts the module in r and returns a function for its calls.
func open(r wazero.Runtime, module []byte) (call func(op abi.Op, handle uint64, in string) (opened uint64,
	out []byte)) {
	ctx := context.Background()
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := r.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	must(err)
	input, perform := m.ExportedFunction("elicit_input"), m.ExportedFunction("elicit_call")
	var stack [4]uint64
	return func(op abi.Op, handle uint64, in string) (uint64, []byte) {
		stack[0] = uint64(len(in))
		must(input.CallWithStack(ctx, stack[:]))
		mustHold(m.Memory().WriteString(uint32(stack[0]), in), "no place for the input")
		stack = [4]uint64{uint64(op), handle, 0, uint64(len(in))}
		must(perform.CallWithStack(ctx, stack[:]))
		out, ok := m.Memory().Read(api.DecodeU32(stack[0]>>32), api.DecodeU32(stack[0]))
		mustHold(ok && binary.LittleEndian.Uint32(out) == 0, "the module refuses")
		return binary.LittleEndian.Uint64(out[8:]), out[16:]
	}
}

func wazeroStep(module []byte, config wazero.RuntimeConfig, inputs []string) *line {
	call := open(wazero.NewRuntimeWithConfig(context.Background(), config), module)
	engine, _ := call(abi.OpOpen, 0, string(wholeConfig))
	call(abi.OpStep, engine, inputs[0])
	at := 0
	return &line{unit: "ns", run: func(n int) {
		for range n {
			at += 20
			now := `"at":` + strconv.Itoa(at)
			_, shown := call(abi.OpStep, engine, strings.Replace(inputs[1], `"at":0`, now, 1))
			id := shownID.FindSubmatch(shown)
			mustHold(id != nil, "the question is not shown")
			_, reply := call(abi.OpStep, engine, strings.Replace(strings.Replace(inputs[2], `"at":0`, now, 1), "$1",
				string(id[1]), 1))
			mustHold(strings.Contains(string(reply), `"effect":"reply"`), "the answer is refused")
		}
	}}
}

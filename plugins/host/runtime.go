package host

import (
	"context"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// wasmRuntime is a wazero runtime with everything in it that a guest may import. guest.Read decides that, and refused
// every other import before.
type wasmRuntime struct{ runtime wazero.Runtime }

// features are those the meter knows how to meter.
const features = api.CoreFeaturesV2 &^ api.CoreFeatureSIMD

func newRuntime(config wazero.RuntimeConfig) (*wasmRuntime, error) {
	ctx := context.Background()
	e := &wasmRuntime{wazero.NewRuntimeWithConfig(ctx, config.WithCoreFeatures(features).WithDebugInfoEnabled(false).
		WithMemoryLimitPages(uint32(meter.HardLimits().MemoryPages)))}
	builders := map[string]wazero.HostModuleBuilder{}
	for _, i := range append(guest.WASIImports(), meter.DefaultLimits().Imports...) {
		if builders[i.Module] == nil {
			builders[i.Module] = e.runtime.NewHostModuleBuilder(i.Module)
		}
		builders[i.Module].NewFunctionBuilder().WithGoModuleFunction(serve(i.Name), types(i.Params),
			types(i.Results)).Export(i.Name)
	}
	for _, b := range builders {
		if _, err := b.Instantiate(ctx); err != nil {
			e.runtime.Close(ctx)
			return nil, err
		}
	}
	return e, nil
}

// types spells the letters of a meter.Import, of which imports use two.
func types(letters string) []api.ValueType {
	list := make([]api.ValueType, len(letters))
	for i := range letters {
		list[i] = api.ValueTypeI32
		if letters[i] == 'I' {
			list[i] = api.ValueTypeI64
		}
	}
	return list
}

// serve is the host's side of one import. Arguments stand on the stack, and the result goes to its bottom.
func serve(name string) api.GoModuleFunc {
	answer, known := answers[name]
	return func(ctx context.Context, module api.Module, stack []uint64) {
		i := ctx.Value(evaluationKey{}).(*evaluation)
		switch {
		case i.instance == nil && strings.HasPrefix(name, "data_"):
			stack[0] = notThere
		case i.instance == nil && name != "proc_exit":
			// The start section is running. Browsers show nobody the memory of an instance that is not there yet, so no
			// import reaches it here either.
			stack[0] = uint64(nosys)
		case name == "log":
			i.log.said(view(module), uint32(stack[0]), uint32(stack[1]), uint32(stack[2]))
		case name == "data_size":
			stack[0] = uint64(len(i.data))
		case name == "data_read":
			stack[0] = uint64(read(i.data, view(module), uint32(stack[0]), uint32(stack[1]), uint32(stack[2])))
		case name == "proc_exit":
			i.shim.exit(uint32(stack[0]))
			panic(sys.NewExitError(i.shim.code))
		case known:
			stack[0] = uint64(answer(i, view(module), stack))
		case len(stack) > 0:
			stack[0] = uint64(nosys)
		}
	}
}

// notThere is -1, what data_size and data_read give when there is nothing to read from or no room to read into.
const notThere = 1<<32 - 1

// read copies the n bytes at offset of a document, or what there is of them, to ptr. It gives their number, which the
// guest has paid for, and notThere when n bytes at ptr are not in memory.
func read(data []byte, m memory, offset, ptr, n uint32) uint32 {
	to := m.at(ptr, n)
	if to == nil {
		return notThere
	}
	return uint32(copy(to, data[min(uint64(offset), uint64(len(data))):]))
}

func view(module api.Module) memory {
	m := module.Memory()
	whole, _ := m.Read(0, m.Size())
	return whole
}

// answers are the functions of WASI that do anything; all others are not there (nosys).
var answers = map[string]func(i *evaluation, m memory, a []uint64) errno{
	"args_get":    func(*evaluation, memory, []uint64) errno { return success },
	"environ_get": func(*evaluation, memory, []uint64) errno { return success },
	"args_sizes_get": func(i *evaluation, m memory, a []uint64) errno {
		return i.shim.counts(m, uint32(a[0]), uint32(a[1]))
	},
	"environ_sizes_get": func(i *evaluation, m memory, a []uint64) errno {
		return i.shim.counts(m, uint32(a[0]), uint32(a[1]))
	},
	"clock_res_get": func(i *evaluation, m memory,
		a []uint64) errno {
		return i.shim.clock(m, uint32(a[0]), uint32(a[1]), 0)
	},
	"clock_time_get": func(i *evaluation, m memory, a []uint64) errno {
		return i.shim.clock(m, uint32(a[0]), uint32(a[2]), i.shim.slept)
	},
	"poll_oneoff": func(i *evaluation, m memory, a []uint64) errno {
		return i.shim.wait(m, uint32(a[0]), uint32(a[1]), uint32(a[2]), uint32(a[3]))
	},
	"random_get": func(i *evaluation, m memory, a []uint64) errno { return i.shim.fill(m, uint32(a[0]), uint32(a[1])) },
	"fd_write": func(i *evaluation, m memory, a []uint64) errno {
		return i.shim.write(m, &i.log, uint32(a[0]), uint32(a[1]), uint32(a[2]), uint32(a[3]))
	},
	"fd_fdstat_get": func(i *evaluation, m memory,
		a []uint64) errno {
		return i.shim.status(m, uint32(a[0]), uint32(a[1]))
	},
	"fd_prestat_get":      func(*evaluation, memory, []uint64) errno { return badf },
	"fd_prestat_dir_name": func(*evaluation, memory, []uint64) errno { return badf },
	"sched_yield":         func(*evaluation, memory, []uint64) errno { return success },
}

package host

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// maxIdle bounds what instances that wait for their next evaluation hold, in bytes of guests' memory, all guests
// together, and their spare memories.
const maxIdle = 32 << 20

// instance is an instance of a guest and what is looked up in it. It serves one evaluation, and another one only when
// it is provably as it was when it was made: the guest has no instruction that changes a table or drops a segment and
// no start section (guest.Module.Resets), the evaluation ended without a fault, memory has not grown, and every global
// but the fuel, exported or not, holds what it held. Memory is then written anew. All else is made new for the next
// evaluation.
type instance struct {
	of         *machine
	module     api.Module
	memory     *linear      // of module; closing module frees it
	initialize api.Function // nil without one
	alloc      api.Function // alloc, evaluate and check are never nil: guest.Read asks for them
	evaluate   api.Function
	check      api.Function
	fuel       api.MutableGlobal // left; below 0 when it did not suffice
	reason     api.Global        // one of the Reason numbers of meter
	started    int64             // fuel that the start section used
	globals    []uint64          // as they were at first; nil when it serves once
	pages      int               // of memory at first
}

// instance takes an idle one or makes a new one.
func (h *Host) instance(ctx context.Context, l *loaded) (*instance, error) {
	h.mu.Lock()
	now := l.now
	now.users++
	if n := len(now.idle); n > 0 {
		v := now.idle[n-1]
		now.idle = now.idle[:n-1]
		h.idle -= v.bytes()
		h.mu.Unlock()
		return v, nil
	}
	h.mu.Unlock()
	memory := &linear{host: h}
	module, err := now.engine.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, memory), now.code,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		memory.Free() // wazero frees that of instances alone
		h.leave(ctx, l, now)
		return nil, err
	}
	v := &instance{of: now, module: module, memory: memory, alloc: module.ExportedFunction(guest.Alloc),
		evaluate: module.ExportedFunction(guest.Evaluate),
		check:    module.ExportedFunction(guest.CheckSettings), initialize: module.ExportedFunction(guest.Initialize),
		fuel: module.ExportedGlobal(meter.FuelExport).(api.MutableGlobal), reason: module.ExportedGlobal(meter.ReasonExport)}
	v.started = guest.StartFuel - int64(v.fuel.Get())
	if l.module.Resets {
		v.globals, v.pages = v.readGlobals(), l.module.Sizes.PagesLeast
		l.once.Do(func() { l.image = image(module.Memory()) })
	}
	return v, nil
}

// image is what memory holds at first, without the zeros at its end.
func image(m api.Memory) []byte {
	whole, _ := m.Read(0, m.Size())
	n := len(whole)
	for n > 0 && whole[n-1] == 0 {
		n--
	}
	return slices.Clone(whole[:n])
}

// readGlobals lists all globals, 0 in place of the fuel, which the host sets before each evaluation.
func (v *instance) readGlobals() []uint64 {
	m, ok := v.module.(experimental.InternalModule)
	if !ok {
		return nil
	}
	list := make([]uint64, m.NumGlobal())
	for i := range list {
		list[i] = m.Global(i).Get()
	}
	list[len(list)-meter.Counters] = 0
	return list
}

func (v *instance) bytes() int { return cap(v.memory.now) }

// release keeps an instance for the next evaluation, clean, or closes it.
func (h *Host) release(ctx context.Context, l *loaded, v *instance, good bool) {
	defer h.leave(ctx, l, v.of)
	if !good || v.globals == nil || v.pages != int(v.module.Memory().Size()>>16) ||
		!slices.Equal(v.globals, v.readGlobals()) {
		v.module.Close(ctx)
		return
	}
	// Now, not when it is wanted again: what lay in it may be somebody's answer.
	whole, _ := v.module.Memory().Read(0, v.module.Memory().Size())
	clear(whole[copy(whole, l.image):])
	h.mu.Lock()
	h.drop(v.bytes())
	keep := v.of == l.now && h.idle+v.bytes() <= maxIdle && len(v.of.idle) < cap(h.slots)
	if keep {
		v.of.idle = append(v.of.idle, v)
		h.idle += v.bytes()
	}
	h.mu.Unlock()
	if !keep {
		v.module.Close(ctx)
	}
}

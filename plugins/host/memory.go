package host

import (
	"math/bits"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// spares are memories of instances that are gone, for the next ones: making and collecting a memory costs more than
// most evaluations. All their bytes are zero. The index is the binary logarithm of their size in pages. A host's mutex
// guards them.
type spares struct {
	list  [9][][]byte
	bytes int
}

// class is the index of memories with room for that many bytes.
func class(size uint64) int { return bits.Len64((max(size, 1) - 1) >> 16) }

// take finds a memory with that much room, or makes one.
func (h *Host) take(size uint64) []byte {
	at := class(size)
	if memory := h.spare(at); memory != nil {
		return memory
	}
	return make([]byte, 1<<16<<at) // outside of the mutex, because it may be 16 MiB
}

// spare takes a memory of a class off the list, nil if there is none.
func (h *Host) spare(at int) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := &h.spares.list[at]
	n := len(*kept)
	if n == 0 {
		return nil
	}
	memory := (*kept)[n-1]
	(*kept)[n-1] = nil
	*kept = (*kept)[:n-1]
	h.spares.bytes -= cap(memory)
	return memory
}

// give keeps a memory while there is room beside the idle instances. Its length is what a guest may have written to.
func (h *Host) give(memory []byte) {
	clear(memory) // now: what lay in it may be somebody's answer
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.idle+h.spares.bytes+cap(memory) > maxIdle {
		return
	}
	at := class(uint64(cap(memory)))
	h.spares.list[at] = append(h.spares.list[at], memory)
	h.spares.bytes += cap(memory)
}

// drop gives up spare memories, the largest first, until so many bytes more fit beside what is kept, or none is left.
// The caller holds the mutex.
func (h *Host) drop(room int) {
	for at := len(h.spares.list) - 1; at >= 0; at-- {
		for kept := h.spares.list[at]; len(kept) > 0 && h.idle+h.spares.bytes+room > maxIdle; {
			h.spares.bytes -= cap(kept[len(kept)-1])
			kept[len(kept)-1] = nil
			kept = kept[:len(kept)-1]
			h.spares.list[at] = kept
		}
	}
}

// linear is the memory of one instance.
type linear struct {
	host *Host
	now  []byte // what lies behind its length is zero
}

// Allocate makes the memory for wazero, which asks for it once.
func (l *linear) Allocate(uint64, uint64) experimental.LinearMemory { return l }

// Reallocate grows the memory. wazero asks for no more than the hard limit.
func (l *linear) Reallocate(size uint64) []byte {
	if size > uint64(meter.HardLimits().MemoryPages)<<16 {
		return nil
	}
	if size > uint64(cap(l.now)) {
		old := l.now
		l.now = l.host.take(size)
		copy(l.now, old)
		if old != nil {
			l.host.give(old)
		}
	}
	l.now = l.now[:size]
	return l.now
}

// Free gives the memory back. Calling it again does nothing.
func (l *linear) Free() {
	if l.now != nil {
		l.host.give(l.now)
		l.now = nil
	}
}

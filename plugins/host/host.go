// Package host runs guests under wazero, and is the only package that knows wazero. It gives a guest a question and
// gets back bytes or a fault; what a question holds and what a verdict means is package guardian's.
//
// Nothing a guest does may panic the host, stay behind after its evaluation, or be seen by a neighbour: an evaluation
// has an instance of its own that is dropped afterwards, and the fuel that meter put into the module ends it. There is
// no deadline on purpose: a clock would stop neither every guest nor the same guest at the same place.
package host

import (
	"context"
	"runtime"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// maxGuests bounds what a host keeps compiled. A compiled guest takes several times its size.
const maxGuests = 256

// Options say how guests are run. They change how fast an evaluation is and nothing of what comes of it.
type Options struct {
	// Compiler makes machine code of guests, where wazero can and the system lets the process map memory that it has
	// written and then executes. Elsewhere guests are interpreted. Compiling takes 5 times as long as preparing the
	// interpreter, and running a hundredth.
	Compiler bool
	// Beside makes the machine code while the interpreter already answers. Close waits for it only if it can be kept.
	Beside bool
	// CacheDir keeps machine code between processes. Anybody who can write there can run code in this process. So it is
	// used only if nobody but this user can enter it or replace it: see CacheFault. "" is none.
	CacheDir string
	// Instances is how many evaluations run at once, others wait; 0 is twice the processors.
	Instances int
	// Profile makes every Result carry a Profile. Guests are then interpreted, several times slower; what comes of an
	// evaluation, its fuel included, stays the same.
	Profile bool
}

// Host holds compiled guests. Its methods may be called from many goroutines.
type Host struct {
	slots      chan struct{}   // full while Options.Instances evaluations run
	cacheFault error           // see CacheFault
	options    Options         // as New has settled them
	hurry      context.Context // ends when Close does not wait for machine code
	stop       context.CancelFunc

	running sync.WaitGroup     // evaluations and what is compiled beside; Close waits for them
	beside  sync.WaitGroup     // what is compiled beside
	mu      sync.Mutex         // guards what is below
	closed  bool               // nothing new loads or begins
	guests  map[string]*loaded // by digest
	idle    int                // bytes of memory in idle instances
	spares  spares             // maxIdle bounds both together
	engines [3]*wasmRuntime    // made when first needed
	cache   wazero.CompilationCache
}

// loaded is one guest. The caller that made its place prepares it. Others that want it meanwhile wait until it is
// ready.
type loaded struct {
	ready    chan struct{}    // closed when module and problems are set for good
	module   *guest.Module    // not for use with problems
	now      *machine         // guarded by the host
	problems []elicit.Problem // why the guest was refused
	once     sync.Once        // makes image
	image    []byte           // memory at first, when the module Resets
}

// New makes a host. It starts no goroutine and compiles nothing yet.
func New(o Options) *Host {
	if o.Instances <= 0 {
		o.Instances = 2 * runtime.GOMAXPROCS(0)
	}
	o.Compiler = o.Compiler && !o.Profile && compiles()
	h := &Host{slots: make(chan struct{}, o.Instances), guests: map[string]*loaded{}}
	h.hurry, h.stop = context.WithCancel(experimental.WithCompilationWorkers(context.Background(), 2))
	if o.Compiler && o.CacheDir != "" {
		h.cache, h.cacheFault = openCache(o.CacheDir)
	}
	if h.cache == nil {
		o.CacheDir = ""
	}
	h.options = o
	return h
}

// CacheFault says why the cache directory is not used, nil when it is or none was asked for.
func (h *Host) CacheFault() error { return h.cacheFault }

// Load checks, meters and compiles a module, once: loading it again costs a digest. The module is not kept.
func (h *Host) Load(module []byte, o guest.Options) (*guest.Module, []elicit.Problem) {
	digest := guardian.Digest(module)
	l, first, problems := h.claim(digest)
	if problems != nil {
		return nil, problems
	}
	defer h.running.Done()
	if first {
		if h.prepare(l, module, digest); l.problems != nil {
			h.forget(digest)
		}
		close(l.ready)
	}
	if <-l.ready; l.problems != nil {
		return nil, l.problems
	}
	if l.module.WASI && !o.WASI {
		return nil, []elicit.Problem{{Code: "wasi_not_granted"}}
	}
	return l.module, nil
}

// claim finds the place of a digest, or makes it; then the caller is the first. It counts as running until it says that
// it is done.
func (h *Host) claim(digest string) (l *loaded, first bool, problems []elicit.Problem) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, false, []elicit.Problem{{Code: "host_closed"}}
	}
	if l = h.guests[digest]; l == nil {
		if len(h.guests) >= maxGuests {
			return nil, false, []elicit.Problem{{Code: "too_many_guests", Args: []elicit.Arg{elicit.Num("limit", maxGuests)}}}
		}
		l, first = &loaded{ready: make(chan struct{})}, true
		h.guests[digest] = l
	}
	h.running.Add(1)
	return l, first, nil
}

func (h *Host) forget(digest string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.guests, digest)
}

// find returns a guest that is ready to run. The caller counts as running until it says it is done, unless nil.
func (h *Host) find(digest string) *loaded {
	h.mu.Lock()
	l := h.guests[digest]
	if h.closed || l == nil {
		h.mu.Unlock()
		return nil
	}
	h.running.Add(1)
	h.mu.Unlock()
	if <-l.ready; l.problems != nil {
		h.running.Done()
		return nil
	}
	return l
}

// Has reports whether a guest of that digest is loaded.
func (h *Host) Has(digest string) bool {
	l := h.find(digest)
	if l != nil {
		h.running.Done()
	}
	return l != nil
}

// Guest returns what a loaded guest says of itself, nil when there is none of that digest.
func (h *Host) Guest(digest string) *guest.Module {
	l := h.find(digest)
	if l == nil {
		return nil
	}
	defer h.running.Done()
	return l.module
}

// Close waits for evaluations under way and frees everything. After it nothing is loaded and nothing loads.
func (h *Host) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	if h.options.CacheDir == "" {
		h.stop()
	}
	h.running.Wait() // nobody is counted from here on
	h.stop()
	h.mu.Lock()
	engines, cache := h.engines, h.cache
	h.engines, h.cache = [3]*wasmRuntime{}, nil
	h.guests, h.spares = nil, spares{}
	h.mu.Unlock()
	ctx := context.Background()
	for _, e := range engines {
		if e != nil {
			e.runtime.Close(ctx) // idle instances give their memory back, which takes the mutex
		}
	}
	if cache != nil {
		cache.Close(ctx)
	}
}

// firstLine is an engine's message without its stack trace, for people.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line[:min(len(line), 300)]
}

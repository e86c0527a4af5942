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

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// maxGuests bounds what a host keeps compiled. A compiled guest takes several times its size.
const maxGuests = 256

// compilable is the longest function body that wazero's compiler is given: it is quadratic in it. Guests with longer
// ones are interpreted.
const compilable = 32 << 10

// Options say how guests are run. They change how fast an evaluation is and nothing of what comes of it.
type Options struct {
	// Compiler makes machine code of guests, where wazero can. Loading takes 10 to 100 times as long, running a tenth.
	// Without it guests are interpreted, and the process needs no memory that is both written and executed.
	Compiler bool
	// CacheDir keeps machine code between processes. Anybody who can write there can run code in this process. "" is
	// none, and one that cannot be used is none: see CacheFault.
	CacheDir string
	// Instances is how many evaluations run at once, others wait; 0 is twice the processors.
	Instances int
	// Profile makes every Result carry a Profile. Guests are then interpreted, several times slower; what comes of an
	// evaluation, its fuel included, stays the same.
	Profile bool
}

// The engines of a host. Without Options.Compiler all three interpret.
const (
	interpreter = iota
	compiler    // with the cache, if there is one
	uncached
)

// Host holds compiled guests. Its methods may be called from many goroutines.
type Host struct {
	slots      chan struct{}
	cacheFault error
	profile    bool

	running sync.WaitGroup // evaluations; Close waits for them
	mu      sync.Mutex     // guards what is below
	closed  bool
	guests  map[string]*loaded
	idle    int             // bytes of memory in idle instances
	spares  spares          // maxIdle bounds both together
	engines [3]*wasmRuntime // made when first needed
	config  [3]wazero.RuntimeConfig
	cache   wazero.CompilationCache
}

// loaded is one guest. The caller that made its place compiles it. Others that want it meanwhile wait until it is
// ready.
type loaded struct {
	ready    chan struct{}
	module   *guest.Module
	code     wazero.CompiledModule
	engine   *wasmRuntime
	problems []elicit.Problem
	once     sync.Once
	image    []byte      // memory at first, when the module Resets
	idle     []*instance // guarded by the host
}

// New makes a host. It starts no goroutine and compiles nothing yet.
func New(o Options) *Host {
	if o.Instances <= 0 {
		o.Instances = 2 * runtime.GOMAXPROCS(0)
	}
	h := &Host{slots: make(chan struct{}, o.Instances), guests: map[string]*loaded{}, profile: o.Profile}
	for at := range h.config {
		h.config[at] = wazero.NewRuntimeConfigInterpreter()
	}
	if o.Compiler && !o.Profile {
		h.config[uncached] = wazero.NewRuntimeConfig() // an interpreter where there is no compiler
		h.config[compiler] = h.config[uncached]
		if o.CacheDir != "" {
			if h.cache, h.cacheFault = wazero.NewCompilationCacheWithDir(o.CacheDir); h.cacheFault == nil {
				h.config[compiler] = h.config[compiler].WithCompilationCache(h.cache)
			}
		}
	}
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
		if h.prepare(l, module); l.problems != nil {
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

// prepare checks a module and gives its metered twin to wazero. wazero should accept what guest.Read accepts. If it
// does not, or panics, the guest is refused.
func (h *Host) prepare(l *loaded, module []byte) {
	refuse := func(detail string) {
		l.problems = []elicit.Problem{{Code: "engine_refused", Args: []elicit.Arg{elicit.Str("detail", detail)}}}
	}
	defer func() {
		if p := recover(); p != nil {
			refuse("a bug of the engine")
		}
	}()
	// The permit is asked for by the caller, so that what is kept depends on the module alone.
	l.module, l.problems = guest.Read(module, guest.Options{WASI: true})
	if l.problems != nil {
		return
	}
	kind := compiler
	if l.module.Sizes.LongestBody > compilable {
		kind = interpreter
	}
	err := h.compile(l, kind)
	if err != nil && kind == compiler {
		err = h.compile(l, uncached) // a file of the cache that was cut short or written over must not stand in the way
	}
	if err != nil {
		refuse(firstLine(err))
	}
}

func (h *Host) compile(l *loaded, kind int) (err error) {
	if l.engine, err = h.engine(kind); err == nil {
		ctx := context.Background()
		if h.profile {
			ctx = withListeners(ctx)
		}
		l.code, err = l.engine.runtime.CompileModule(ctx, l.module.Metered)
	}
	return err
}

func (h *Host) engine(kind int) (e *wasmRuntime, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.engines[kind] == nil {
		h.engines[kind], err = newRuntime(h.config[kind])
	}
	return h.engines[kind], err
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
	h.running.Wait() // nobody is counted from here on
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

package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tetratelabs/wazero"
	"golang.org/x/sys/cpu"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// compilable is the longest function body that wazero's compiler is given: it is quadratic in it. Guests with longer
// ones are interpreted.
const compilable = 32 << 10

// The engines of a host.
const (
	interpreter = iota
	compiler    // with the cache, if there is one
	uncached
)

// machine is a guest as one engine runs it.
type machine struct {
	engine *wasmRuntime
	code   wazero.CompiledModule // closed once it was replaced and nobody runs on it
	idle   []*instance           // guarded by the host
	users  int                   // evaluations that run on it; guarded by the host
}

// compiles reports whether wazero has a compiler for this processor.
func compiles() bool {
	return runtime.GOARCH == "amd64" && cpu.X86.HasSSE41 || runtime.GOARCH == "arm64"
}

// prepare checks a module and gives its metered twin to wazero. wazero should accept what guest.Read accepts. If it
// does not, or panics, the guest is refused.
func (h *Host) prepare(l *loaded, module []byte, digest string) {
	// The permit is asked for by the caller, so that what is kept depends on the module alone.
	l.module, l.problems = guest.Read(module, guest.Options{WASI: true})
	if l.problems != nil {
		return
	}
	compile := h.options.Compiler && l.module.Sizes.LongestBody <= compilable
	kept := filepath.Join(h.options.CacheDir, "made-"+digest)
	beside := compile && h.options.Beside && !exists(kept)
	var err error
	if compile && !beside {
		l.now, err = h.machineCode(context.Background(), l.module, kept)
	}
	if l.now == nil {
		l.now, err = h.compile(context.Background(), l.module, interpreter)
	}
	switch {
	case err != nil:
		l.problems = []elicit.Problem{{Code: "engine_refused", Args: []elicit.Arg{elicit.Str("detail", firstLine(err))}}}
	case beside:
		h.running.Add(1) // the caller is counted, so Close waits
		h.beside.Add(1)
		go func() {
			defer h.running.Done()
			defer h.beside.Done()
			if made, err := h.machineCode(h.hurry, l.module, kept); err == nil {
				h.change(l, made)
			}
		}()
	}
}

// machineCode compiles a module, or finds its machine code in the cache. There a file with the name kept says that it
// may find it.
func (h *Host) machineCode(ctx context.Context, module *guest.Module, kept string) (*machine, error) {
	made, err := h.compile(ctx, module, compiler)
	if err == nil && h.options.CacheDir != "" {
		_ = os.WriteFile(kept, nil, 0o600) // without it the next process compiles beside
	}
	if err != nil && h.options.CacheDir != "" {
		// A file of the cache that was cut short or written over must not stand in the way.
		made, err = h.compile(ctx, module, uncached)
	}
	return made, err
}

// compile gives a module to one of the engines.
func (h *Host) compile(ctx context.Context, module *guest.Module, kind int) (made *machine, err error) {
	defer func() {
		if p := recover(); p != nil {
			made, err = nil, errors.New("a bug of the engine")
		}
	}()
	made = &machine{}
	if made.engine, err = h.engine(kind); err != nil {
		return nil, err
	}
	if h.options.Profile {
		ctx = withListeners(ctx)
	}
	if made.code, err = made.engine.runtime.CompileModule(ctx, module.Metered); err != nil {
		return nil, err
	}
	return made, nil
}

// engine returns an engine. To make a compiling one, wazero maps executable memory: where it may not, it has an error.
func (h *Host) engine(kind int) (e *wasmRuntime, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.engines[kind] == nil {
		config := wazero.NewRuntimeConfigInterpreter()
		if kind != interpreter {
			config = wazero.NewRuntimeConfigCompiler()
		}
		if kind == compiler && h.cache != nil {
			config = config.WithCompilationCache(h.cache)
		}
		h.engines[kind], err = newRuntime(config)
	}
	return h.engines[kind], err
}

// change lets a guest run on another machine from the next evaluation on.
func (h *Host) change(l *loaded, made *machine) {
	h.mu.Lock()
	old := l.now
	l.now = made
	old.users++ // until leave
	idle := old.idle
	old.idle = nil
	for _, v := range idle {
		h.idle -= v.bytes()
	}
	h.mu.Unlock()
	for _, v := range idle {
		v.module.Close(context.Background()) // it gives its memory back, which takes the mutex
	}
	h.leave(context.Background(), l, old)
}

// leave ends an evaluation on a machine. The last one frees a machine that has been replaced.
func (h *Host) leave(ctx context.Context, l *loaded, of *machine) {
	h.mu.Lock()
	of.users--
	last := of.users == 0 && of != l.now
	h.mu.Unlock()
	if last {
		of.code.Close(ctx)
	}
}

// maxCache bounds what a directory of machine code holds, in bytes. A guest takes 0.2 to 3 MB.
const maxCache = 128 << 20

// openCache opens a directory of machine code that only this user can enter, and below directories that only this user
// and root can change. It makes the directory when it is missing, and empties it when it is full.
func openCache(dir string) (wazero.CompilationCache, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(dir), 0o700)
	}
	if err == nil {
		err = trustedfile.MakePrivate(dir)
	}
	if err == nil {
		err = trustedfile.CheckPrivateBelow(dir)
	}
	if err != nil {
		return nil, err
	}
	size := int64(0)
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			if at, err := d.Info(); err == nil {
				size += at.Size()
			}
		}
		return nil
	})
	if size > maxCache {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	return wazero.NewCompilationCacheWithDir(dir)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

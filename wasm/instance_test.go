package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/engine/abi"
)

var background = context.Background()

// built returns a directory with the module that build.sh makes, once for all tests.
var built = sync.OnceValues(func() (string, error) { return build("wasm") })

// forBrowsers and forForms return directories with the module that pages download and with the module core, under the
// name of the other.
var forBrowsers, forForms = renamed("browser"), renamed("core")

func renamed(module string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir, err := build("wasm_" + module)
		if err != nil {
			return "", err
		}
		return dir, os.Rename(filepath.Join(dir, "elicit-"+module+".wasm"), filepath.Join(dir, "elicit.wasm"))
	})
}

// made lists the directories that build has made.
var made struct {
	sync.Mutex
	dirs []string
}

func build(verb string) (string, error) {
	dir, err := os.MkdirTemp("", "elicitwasm")
	if err != nil {
		return "", err
	}
	made.Lock()
	made.dirs = append(made.dirs, dir)
	made.Unlock()
	cmd := exec.Command("../build.sh", verb, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return dir, nil
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range made.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// path returns the path of the module.
func path(t testing.TB, made func() (string, error)) string {
	t.Helper()
	dir, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "elicit.wasm")
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// machineCode holds the modules that were compiled, for runtimes of their own.
var machineCode = wazero.NewCompilationCache()

func compiler() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfigCompiler().WithCompilationCache(machineCode)
}

// host is a runtime with WASI, and a module that is ready in it.
type host struct {
	wazero.Runtime
	module wazero.CompiledModule
}

// ready makes a host once for all tests, so that each test only pays for its instance. made builds the module.
func ready(config wazero.RuntimeConfig, made func() (string, error)) func() (host, error) {
	return sync.OnceValues(func() (host, error) {
		dir, err := made()
		if err != nil {
			return host{}, err
		}
		binary, err := os.ReadFile(filepath.Join(dir, "elicit.wasm"))
		if err != nil {
			return host{}, err
		}
		r := wazero.NewRuntimeWithConfig(background, config)
		wasi_snapshot_preview1.MustInstantiate(background, r)
		module, err := r.CompileModule(background, binary)
		return host{r, module}, err
	})
}

var (
	whole       = ready(compiler(), built)
	interpreted = ready(wazero.NewRuntimeConfigInterpreter(), built)
	browser     = ready(compiler(), forBrowsers)
	core        = ready(compiler(), forForms)
)

// instance is one instance of the module under wazero.
type instance struct {
	testing.TB
	api.Module
	input, perform api.Function
}

// newInstance starts an instance of the host's module, which ends with the test.
func newInstance(t testing.TB, made func() (host, error)) *instance {
	t.Helper()
	return start(t, made, "_initialize")
}

// start starts an instance. Only the named start functions run.
func start(t testing.TB, made func() (host, error), functions ...string) *instance {
	t.Helper()
	h, err := made()
	if err != nil {
		t.Fatal(err)
	}
	module, err := h.InstantiateModule(background, h.module,
		wazero.NewModuleConfig().WithName("").WithStartFunctions(functions...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { module.Close(background) })
	return &instance{t, module, module.ExportedFunction("elicit_input"), module.ExportedFunction("elicit_call")}
}

// try performs one operation. An error means a trap, after which the instance cannot be used.
func (d *instance) try(op abi.Op, handle uint64, at int64, input []byte) (status abi.Status, opened uint64, out []byte,
	err error) {
	place, err := d.input.Call(background, uint64(len(input)))
	if err != nil {
		return 0, 0, nil, err
	}
	if place[0] == 0 || !d.Memory().Write(uint32(place[0]), input) {
		return 0, 0, nil, errors.New("no place for the input")
	}
	return d.answer(d.perform.Call(background, uint64(op), handle, uint64(at), uint64(len(input))))
}

func (d *instance) answer(packed []uint64, err error) (status abi.Status, opened uint64, out []byte, _ error) {
	if err != nil {
		return 0, 0, nil, err
	}
	out, ok := d.Memory().Read(uint32(packed[0]>>32), uint32(packed[0]))
	if !ok || len(out) < 16 {
		return 0, 0, nil, fmt.Errorf("output %#x is outside the memory", packed[0])
	}
	if zero := binary.LittleEndian.Uint32(out[4:]); zero != 0 {
		return 0, 0, nil, fmt.Errorf("bytes 4 to 7 are %#x", zero)
	}
	return abi.Status(binary.LittleEndian.Uint32(out)), binary.LittleEndian.Uint64(out[8:]), out[16:], nil
}

// call performs one operation and expects its status.
func (d *instance) call(op abi.Op, handle uint64, at int64, input string, want abi.Status) (opened uint64, out string) {
	d.Helper()
	status, opened, bytes, err := d.try(op, handle, at, []byte(input))
	if err != nil {
		d.Fatalf("op %d: %v", op, err)
	}
	if status != want {
		d.Fatalf("op %d: status %d, want %d: %s", op, status, want, bytes)
	}
	return opened, string(bytes)
}

func (d *instance) open(config string) (engine uint64) {
	d.Helper()
	engine, out := d.call(abi.OpOpen, 0, 0, config, abi.OK)
	if engine == 0 || !strings.HasPrefix(out, `{"effects":[`) {
		d.Fatalf("open: handle %d: %s", engine, out)
	}
	return engine
}

func (d *instance) step(engine uint64, at int64, input string, want abi.Status) string {
	d.Helper()
	_, out := d.call(abi.OpStep, engine, at, input, want)
	return out
}

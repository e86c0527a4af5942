package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// component returns a directory with the component, made once for all tests. Its tests run at night, because TinyGo
// compiles the engine again for it, which takes minutes. By day, TestGlueFitsTheWIT compares its exports.
var component = sync.OnceValues(func() (string, error) { return build("component") })

// componentMost is the most bytes of the component. The budget is in docs/reference/performance.md.
const componentMost = 5_200_000

// interfaceName is the interface of elicit.wit, before the name of each export.
const interfaceName = "elicit:engine/abi@1.0.0#"

// engineModule is the module in the component that has the engine, in a host whose resources are their numbers.
var engineModule = sync.OnceValues(func() (host, error) {
	dir, err := component()
	if err != nil {
		return host{}, err
	}
	binary, err := os.ReadFile(filepath.Join(dir, "elicit.component.wasm"))
	if err != nil {
		return host{}, err
	}
	r := wazero.NewRuntimeWithConfig(background, compiler())
	wasi_snapshot_preview1.MustInstantiate(background, r)
	resources := r.NewHostModuleBuilder("[export]" + strings.TrimSuffix(interfaceName, "#"))
	for _, name := range []string{"engine", "form", "connection"} {
		resources.NewFunctionBuilder().WithFunc(func(n uint32) uint32 { return n }).Export("[resource-new]" + name)
	}
	if _, err := resources.Instantiate(background); err != nil {
		return host{}, err
	}
	module, err := r.CompileModule(background, largestModule(binary))
	return host{r, module}, err
})

// largestModule returns the largest of the modules in a component.
func largestModule(component []byte) (largest []byte) {
	const header, coreModule = 8, 1
	for rest := component[header:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		content := rest[1+n:][:size]
		if rest[0] == coreModule && len(content) > len(largest) {
			largest = content
		}
		rest = rest[1+n+int(size):]
	}
	return bytes.Clone(largest)
}

// lower writes texts as a host of components does, and returns their places and lengths, or where it trapped.
func (d *instance) lower(texts ...string) (args []uint64, err error) {
	for _, text := range texts {
		place, err := d.ExportedFunction("cabi_realloc").Call(background, 0, 0, 1, uint64(len(text)))
		if err != nil {
			return nil, err
		}
		if !d.Memory().WriteString(uint32(place[0]), text) {
			d.Fatalf("%d bytes at %#x are outside the memory", len(text), place[0])
		}
		args = append(args, place[0], uint64(len(text)))
	}
	return args, nil
}

// words reads n words of a result.
func (d *instance) words(at uint64, n int) []uint32 {
	d.Helper()
	list := make([]uint32, n)
	for i := range list {
		var ok bool
		if list[i], ok = d.Memory().ReadUint32Le(uint32(at) + uint32(4*i)); !ok {
			d.Fatalf("a result at %#x", at)
		}
	}
	return list
}

// eval evaluates in the component's module.
func (d *instance) eval(operation, input string) string {
	d.Helper()
	args, err := d.lower(operation, input)
	if err != nil {
		d.Fatal(err)
	}
	got, err := d.ExportedFunction(interfaceName+"eval").Call(background, args...)
	if err != nil {
		d.Fatal(err)
	}
	text := d.words(got[0], 2)
	out, _ := d.Memory().Read(text[0], text[1])
	return string(out)
}

// TestComponentSize holds the component to its size.
func TestComponentSize(t *testing.T) {
	vectors.Night(t)
	dir, err := component()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(filepath.Join(dir, "elicit.component.wasm"))
	if err != nil || file.Size() > componentMost {
		t.Errorf("%d bytes, at most %d (%v)", file.Size(), componentMost, err)
	}
}

// TestComponentFirstCall writes arguments into a fresh instance, before anything else ran there, and then as hosts do
// whose strings are not UTF-8.
func TestComponentFirstCall(t *testing.T) {
	vectors.Night(t)
	t.Parallel()
	d := newInstance(t, engineModule)
	const command = `{"command":"rm -rf /tmp/x"}`
	want := string(abi.Eval("impacts", []byte(command), nil))
	if got := d.eval("impacts", command); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	args, err := d.lower("impacts", command[:10])
	if err != nil {
		t.Fatal(err)
	}
	grown, err := d.ExportedFunction("cabi_realloc").Call(background, args[2], 10, 1, uint64(len(command)))
	if err != nil || !d.Memory().WriteString(uint32(grown[0])+10, command[10:]) {
		t.Fatalf("a string that grows: %v %v", grown, err)
	}
	got, err := d.ExportedFunction(interfaceName+"eval").Call(background, args[0], args[1], grown[0], uint64(len(command)))
	if err != nil {
		t.Fatal(err)
	}
	text := d.words(got[0], 2)
	if out, _ := d.Memory().Read(text[0], text[1]); string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

// TestComponentOutOfOrder calls the module as no host of components may. Each call traps or gets an answer.
func TestComponentOutOfOrder(t *testing.T) {
	vectors.Night(t)
	t.Parallel()
	traps := func(d *instance, name string, args ...uint64) {
		if got, err := d.ExportedFunction(name).Call(background, args...); err == nil {
			t.Errorf("%s%v answered %#x", name, args, got)
		}
	}
	for name, args := range map[string][]uint64{"cabi_realloc": {0, 0, 1, 8}, interfaceName + "describe": {},
		interfaceName + "eval": {0, 0, 0, 0}, interfaceName + "[dtor]engine": {0}} {
		traps(start(t, engineModule), name, args...)
	}
	for name, args := range map[string][]uint64{
		"no memory":        {0, 0, 1, math.MaxUint32},
		"negative":         {0, 0, 1, math.MaxInt32 + 1},
		"alignment":        {0, 0, 64, 8},
		"old past the end": {math.MaxUint32 - 9, 10, 1, 20},
		"no old":           {0, 10, 1, 20},
	} {
		t.Run(name, func(t *testing.T) { traps(newInstance(t, engineModule), "cabi_realloc", args...) })
	}
	adapter := start(t, engineModule)
	var places []uint64
	for range 2 {
		place, err := adapter.ExportedFunction("cabi_realloc_adapter").Call(background, 0, 0, 8, 64<<10)
		if err != nil || place[0]%(64<<10) != 0 {
			t.Fatalf("%#x, %v", place, err)
		}
		places = append(places, place[0])
		zeros, _ := adapter.Memory().Read(uint32(place[0]), 64<<10)
		if !bytes.Equal(zeros, make([]byte, 64<<10)) {
			t.Errorf("the page at %#x is in use", place[0])
		}
		adapter.Memory().Write(uint32(place[0]), bytes.Repeat([]byte{0xff}, 64<<10))
	}
	if places[0] == places[1] {
		t.Errorf("one page twice: %#x", places)
	}
	if _, err := adapter.ExportedFunction("_initialize").Call(background); err != nil {
		t.Fatal(err)
	}
	if got := adapter.eval("nothing", "{}"); !strings.Contains(got, `"unknown_op"`) {
		t.Errorf("got %s", got)
	}
	traps(adapter, "cabi_realloc_adapter", 0, 0, 8, 64<<10)
	traps(adapter, "cabi_realloc_adapter", 0, 0, 8, 64<<10+1)
}

// TestComponentMemory gives one instance large texts, unknown resources, and texts that no call takes. Their memory
// serves again.
func TestComponentMemory(t *testing.T) {
	vectors.Night(t)
	t.Parallel()
	d := newInstance(t, engineModule)
	large := `{"schema":"` + strings.Repeat("x", 4<<20) + `"}`
	for i := range 60 {
		if got := d.eval("compile", large); !strings.HasPrefix(got, `{`) {
			t.Fatalf("%d: %.200s", i, got)
		}
		args, err := d.lower("{}")
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.ExportedFunction(interfaceName+"[method]form.check").Call(background, uint64(i), args[0], args[1])
		if err != nil || d.words(got[0], 1)[0] != 1 {
			t.Fatalf("form %d: %v %v", i, got, err)
		}
	}
	if size := d.Memory().Size(); size > 128<<20 {
		t.Errorf("memory grew to %d bytes", size)
	}
}

package main

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/relay"
)

// TestHostileCaller makes every mistake that is possible with numbers. Each gets an answer, and another engine in the
// module still works.
func TestHostileCaller(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	engine := d.open(`{}`)
	form, _ := d.call(abi.OpForm, 0, 0, `{"schema":{"type":"object","properties":{}}}`, abi.OK)
	if _, got := d.call(abi.OpCheck, form, 0, strings.Repeat("{", abi.MaxInput), abi.OK); !strings.Contains(got,
		`"json_size"`) {
		t.Errorf("8 MiB of content: %.200s", got)
	}
	closed, relayed := d.open(`{}`), d.open(relaying)
	d.call(abi.OpClose, closed, 0, "", abi.OK)
	for name, test := range map[string]struct {
		op     abi.Op
		handle uint64
		input  string
		want   abi.Status
	}{
		"unknown op":            {10, 0, `{}`, abi.Invalid},
		"op past the last":      {16 + abi.Op(len(abi.Ops())), 0, `{}`, abi.Invalid},
		"largest op":            {math.MaxUint32, 0, `{}`, abi.Invalid},
		"handle zero":           {abi.OpStep, 0, ticking, abi.UnknownHandle},
		"closed handle":         {abi.OpStep, closed, ticking, abi.UnknownHandle},
		"close again":           {abi.OpClose, closed, "", abi.UnknownHandle},
		"foreign handle":        {abi.OpStep, 77, ticking, abi.UnknownHandle},
		"largest handle":        {abi.OpStep, math.MaxUint64, ticking, abi.UnknownHandle},
		"another generation":    {abi.OpStep, engine + 1<<32, ticking, abi.UnknownHandle},
		"form as engine":        {abi.OpStep, form, ticking, abi.UnknownHandle},
		"engine as connection":  {abi.OpClient, engine, `{}`, abi.UnknownHandle},
		"form as connection":    {abi.OpServer, form, `{}`, abi.UnknownHandle},
		"closed as connection":  {abi.OpServer, closed, `{}`, abi.UnknownHandle},
		"message to nobody":     {abi.OpClient, 0, `{}`, abi.UnknownHandle},
		"connection as form":    {abi.OpCheck, relayed, `{}`, abi.UnknownHandle},
		"save of a connection":  {abi.OpStep, relayed, `{"save":"s"}`, abi.Invalid},
		"no connection":         {abi.OpOpen, 0, `{"relay":{}}`, abi.Invalid},
		"engine as form":        {abi.OpCheck, engine, `{}`, abi.UnknownHandle},
		"nothing to step":       {abi.OpStep, engine, "", abi.Invalid},
		"no text":               {abi.OpStep, engine, "\xff\x00", abi.Invalid},
		"deep":                  {abi.OpStep, engine, strings.Repeat("[", 1<<20), abi.Invalid},
		"8 MiB of nothing":      {abi.OpStep, engine, strings.Repeat(" ", abi.MaxInput), abi.Invalid},
		"8 MiB configuration":   {abi.OpOpen, 0, strings.Repeat(" ", abi.MaxInput), abi.Invalid},
		"configuration garbage": {abi.OpOpen, 0, `{"policy":`, abi.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			status, opened, out, err := d.try(test.op, test.handle, 0, []byte(test.input))
			if err != nil || status != test.want || opened != 0 || !strings.HasPrefix(string(out), `{"problems":[{"code":"`) {
				t.Errorf("status %d, want %d; handle %d, %v: %.200s", status, test.want, opened, err, out)
			}
			d.step(engine, 5000, ticking, abi.OK)
		})
	}
}

// TestDeepCommand gives commands up to the deepest that the engine reads, and a deeper one. The stack of the module has
// room for them.
func TestDeepCommand(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	for _, deep := range []int{30, 70, 149} {
		input := `{"command":"` + strings.Repeat("$(echo ", deep) + "x" + strings.Repeat(")", deep) + `"}`
		want := string(abi.Eval("impacts", []byte(input), nil))
		if _, got := d.call(abi.EvalOp("impacts"), 0, 0, input, abi.OK); got != want {
			t.Errorf("%d deep: got %.200s, want %.200s", deep, got, want)
		}
	}
}

// TestSizesOfInput asks for an input buffer of size 0 and for one that is too large, and gives a length over its size.
func TestSizesOfInput(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	const most = relay.DefaultMaxMessage
	for n, want := range map[uint64]bool{0: true, 1: true, abi.MaxInput + 1: true, most: true, most + 1: false,
		math.MaxInt32: false, math.MaxUint32: false} {
		if place, err := d.input.Call(background, n); err != nil || (place[0] != 0) != want {
			t.Errorf("a place for %d bytes: %v %v", n, place, err)
		}
	}
	engine := d.open(`{}`)
	for _, n := range []uint64{5000, abi.MaxInput, abi.MaxInput + 1, math.MaxInt32, math.MaxUint32} {
		want := abi.Invalid
		if n > abi.MaxInput { // the buffer keeps the longest size, so it has as many
			want = abi.TooLarge
		}
		status, _, out, err := d.answer(d.perform.Call(background, uint64(abi.OpStep), engine, 0, n))
		if err != nil || status != want {
			t.Errorf("%d bytes that were not written: status %d, %v: %.200s", n, status, err, out)
		}
	}
	status, _, out, err := d.answer(d.perform.Call(background, uint64(abi.OpStep), engine, math.MaxUint64, 0))
	if err != nil || status != abi.Invalid {
		t.Errorf("a negative time: status %d, %v: %s", status, err, out)
	}
	d.step(engine, math.MinInt64, ticking, abi.OK)
	d.step(engine, math.MaxInt64, ticking, abi.OK)
}

// TestReentry calls the module from inside its own import. Such a call gets 0 and changes nothing.
func TestReentry(t *testing.T) {
	t.Parallel()
	r := wazero.NewRuntimeWithConfig(background, compiler())
	defer r.Close(background)
	var d *instance
	inside := 0
	wasi := r.NewHostModuleBuilder("wasi_snapshot_preview1")
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(wasi)
	wasi.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
		if d != nil {
			inside++
			if place, err := m.ExportedFunction("elicit_input").Call(background, 4); err != nil || place[0] != 0 {
				t.Errorf("elicit_input inside a call: %v %v", place, err)
			}
			if out, err := m.ExportedFunction("elicit_call").Call(background, uint64(abi.OpDescribe), 0, 0, 0); err != nil ||
				out[0] != 0 {
				t.Errorf("elicit_call inside a call: %v %v", out, err)
			}
		}
		stack[0] = 0
	}), []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, []api.ValueType{api.ValueTypeI32}).Export("random_get")
	if _, err := wasi.Instantiate(background); err != nil {
		t.Fatal(err)
	}
	module, err := r.CompileModule(background, read(t, path(t, built)))
	if err != nil {
		t.Fatal(err)
	}
	d = newInstance(t, func() (host, error) { return host{r, module}, nil })
	engine := d.open(`{}`)
	if got := d.step(engine, 7000, ticking, abi.OK); !strings.Contains(got, `"at":7000,"random":"0000`) {
		t.Errorf("got %s", got)
	}
	if inside != 2 { // open and step ask for random bytes
		t.Errorf("the module asked for random %d times", inside)
	}
}

// TestLargeNumbers gives a guest numbers of 32 bits that an int of the module would take for negative ones.
func TestLargeNumbers(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	head, large := "\x00asm\x01\x00\x00\x00", "\xff\xff\xff\xff\x0f"
	function := "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00"
	for name, module := range map[string]string{
		"types":     "\x01\x06" + large + "\x60",
		"export":    function + "\x07\x09\x01\x01a\x00" + large,
		"start":     function + "\x08\x05" + large,
		"segment":   "\x0c\x05" + large,
		"elements":  function + "\x04\x04\x01\x70\x00\x00\x09\x0b\x01\x00\x41\x00\x0b\x01" + large,
		"call":      function + "\x0a\x0a\x01\x08\x00\x10" + large + "\x0b",
		"local":     function + "\x0a\x0b\x01\x09\x00\x20" + large + "\x1a\x0b",
		"locals":    function + "\x0a\x0a\x01\x08\x01" + large + "\x7f\x0b",
		"global":    function + "\x0a\x0b\x01\x09\x00\x23" + large + "\x1a\x0b",
		"reference": function + "\x0a\x0b\x01\x09\x00\xd2" + large + "\x1a\x0b",
	} {
		if status, _, out, err := d.try(abi.OpGuest, 0, 0, []byte(head+module)); err != nil || status != abi.Invalid {
			t.Fatalf("%s: status %d, %v: %s", name, status, err, out)
		}
	}
}

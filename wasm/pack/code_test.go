package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
)

func num(n int64) instr { return instr{op: opI32Const, a: n} }

func long(n int64) instr { return instr{op: opI64Const, a: n} }

func store(offset int64) instr { return instr{op: opI64Store, a: 3, b: offset} }

// dispatcher returns a function as Go's compiler writes it: it goes on at the place in local 0. At 0 it writes 7 into
// its frame, and jumps on to 2 if the number at the stack pointer is 0. At 1 it counts the number down and adds 5 to
// the 7. At 2 it jumps back to 1 until the number is 0, and returns.
func dispatcher() []instr {
	exit, loop, two, one, none := &label{}, &label{loop: true}, &label{}, &label{}, &label{}
	check, again := &label{}, &label{}
	list := []instr{{op: opGlobalGet}, {op: opLocalSet, a: 1},
		{op: opBlock, a: void, to: exit}, {op: opLoop, a: void, to: loop}, {op: opBlock, a: void, to: two},
		{op: opBlock, a: void, to: one}, {op: opBlock, a: void, to: none},
		{op: opLocalGet}, {op: opBrTable, all: []*label{none, one, two}}, {op: opEnd, to: none},
		getSP, num(32), sub, teeSP, setSP,
		getSP, extend, {op: opI64Const, a: 24}, {op: opI64Add}, wrap, long(7), store(0),
		nop,
		getSP, {op: opI64Load, a: 3, b: 32}, {op: 0x50}, {op: opIf, a: void, to: check},
		num(2), {op: opLocalSet}, {op: opBr, to: loop}, {op: opEnd, to: check},
		{op: opEnd, to: one},
		getSP, getSP, {op: opI64Load, a: 3, b: 32}, long(-1), {op: opI64Add}, store(32),
		getSP, extend, {op: opI64Const, a: 24}, {op: opI64Add}, wrap, getSP, {op: opI64Load, a: 3, b: 24}, long(5),
		{op: opI64Add}, store(0),
		{op: opEnd, to: two},
		getSP, {op: opI64Load, a: 3, b: 32}, {op: 0x50}, not, {op: opIf, a: void, to: again},
		num(1), {op: opLocalSet}, {op: opBr, to: loop}, {op: opEnd, to: again},
		getSP, num(32), add, teeSP, setSP, getSP, eight, add, teeSP, setSP, zero, leave,
		{op: opEnd, to: loop}, {op: opUnreachable}, {op: opEnd, to: exit}, num(1), {op: opEnd, to: &label{}}}
	return list
}

// runs returns what a function that starts with the stack pointer at 1,000 leaves there and in memory, and its size.
func runs(t *testing.T, body []byte, number byte) (sp uint64, memory []byte) {
	t.Helper()
	m := []byte("\x00asm\x01\x00\x00\x00\x01\x06\x01\x60\x01\x7f\x01\x7f\x03\x02\x01\x00\x05\x03\x01\x00\x01" +
		"\x06\x07\x01\x7f\x01\x41\xe8\x07\x0b\x07\x0d\x03\x01f\x00\x00\x01m\x02\x00\x01g\x03\x00")
	code := list{}
	code.add(body)
	m = append(appendNumber(append(m, codeSection), uint64(len(code.section()))), code.section()...)
	data := []byte{1, 0, 0x41, 0xe8, 0x07, 0x0b, 1, number}
	m = append(append(m, dataSection, byte(len(data))), data...)
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	instance, err := r.Instantiate(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := instance.ExportedFunction("f").Call(ctx, 0); err != nil || got[0] != 0 {
		t.Fatal(got, err)
	}
	memory, _ = instance.Memory().Read(0, 2000)
	return instance.ExportedGlobal("g").Get(), bytes.Clone(memory)
}

// TestShortenKeepsTheMeaning runs a function of Go before and after, and tests that the shorter one branches directly.
func TestShortenKeepsTheMeaning(t *testing.T) {
	locals := []byte{1, 1, 0x7f}
	before := appendInstructions(bytes.Clone(locals), dispatcher())
	after := new(functions).rewrite(before)
	if again := appendInstructions(bytes.Clone(locals), (&reader{rest: before[3:]}).instructions()); !bytes.Equal(again,
		before) {
		t.Fatalf("read and written\n got % x\nwant % x", again, before)
	}
	if len(before)-len(after) < 25 {
		t.Errorf("%d bytes instead of %d", len(after), len(before))
	}
	jumps := func(body []byte) (n int) {
		for _, i := range (&reader{rest: body[3:]}).instructions() {
			if i.op == opLocalSet && i.a == 0 {
				n++
			}
		}
		return n
	}
	if jumps(before) != 2 || jumps(after) != 1 {
		t.Errorf("%d jumps become %d, want 2 and 1", jumps(before), jumps(after))
	}
	for number := range byte(4) {
		sp, memory := runs(t, before, number)
		spAfter, memoryAfter := runs(t, after, number)
		if sp != 1008 || memory[992] != 7+5*number {
			t.Errorf("%d: the stack pointer is %d, and %d is stored", number, sp, memory[992])
		}
		if sp != spAfter || !bytes.Equal(memory, memoryAfter) {
			t.Errorf("%d: the shorter function leaves %d and other memory", number, spAfter)
		}
	}
}

// TestCallsThatNeverReturn replaces such a call by one of a function with the place as its argument.
func TestCallsThatNeverReturn(t *testing.T) {
	exit := &label{}
	call := append(append([]instr{}, push...), pop...)
	call[pushPlace], call[pushCallee].a, call[len(push)+2].to = long(0x10070003), 9, exit
	body := append(append([]instr{{op: opBlock, a: void, to: exit}}, call...), instr{op: opEnd, to: exit}, num(1),
		instr{op: opEnd, to: &label{}})
	f := functions{callers: map[int64]int64{9: 77}}
	got := f.shorten(body)
	if !matches(got, body[0], long(0x10070003), instr{op: opCall, a: 77}, leave, instr{op: opEnd}) {
		t.Errorf("%+v", got)
	}
	call[pushCallee].a = 10 // returns
	body = append(append([]instr{{op: opBlock, a: void, to: exit}}, call...), instr{op: opEnd, to: exit}, num(1),
		instr{op: opEnd, to: &label{}})
	if got := f.shorten(body)[1+len(push):]; !matches(got, instr{op: opIf, a: void}, num(1), leave, instr{op: opEnd},
		pop[0], pop[1]) {
		t.Errorf("%+v", got)
	}
}

// TestOffsets moves an offset only into the load or store that uses the address.
func TestOffsets(t *testing.T) {
	copying := instr{op: opPrefix, a: subCopy}
	for name, c := range map[string]struct {
		list  []instr
		moved bool
	}{
		"a load":                       {[]instr{getSP, num(8), add, {op: opI64Load, a: 3, b: 4}}, true},
		"a store":                      {[]instr{getSP, num(8), add, long(1), long(2), {op: opI64Add}, store(4)}, true},
		"an address as value":          {[]instr{getSP, num(8), add, extend, {op: opLocalSet, a: 2}}, false},
		"an address that is stored":    {[]instr{getSP, getSP, num(8), add, {op: opI32Store, a: 2}}, false},
		"an address of a copy":         {[]instr{getSP, num(8), add, getSP, num(9), copying}, false},
		"an address across a call":     {[]instr{getSP, num(8), add, {op: opCall, a: 3}, store(0)}, false},
		"an address across a branch":   {[]instr{getSP, num(8), add, {op: opIf, a: void, to: &label{}}, store(0)}, false},
		"what is subtracted, negative": {[]instr{getSP, num(-8), add, {op: opI64Load, a: 3}}, false},
	} {
		last := len(c.list) - 1
		before := c.list[last].b
		offsets(c.list)
		moved := c.list[last].b == before+8
		if moved != c.moved || moved != (c.list[1].op == opNop) {
			t.Errorf("%s: %+v", name, c.list)
		}
	}
}

// TestInstructionsRefuse gives functions that are not understood.
func TestInstructionsRefuse(t *testing.T) {
	for name, body := range map[string][]byte{
		"no end":           {opNop},
		"a vector":         {0xfd, 0, opEnd},
		"a table":          {opPrefix, 12, 0, 0, opEnd},
		"a branch outside": {opBr, 1, opEnd},
	} {
		err := func() (err error) {
			defer func() { err, _ = recover().(unreadable) }()
			(&reader{rest: body}).instructions()
			return nil
		}()
		if err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

package main

import (
	"bytes"
	"encoding/binary"
)

// The layout of Go's table of functions (runtime.pcHeader and runtime._func), on a machine with pointers of 8 bytes.
const (
	headerNumbers = 8  // where the header's numbers begin, after magic, zeros, quantum and pointer size
	funcTables    = 28 // the number of a function's tables other than those of stack heights, files and lines
	funcData      = 43 // the number of its other data
	funcFixed     = 44 // the size of the fixed members, after which the offsets of the other tables follow
)

var pclnMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// funcTable is where Go's table of functions is in memory, and the offsets of its parts from there.
type funcTable struct{ start, count, names, units, files, tables, functions int }

func tableOf(memory []byte) funcTable {
	start := bytes.Index(memory, pclnMagic)
	if start < 0 || bytes.Contains(memory[start+1:], pclnMagic) {
		panic(unreadable("there is no table of functions, or there are two"))
	}
	table := memory[start:]
	number := func(i int) int { return int(binary.LittleEndian.Uint64(table[headerNumbers+8*i:])) }
	t := funcTable{start, number(0), number(3), number(4), number(5), number(6), number(7)}
	if number(2) != 0 || t.names > t.units || t.units > t.files || t.files > t.tables || t.tables > t.functions ||
		t.functions+8*t.count > len(table) {
		panic(unreadable("the table of functions has another layout"))
	}
	return t
}

// The runtime finds the function of a place in tables that follow from the number of functions, because each function
// has 65,536 places. The module computes them as it starts, before anything else runs. One of them, findfunctab, has
// 320 bytes for each function.
const (
	bucketSize = 20     // of findfunctab: 4 bytes for a function's number, 16 for differences, which are 0
	perFunc    = 16     // buckets
	firstFunc  = 0x1000 // the number of the first function
)

// funcSize is the size of a function's entry with n other tables and data.
func funcSize(n int) int { return (funcFixed + 4*n + 7) &^ 7 }

// compute removes the tables from memory, which begins at start, and returns a function that writes them.
func compute(start int, memory []byte) []byte {
	t := tableOf(memory)
	entry := func(at int) uint32 { return binary.LittleEndian.Uint32(memory[at:]) }
	list := t.start + t.functions
	offset := int(entry(list + 4))
	first := offset
	for k := range t.count {
		at := list + offset
		number := uint32(firstFunc + k)
		if entry(list+8*k) != number || entry(list+8*k+4) != uint32(offset) || entry(at) != number {
			panic(unreadable("the table of functions has another order"))
		}
		clear(memory[list+8*k : list+8*k+8])
		clear(memory[at : at+4])
		offset += funcSize(int(entry(at+funcTables)) + int(memory[at+funcData]))
	}
	var second, buckets []byte
	for range perFunc {
		second = append(append(second, 1), make([]byte, bucketSize-1)...)
	}
	found := bytes.Index(memory, second) - perFunc*bucketSize
	whole := (t.count - 1) * perFunc // the last function has fewer
	for k := range whole {
		buckets = append(binary.LittleEndian.AppendUint32(buckets, uint32(k/perFunc)), make([]byte, bucketSize-4)...)
	}
	if found < 0 || !bytes.HasPrefix(memory[found:], buckets) {
		panic(unreadable("the table of places has another layout"))
	}
	clear(memory[found : found+len(buckets)])

	return writeTables(start+list, first, t.count, start+found, whole)
}

// writeTables returns a function that writes the table of count functions at list, where the entry of the first
// function is at the offset first, and the number of its function into each of whole buckets.
func writeTables(list, first, count, buckets, whole int) []byte {
	const k, at, entry = 0, 1, 2
	num := func(n int) instr { return instr{op: opI32Const, a: int64(n)} }
	get := func(n int64) instr { return instr{op: opLocalGet, a: n} }
	set := func(n int64) instr { return instr{op: opLocalSet, a: n} }
	tee := func(n int64) instr { return instr{op: opLocalTee, a: n} }
	store := func(offset int) instr { return instr{op: opI32Store, a: 2, b: int64(offset)} }
	mul, and, shift, less := instr{op: opI32Mul}, instr{op: opI32And}, instr{op: opI32ShrU}, instr{op: opI32LtU}
	functions, places := &label{loop: true}, &label{loop: true}
	return appendInstructions([]byte{1, 3, 0x7f}, []instr{
		num(first), set(entry),
		{op: opLoop, a: void, to: functions},
		get(k), num(8), mul, num(list), add, tee(at), get(k), num(firstFunc), add, store(0),
		get(at), get(entry), store(4),
		get(entry), num(list), add, tee(at), get(k), num(firstFunc), add, store(0),
		// The next entry is as far as funcSize tells.
		get(entry), get(at), {op: opI32Load, a: 2, b: funcTables}, get(at), {op: opI32Load8U, b: funcData}, add,
		num(4), mul, add, num(funcFixed + 7), add, num(-8), and, set(entry),
		get(k), num(1), add, tee(k), num(count), less, {op: opBrIf, to: functions},
		{op: opEnd, to: functions},
		num(0), set(k),
		{op: opLoop, a: void, to: places},
		get(k), num(bucketSize), mul, get(k), num(4), shift, store(buckets),
		get(k), num(1), add, tee(k), num(whole), less, {op: opBrIf, to: places},
		{op: opEnd, to: places},
		{op: opEnd, to: &label{}}})
}

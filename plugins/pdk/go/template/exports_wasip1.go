package main

import "unsafe"

//go:wasmimport elicit_guardian_v1 log
func hostLog(level int32, at unsafe.Pointer, length int32)

// log writes a line to the host's log, which never changes a verdict: 0 debug, 1 info, 2 warn, 3 error.
func log(level int32, line string) {
	hostLog(level, unsafe.Pointer(unsafe.StringData(line)), int32(len(line)))
}

//go:wasmimport elicit_guardian_v1 data_size
func hostDataSize() int32

//go:wasmimport elicit_guardian_v1 data_read
func hostDataRead(offset int32, to unsafe.Pointer, length int32) int32

// dataSize is the number of bytes of the data document that the operator permits, such as a sorted list of hosts: up
// to 4 MiB, the same bytes at every question. A guardian that reads it says in its manifest what it holds, as "data".
func dataSize() int { return int(max(hostDataSize(), 0)) }

// dataRead fills into with the bytes from an offset on, and returns how many there were: fewer at the end of the
// document. It costs 257 fuel, and one for each 8 bytes of into.
func dataRead(offset int, into []byte) int {
	return int(max(hostDataRead(int32(offset), unsafe.Pointer(unsafe.SliceData(into)), int32(len(into))), 0))
}

// kept is what the host was given, so that the collector leaves it: an instance lives for one call.
var kept [][]byte

func give(b []byte) int64 {
	if b == nil {
		return 0
	}
	kept = append(kept, b)
	return int64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))<<32 | int64(len(b))
}

//go:wasmexport elicit_alloc
func alloc(length int32) int32 {
	if length < 0 {
		return 0
	}
	return int32(give(make([]byte, length, length+1)) >> 32)
}

//go:wasmexport elicit_evaluate
func exportEvaluate(at *byte, length int32) int64 {
	return give(judge(Value(unsafe.String(at, length))))
}

//go:wasmexport elicit_check_settings
func exportCheckSettings(at *byte, length int32) int64 {
	return give(fit(Value(unsafe.String(at, length))))
}

package main

import "unsafe"

//go:wasmimport elicit_guardian_v1 log
func hostLog(level int32, at unsafe.Pointer, length int32)

// log writes a line to the host's log, which never changes a verdict: 0 debug, 1 info, 2 warn, 3 error.
func log(level int32, line string) {
	hostLog(level, unsafe.Pointer(unsafe.StringData(line)), int32(len(line)))
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

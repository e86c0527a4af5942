package drive

import (
	"syscall"
	"time"
	"unsafe"
)

var interruptTime = syscall.NewLazyDLL("api-ms-win-core-realtime-l1-1-1.dll").NewProc("QueryInterruptTimePrecise")

// sinceBoot is a clock that never goes back and counts suspended time. QueryUnbiasedInterruptTime does not count it.
// Nobody has tried it on a machine that was suspended.
func sinceBoot() time.Duration {
	if interruptTime.Find() != nil { // before Windows 10
		return time.Since(began)
	}
	var ticks uint64 // of 100 ns
	_, _, _ = interruptTime.Call(uintptr(unsafe.Pointer(&ticks)))
	return time.Duration(ticks) * 100
}

package drive

import (
	"syscall"
	"time"
	"unsafe"
)

// bootTime is CLOCK_BOOTTIME, which counts suspended time (clock_gettime(2)).
const bootTime = 7

// sinceBoot is a clock that never goes back and counts suspended time.
func sinceBoot() time.Duration {
	var at syscall.Timespec
	_, _, no := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, bootTime, uintptr(unsafe.Pointer(&at)), 0)
	if no != 0 {
		return time.Since(began) // a kernel before 2.6.39
	}
	return time.Duration(at.Nano())
}

package main_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// restWatch finds out whether a process and every process that it started are at rest: all of them wait for others.
// Then none of them can continue by itself. So a test that waits for an output need not guess how long that may take.
type restWatch struct {
	pid, asleep int // the number of looks in a row at which all threads slept
}

// lookEvery is the time between two looks, and restingLooks the number of them at rest. There are many looks, because a
// process that works can sleep at the time of one look. Together they are longer than any pause of a test's server.
const (
	lookEvery    = 5 * time.Millisecond
	restingLooks = 40
)

// look looks once and reports whether the processes are at rest. It is false on a system that does not report states.
func (w *restWatch) look() bool {
	if w.asleep++; !reportsStates() || !asleep(w.pid) {
		w.asleep = 0
	}
	return w.asleep >= restingLooks
}

// awaitAsleep waits until a process and all that it started are at rest. It returns at once on a system that does not
// report states.
func awaitAsleep(t *testing.T, pid int) {
	t.Helper()
	w := restWatch{pid: pid}
	deadline := time.Now().Add(patience)
	for reportsStates() && !w.look() {
		if time.Now().After(deadline) {
			t.Fatal("the processes do not come to rest")
		}
		time.Sleep(lookEvery)
	}
}

func reportsStates() bool {
	_, err := os.Stat("/proc/self/task")
	return err == nil
}

// asleep reports whether every thread of a process, and of all processes that it started, sleeps.
func asleep(pid int) bool {
	tasks := fmt.Sprintf("/proc/%d/task/", pid)
	threads, _ := os.ReadDir(tasks)
	for _, thread := range threads {
		stat, _ := os.ReadFile(tasks + thread.Name() + "/stat")
		if _, rest, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(rest, "S") {
			return false
		}
		children, _ := os.ReadFile(tasks + thread.Name() + "/children")
		for _, child := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(child); err != nil || !asleep(pid) {
				return false
			}
		}
	}
	return true
}

package processgroup

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Start starts a program that Own was called for, and has the kernel kill it if this process dies in any way. Call gone
// once the program has ended. The processes that the program started are not killed then: their input ends.
//
// The kernel watches the thread that started the program (prctl(2), PR_SET_PDEATHSIG). So a goroutine keeps that thread
// until then.
func Start(cmd *exec.Cmd) (gone func(), err error) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		err := cmd.Start()
		if started <- err; err == nil {
			<-ended
		}
	}()
	return func() { close(ended) }, <-started
}

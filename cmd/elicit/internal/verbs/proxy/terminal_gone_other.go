//go:build !unix

package proxy

// terminalGone is never asked: this system has no SIGHUP.
func terminalGone() func() bool { return func() bool { return true } }

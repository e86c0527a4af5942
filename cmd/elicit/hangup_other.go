//go:build !unix

package main

// hangsUp is never asked: this system has no SIGHUP.
func hangsUp() func() bool { return func() bool { return true } }

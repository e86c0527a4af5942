//go:build !unix

package browser

func refusedConnection(error) bool { return false }

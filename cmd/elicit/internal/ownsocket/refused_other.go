//go:build !unix

package ownsocket

func refusedConnection(error) bool { return false }

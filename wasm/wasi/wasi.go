//go:build wasip1

// Package wasi gives the modules random bytes, and what the compiler's runtime takes from a C library, which the
// modules do without.
package wasi

import "unsafe"

//go:wasmimport wasi_snapshot_preview1 random_get
//go:noescape
func randomGet(buffer unsafe.Pointer, size uint32) uint32

// Random fills out with random bytes, and tells whether it could.
func Random(out *[32]byte) bool { return randomGet(unsafe.Pointer(out), 32) == 0 }

// arc4random is the seed of maps.
//
//go:linkname arc4random arc4random
func arc4random() (n uint32) {
	randomGet(unsafe.Pointer(&n), 4)
	return n
}

// strlen is the length of an argument, which a reactor never has.
//
//go:linkname strlen strlen
func strlen(text unsafe.Pointer) (n uintptr) {
	for *(*byte)(unsafe.Add(text, n)) != 0 {
		n++
	}
	return n
}

//go:build !wasip1

package digest

import "crypto/sha256"

// New starts a digest. In native builds it is the standard library's, which uses the processor's SHA instructions.
func New() Hash { return sha256.New() }

// Sum256 returns the SHA-256 of p.
func Sum256(p []byte) [Size]byte { return sha256.Sum256(p) }

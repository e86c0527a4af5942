// Package notetest collects what programs and goroutines write at the same time.
package notetest

import (
	"strings"
	"sync"
)

// Notes are what was written so far. Several goroutines may write and read them.
type Notes struct {
	mu   sync.Mutex
	text strings.Builder // not embedded: io.Copy would go past Write
}

// Write adds a text.
func (n *Notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

// String returns all texts.
func (n *Notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

package host

import (
	"sync"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// maxHeld bounds the data documents of one Guests together: 16 of the largest, as many as an engine has guardians.
const maxHeld = guardian.MaxPermits * guardian.MaxData

// documents are the data documents that permits name, by digest. Evaluations share them, and nobody writes to one.
type documents struct {
	mu   sync.RWMutex
	held map[string][]byte // by digest; nil while there is none
	size int               // bytes of all
}

// Keep copies a data document and holds it until Close or Drop. It gives the digest by which a permit names the
// document. A document that is held already costs a digest and no memory.
func (s *Guests) Keep(document []byte) (digest string, problems []elicit.Problem) {
	if len(document) > guardian.MaxData {
		return "", []elicit.Problem{guardian.DataTooLarge(len(document))}
	}
	d := &s.documents
	digest = guardian.Digest(document)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held[digest] != nil {
		return digest, nil
	}
	if d.size+len(document) > maxHeld {
		return "", []elicit.Problem{{Code: "too_much_data", Args: []elicit.Arg{elicit.Num("limit", maxHeld)}}}
	}
	if d.held == nil {
		d.held = map[string][]byte{}
	}
	d.size += len(document)
	d.held[digest] = append(make([]byte, 0, len(document)), document...) // an empty one is not nil
	return digest, nil
}

// Drop gives a data document up, for hosts whose documents change while they run. An evaluation under way keeps it to
// its end. A permit that still names the document has nothing to read from then on: its guardian fails.
func (s *Guests) Drop(digest string) {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	d.size -= len(d.held[digest])
	delete(d.held, digest)
}

// Holds reports whether a data document of that digest is held.
func (s *Guests) Holds(digest string) bool { return s.documents.get(digest) != nil }

// get returns a document, nil when it is not held.
func (d *documents) get(digest string) []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.held[digest]
}

func (d *documents) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held, d.size = nil, 0
}

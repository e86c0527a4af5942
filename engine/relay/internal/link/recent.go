package link

import "slices"

// Recent remembers its latest keys, at most MaxRecent. So a peer that makes new keys without end costs no more memory.
// The zero value remembers none.
//
// It forgets the oldest first. A peer can push a key out with newer ones. Has then answers as for a key that was never
// added.
type Recent struct {
	order []string
	known map[string]bool
}

// MaxRecent is the most keys that are remembered.
const MaxRecent = 1024

// Len returns how many keys are remembered.
func (r *Recent) Len() int { return len(r.order) }

// Has reports whether a key is remembered.
func (r *Recent) Has(key string) bool { return r.known[key] }

// Add remembers a key.
func (r *Recent) Add(key string) {
	if r.known[key] {
		return
	}
	if r.known == nil {
		r.known = map[string]bool{}
	}
	r.known[key] = true
	r.order = append(r.order, key)
	if len(r.order) > MaxRecent {
		delete(r.known, r.order[0])
		r.order = r.order[1:]
	}
}

// Drop forgets a key. The search costs at most MaxRecent comparisons.
func (r *Recent) Drop(key string) {
	if !r.known[key] {
		return
	}
	delete(r.known, key)
	i := slices.Index(r.order, key)
	r.order = slices.Delete(r.order, i, i+1)
}

package relay

import "slices"

// recent remembers its latest keys, at most maxRecent. So a peer that makes new keys without end costs no more memory.
type recent struct {
	order []string
	known map[string]bool
}

const maxRecent = 1024

func newRecent() *recent { return &recent{known: map[string]bool{}} }

func (r *recent) has(key string) bool { return r.known[key] }

func (r *recent) add(key string) {
	if r.known[key] {
		return
	}
	r.known[key] = true
	r.order = append(r.order, key)
	if len(r.order) > maxRecent {
		delete(r.known, r.order[0])
		r.order = r.order[1:]
	}
}

// drop forgets key.
func (r *recent) drop(key string) {
	if !r.known[key] {
		return
	}
	delete(r.known, key)
	i := slices.Index(r.order, key)
	r.order = slices.Delete(r.order, i, i+1)
}

// recents are what is remembered of requests that are over.
type recents struct {
	settled *recent // refs of direct questions that have an answer
	given   *recent // ids of failed and cancelled calls that the server may still answer
	links   *recent // links of pages that the client never saw
	givenUp *recent // ids of requests that the client did not answer in time
}

func newRecents() recents { return recents{newRecent(), newRecent(), newRecent(), newRecent()} }

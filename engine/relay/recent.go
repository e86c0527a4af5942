package relay

// recent remembers the latest keys given to it, at most maxRecent: a peer that mints keys for ever costs no more.
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

// drop forgets key; its place in the order stays until it is the oldest.
func (r *recent) drop(key string) { delete(r.known, key) }

package browser

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// cursor is what one page has been told.
type cursor struct {
	fresh    bool // nothing yet
	id       elicit.ID
	deadline int64
	turn     int
	browsers int
	waiting  []byte
}

// waiter is one question that is not before the person yet.
type waiter struct {
	Server  string `json:"server"`
	Tool    string `json:"tool,omitempty"`
	Message string `json:"message"`
	Since   int64  `json:"since"`
}

// news appends the events a page has not seen as server-sent events, and returns the channel that tells of more. The
// page draws one question, the first that was shown; the others are counted and listed.
func (b *board) news(dst []byte, c *cursor) (out []byte, more <-chan struct{}, done bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.past { // before the question that follows, so that the page knows why the last one went
		if p.turn > c.turn {
			dst = event(dst, "past", asJSON(p))
		}
	}
	c.turn = b.turn
	now, waiting := b.current()
	if list := asJSON(waiting); c.fresh || !bytes.Equal(list, c.waiting) {
		dst, c.waiting = event(dst, "waiting", list), list
	}
	dst = c.question(dst, now)
	if b.inside != c.browsers && (b.inside > 1 || c.browsers > 1) {
		dst = event(dst, "browsers", strconv.AppendInt(nil, int64(b.inside), 10))
	}
	c.browsers = b.inside
	if b.done {
		dst = event(dst, "bye", []byte("{}"))
	}
	c.fresh = false
	return dst, b.changed, b.done
}

// current is the question to draw, nil for none, and those that wait behind it.
func (b *board) current() (now *question, waiting []waiter) {
	waiting = []waiter{}
	for _, q := range b.open {
		if now == nil && q.show != nil {
			now = q
			continue
		}
		waiting = append(waiting, waiter{clip(q.request.Server), clip(q.request.Tool), clip(q.request.Message), q.since.UnixMilli()})
	}
	return now, waiting
}

func (c *cursor) question(dst []byte, q *question) []byte {
	switch {
	case q == nil:
		if c.fresh || c.id != "" {
			dst = event(dst, "question", []byte("null"))
		}
		c.id = ""
	case c.id != q.show.ID:
		text := q.show.AppendJSON([]byte(`{"question":`))
		if q.draft != nil {
			text = append(append(text, `,"draft":`...), q.draft...)
		}
		dst = event(dst, "question", append(text, '}'))
		c.id, c.deadline = q.show.ID, q.show.Deadline
	case c.deadline != q.show.Deadline:
		c.deadline = q.show.Deadline
		dst = event(dst, "deadline", strconv.AppendInt(nil, c.deadline, 10))
	}
	return dst
}

// event appends one server-sent event. A line end would begin another; JSON has them only between its tokens, where a
// space says as much.
func event(dst []byte, name string, text []byte) []byte {
	dst = append(append(append(dst, "event: "...), name...), "\ndata: "...)
	start := len(dst)
	dst = append(dst, text...)
	for i := start; i < len(dst); i++ {
		if dst[i] == '\n' || dst[i] == '\r' {
			dst[i] = ' '
		}
	}
	return append(dst, "\n\n"...)
}

// heartbeat is how often a stream without news shows that it lives, which is also how a page that left is noticed.
const heartbeat = 20 * time.Second

// breath is how long news gather: what is asked and shown in the same moment is one thing to a person.
const breath = 10 * time.Millisecond

// stream tells one page what is on the board for as long as it listens. A page that does not read is cut off; it holds
// no more than one batch.
func (d *door) stream(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, http.StatusMethodNotAllowed)
		return
	}
	if !d.passes.holds(r) {
		refuse(w, http.StatusUnauthorized)
		return
	}
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	default:
		refuse(w, http.StatusTooManyRequests)
		return
	}
	d.watch(+1)
	defer d.watch(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	if out.SetReadDeadline(time.Time{}) != nil { // the request is read; the stream may last
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	batch, c := []byte("retry: 1000\n\n"), cursor{fresh: true}
	var more <-chan struct{}
	var done bool
	for {
		batch, more, done = d.board.news(batch, &c)
		if !d.passes.holds(r) { // withdrawn; the browser comes back, is refused and tells the person
			return
		}
		if len(batch) > 0 {
			if out.SetWriteDeadline(time.Now().Add(d.wait)) != nil {
				return
			}
			if _, err := w.Write(batch); err != nil || out.Flush() != nil || done {
				return
			}
		}
		batch = batch[:0]
		select {
		case <-more:
			time.Sleep(breath)
		case <-beat.C:
			batch = append(batch, ": \n\n"...)
		case <-r.Context().Done():
			return
		}
	}
}

func (d *door) watch(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams += n
}

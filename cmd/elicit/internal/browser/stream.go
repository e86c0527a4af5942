package browser

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/web"
)

// pageState is the part of the list that one page has been sent.
type pageState struct {
	fresh    bool // nothing was sent yet
	id       elicit.ID
	deadline int64
	revision int
	browsers int
	waiting  []byte
}

// waitingQuestion is an open question that the page does not draw.
type waitingQuestion struct {
	Number  int    `json:"number"`
	Server  string `json:"server"`
	Tool    string `json:"tool,omitempty"`
	Message string `json:"message"`
	Since   int64  `json:"since"`

	Deadline int64 `json:"deadline,omitempty"` // when it was shown before; 0 for none, or while it waits for its turn
}

// appendUpdates appends the updates that a page has not seen as server-sent events (HTML standard, section 9.2). The
// channel more is closed when there are new ones. The page draws one question, the one that the person chose or the
// first that is shown; it lists the others.
func (l *questionList) appendUpdates(dst []byte, c *pageState) (out []byte, more <-chan struct{}, done bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.history { // before the next question, so that the page can say why the last one disappeared
		if p.revision > c.revision {
			dst = appendEvent(dst, "past", mustJSON(p))
		}
	}
	c.revision = l.revision
	now, waiting := l.current()
	if list := mustJSON(waiting); c.fresh || !bytes.Equal(list, c.waiting) {
		dst, c.waiting = appendEvent(dst, "waiting", list), list
	}
	dst = c.appendQuestion(dst, now)
	if l.browsers != c.browsers && (l.browsers > 1 || c.browsers > 1) {
		dst = appendEvent(dst, "browsers", strconv.AppendInt(nil, int64(l.browsers), 10))
	}
	c.browsers = l.browsers
	if l.closed {
		dst = appendEvent(dst, "bye", []byte("{}"))
	}
	c.fresh = false
	return dst, l.changed, l.closed
}

// current returns the question to draw, nil for none, and the questions that wait. The caller holds the lock.
func (l *questionList) current() (now *question, waiting []waitingQuestion) {
	waiting = []waitingQuestion{}
	if l.chosen != nil && l.chosen.show != nil {
		now = l.chosen
	}
	for _, q := range l.open {
		if now == nil && q.show != nil {
			now = q
		}
	}
	for _, q := range l.open {
		if q == now {
			continue
		}
		w := waitingQuestion{Number: q.number, Server: clip(q.request.Server), Tool: clip(q.request.Tool),
			Message: clip(q.request.Message), Since: q.since.UnixMilli()}
		if q.show != nil {
			w.Deadline = q.show.Deadline
		}
		waiting = append(waiting, w)
	}
	return now, waiting
}

func (c *pageState) appendQuestion(dst []byte, q *question) []byte {
	switch {
	case q == nil:
		if c.fresh || c.id != "" {
			dst = appendEvent(dst, "question", []byte("null"))
		}
		c.id = ""
	case c.id != q.show.ID:
		text := q.show.AppendJSON([]byte(`{"question":`))
		if q.draft != nil {
			text = append(append(text, `,"draft":`...), q.draft...)
		}
		dst = appendEvent(dst, "question", append(text, '}'))
		c.id, c.deadline = q.show.ID, q.show.Deadline
	case c.deadline != q.show.Deadline:
		c.deadline = q.show.Deadline
		dst = appendEvent(dst, "deadline", strconv.AppendInt(nil, c.deadline, 10))
	}
	return dst
}

// appendEvent appends one server-sent event. A line end in the data would start another event. JSON has line ends only
// between its tokens, so a space in their place changes nothing.
func appendEvent(dst []byte, name string, text []byte) []byte {
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

// heartbeat is how often a stream without updates writes a comment. The write fails when the page is gone.
const heartbeat = 20 * time.Second

// gatherTime is how long a stream waits for more updates after the first one, because a question is often asked and
// shown at almost the same time.
const gatherTime = 10 * time.Millisecond

// stream sends updates to one page for as long as it reads. It ends for a page that does not read for ioTimeout, so
// such a page costs the memory of one batch.
func (srv *server) stream(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		web.Refuse(w, http.StatusMethodNotAllowed)
		return
	}
	if !srv.access.hasCookie(r) {
		web.Refuse(w, http.StatusUnauthorized)
		return
	}
	select {
	case srv.streamSlots <- struct{}{}:
		defer func() { <-srv.streamSlots }()
	default:
		web.Refuse(w, http.StatusTooManyRequests)
		return
	}
	srv.countStream(+1)
	defer srv.countStream(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	if out.SetReadDeadline(time.Time{}) != nil { // the request is read, and the stream has no time limit
		return
	}
	beats := time.NewTicker(heartbeat)
	defer beats.Stop()
	batch, c := []byte("retry: 1000\n\n"), pageState{fresh: true}
	var more <-chan struct{}
	var done bool
	for {
		batch, more, done = srv.questions.appendUpdates(batch, &c)
		if !srv.access.hasCookie(r) { // withdrawn: the page connects again, is refused and says so to the person
			return
		}
		if len(batch) > 0 {
			if out.SetWriteDeadline(time.Now().Add(srv.ioTimeout)) != nil {
				return
			}
			if _, err := w.Write(batch); err != nil || out.Flush() != nil || done {
				return
			}
		}
		batch = batch[:0]
		select {
		case <-more:
			time.Sleep(gatherTime)
		case <-beats.C:
			batch = append(batch, ": \n\n"...)
		case <-r.Context().Done():
			return
		}
	}
}

func (srv *server) countStream(n int) {
	srv.mu.Lock()
	srv.streams += n
	changed := srv.streams == 0 || n > 0 && srv.streams == n
	srv.mu.Unlock()
	if changed {
		srv.pagesChanged()
	}
}

package proxy

import (
	"io"
	"sync"
)

// outlet is the one ordered writer of a direction. Writing to it never blocks, because what is written to one peer may
// have to be said before the other peer is read again; instead the loop stops reading whoever fills it (see full).
type outlet struct {
	mu       sync.Mutex
	queue    [][]byte
	bytes    int
	written  int64
	closing  bool
	failed   bool
	work     chan struct{} // capacity 1: there is something to write or the end to note
	drained  chan struct{} // capacity 1: everything so far has been written
	finished chan struct{} // closed when the writer is gone
}

// Bounds of what waits for a peer that does not read. Passed-on messages stop at softBound, so that back-pressure
// reaches their sender; answers of our own go on until hardBound, so that a server busy writing still gets its answers.
const (
	softBound = 256 << 10
	hardBound = 16 << 20
)

func newOutlet(w io.WriteCloser, onError func(error)) *outlet {
	o := &outlet{work: make(chan struct{}, 1), drained: make(chan struct{}, 1), finished: make(chan struct{})}
	go o.run(w, onError)
	return o
}

// put queues one line with its line end. After the end or a failed write it is dropped.
func (o *outlet) put(line []byte) {
	o.mu.Lock()
	if !o.closing && !o.failed && len(line) > 0 {
		o.queue = append(o.queue, line)
		o.bytes += len(line)
	}
	o.mu.Unlock()
	signal(o.work)
}

// full reports whether more than bound bytes wait to be written.
func (o *outlet) full(bound int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes > bound
}

// progress is how many bytes the peer has taken so far.
func (o *outlet) progress() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// finish closes the stream once everything queued has been written.
func (o *outlet) finish() {
	o.mu.Lock()
	o.closing = true
	o.mu.Unlock()
	signal(o.work)
}

func (o *outlet) run(w io.WriteCloser, onError func(error)) {
	defer close(o.finished)
	defer w.Close()
	for range o.work {
		for {
			batch, last := o.take()
			if batch == nil {
				if last {
					return
				}
				break
			}
			if err := o.write(w, batch); err != nil {
				o.fail()
				onError(err)
				return
			}
		}
	}
}

func (o *outlet) take() (batch [][]byte, last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	batch, o.queue = o.queue, nil
	return batch, o.closing
}

func (o *outlet) write(w io.Writer, batch [][]byte) error {
	for _, l := range batch {
		if _, err := w.Write(l); err != nil {
			return err
		}
		o.mu.Lock()
		o.bytes -= len(l)
		o.written += int64(len(l))
		o.mu.Unlock()
		signal(o.drained)
	}
	return nil
}

func (o *outlet) fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed, o.queue, o.bytes = true, nil, 0
	signal(o.drained)
}

// signal wakes the one who waits on c, at once or when it next looks.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

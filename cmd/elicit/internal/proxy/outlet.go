package proxy

import (
	"io"
	"sync"
)

// outlet is the only writer of one direction, and keeps the order of messages. put never blocks, because the loop may
// have to write to one peer before it can read the other again. Instead the loop stops reading the peer that fills the
// outlet (see full).
type outlet struct {
	mu       sync.Mutex
	queue    [][]byte
	spare    [][]byte // memory of the queue that is being written
	page     []byte   // short lines that are written together; only the writer uses it
	bytes    int
	written  int64
	closing  bool
	failed   bool
	work     chan struct{} // capacity 1: there are lines to write, or the outlet is finished
	drained  chan struct{} // capacity 1: everything so far was written
	finished chan struct{} // closed when the writer has ended
}

// Bounds of the bytes that wait for a peer that does not read. Forwarded messages stop at softBound, so that
// back-pressure reaches their sender. Our own answers continue up to hardBound, so that a server that is busy writing
// still gets its answers.
const (
	softBound = 256 << 10
	hardBound = 16 << 20
)

// pageSize is the number of bytes of short lines in one write. A client that reads fewer bytes during Options.Grace
// counts as a client that reads nothing.
const pageSize = 16 << 10

func newOutlet(w io.WriteCloser, onError func(error)) *outlet {
	o := &outlet{work: make(chan struct{}, 1), drained: make(chan struct{}, 1), finished: make(chan struct{}),
		page: make([]byte, 0, pageSize)}
	go o.run(w, onError)
	return o
}

// put queues one line with its line end. After finish or a failed write it drops the line.
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

// progress returns the number of bytes that the peer has read so far.
func (o *outlet) progress() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// finish closes the stream after all queued lines are written.
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
			if len(batch) == 0 {
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
	batch, o.queue = o.queue, o.spare[:0]
	o.spare = batch
	return batch, o.closing
}

// write writes a batch. It joins short lines, because a system call costs more than copying a line.
func (o *outlet) write(w io.Writer, batch [][]byte) error {
	for i := range batch {
		l := batch[i]
		batch[i] = nil // releases its memory
		if len(o.page)+len(l) > cap(o.page) {
			if err := o.flush(w); err != nil {
				return err
			}
		}
		if len(l) > cap(o.page)/2 {
			if err := o.flush(w); err != nil {
				return err
			}
			if err := o.out(w, l); err != nil {
				return err
			}
			releaseBuffer(l)
			continue
		}
		o.page = append(o.page, l...)
	}
	return o.flush(w)
}

func (o *outlet) flush(w io.Writer) error {
	if len(o.page) == 0 {
		return nil
	}
	err := o.out(w, o.page)
	o.page = o.page[:0]
	return err
}

func (o *outlet) out(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return err
	}
	o.mu.Lock()
	o.bytes -= len(b)
	o.written += int64(len(b))
	o.mu.Unlock()
	signal(o.drained)
	return nil
}

func (o *outlet) fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed, o.queue, o.bytes = true, nil, 0
	signal(o.drained)
}

// signal wakes the goroutine that waits on c, now or at its next receive.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

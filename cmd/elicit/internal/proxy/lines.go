package proxy

import (
	"bytes"
	"io"
	"sync"
)

// line is one newline-delimited message as it came, line end included.
type line struct {
	raw  []byte // every byte of it; of an oversized line only the first headLength
	over bool   // the line was longer than allowed and is lost but for its beginning
	end  bool   // the stream is over; raw is empty
}

// headLength is how much of an oversized line is kept: enough to find the id of a request in its beginning.
const headLength = 64 << 10

// body is the message without its line end, which is a line feed or a carriage return and a line feed.
func (l line) body() []byte {
	body, _ := bytes.CutSuffix(l.raw, []byte{'\n'})
	body, _ = bytes.CutSuffix(body, []byte{'\r'})
	return body
}

// lineReader cuts a stream into lines no longer than max bytes. A line is a part of the memory that it was read into, so
// it is not copied, and that memory is not written again. A line that does not fit moves to memory of twice the size.
type lineReader struct {
	in    io.Reader
	max   int
	buf   []byte // what has been read; its end is what can still be read into
	start int    // where the line begins that is not whole yet
	seen  int    // where to look for its end
	over  bool   // that line is too long; buf holds nothing of it
	head  []byte // the beginning of that line
	next  []line // memory of the batch after the one that the loop has
	last  []line
}

// Sizes of the memory that lines are read into.
const (
	chunk   = 64 << 10
	minRoom = 4 << 10 // less than this is not worth a read
)

func newLineReader(in io.Reader, max int) *lineReader { return &lineReader{in: in, max: max} }

// batch returns the lines that can be had without waiting, at least one. A last line without line end is a line; then, and
// after any read error, comes the end. A batch is good until the one after the next.
func (r *lineReader) batch() []line {
	r.next, r.last = r.last[:0], r.next
	for len(r.next) == 0 {
		r.makeRoom()
		n, err := r.in.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		r.cut()
		if err != nil {
			r.finish()
		}
	}
	return r.next
}

// makeRoom goes on in other memory when there is not much room left. Memory of more than a chunk is not used for a second
// line: as long as it is in use, so is all of it.
func (r *lineReader) makeRoom() {
	rest := r.buf[r.start:]
	if cap(r.buf)-len(r.buf) >= minRoom && (cap(r.buf) <= chunk || r.start == 0) {
		return
	}
	size := chunk
	if len(rest) > chunk/2 {
		size = min(2*len(rest), r.max+chunk)
	}
	r.buf = append(memory(size), rest...)
	r.seen -= r.start
	r.start = 0
}

// spare is memory of long lines that have been written.
var spare sync.Pool

// memory is empty and has room for size bytes.
func memory(size int) []byte {
	if size > chunk {
		if b, ok := spare.Get().(*[]byte); ok && cap(*b) >= size {
			return (*b)[:0]
		}
	}
	return make([]byte, 0, size)
}

// giveBack lets the memory of a line that nobody needs any more be used for another one.
func giveBack(raw []byte) {
	if cap(raw) > chunk {
		spare.Put(&raw)
	}
}

// cut takes the whole lines out of what has been read.
func (r *lineReader) cut() {
	for {
		n := bytes.IndexByte(r.buf[r.seen:], '\n')
		if n < 0 {
			break
		}
		end := r.seen + n + 1
		r.add(r.buf[r.start:end:end])
		r.start, r.seen = end, end
	}
	r.seen = len(r.buf)
	if size := r.seen - r.start; r.over || size > r.max {
		if !r.over {
			r.over, r.head = true, bytes.Clone(r.buf[r.start:r.start+min(r.max, headLength)])
		}
		r.buf = r.buf[:r.start]
		r.seen = r.start
		if cap(r.buf) > chunk {
			r.buf, r.start, r.seen = nil, 0, 0
		}
	}
}

// add adds a line, or what is left of one that is too long.
func (r *lineReader) add(raw []byte) {
	switch {
	case r.over:
		r.next = append(r.next, line{raw: r.head, over: true})
		r.over, r.head = false, nil
	case len(raw) > r.max:
		r.next = append(r.next, line{raw: bytes.Clone(raw[:min(r.max, headLength)]), over: true})
	case len(raw) > 0:
		r.next = append(r.next, line{raw: raw})
	}
}

// finish ends the stream.
func (r *lineReader) finish() {
	r.add(r.buf[r.start:])
	r.next = append(r.next, line{end: true})
	r.buf, r.start, r.seen = nil, 0, 0
}

// pump hands over batch after batch until the end has been handed over or stop is closed. The channel has no buffer: a
// loop that does not receive makes the peer wait.
func (r *lineReader) pump(out chan<- []line, stop <-chan struct{}) {
	for {
		batch := r.batch()
		select {
		case out <- batch:
		case <-stop:
			return
		}
		if batch[len(batch)-1].end {
			return
		}
	}
}

package proxy

import (
	"bytes"
	"io"
	"sync"
)

// line is one newline-delimited message as received, with its line end.
type line struct {
	raw  []byte // all bytes; of an oversized line only the first headLength
	over bool   // the line was longer than allowed, and only its beginning is kept
	end  bool   // the stream has ended; raw is empty
}

// headLength is the number of bytes kept of an oversized line: enough to find the id of a request at its beginning.
const headLength = 64 << 10

// body returns the message without its line end, which is LF or CR LF.
func (l line) body() []byte {
	body, _ := bytes.CutSuffix(l.raw, []byte{'\n'})
	body, _ = bytes.CutSuffix(body, []byte{'\r'})
	return body
}

// lineReader cuts a stream into lines of at most max bytes. A line is a slice of the memory into which it was read, so
// it is not copied, and that memory is not written again. A line that does not fit moves to memory of twice the size.
type lineReader struct {
	in    io.Reader
	max   int
	buf   []byte // the bytes that were read; its capacity is the room for the next read
	start int    // the beginning of the incomplete line
	seen  int    // the offset from which to search for its end
	over  bool   // the incomplete line is too long; buf has nothing of it
	head  []byte // the beginning of that line
	next  []line // memory for the batch after the one that the loop has
	last  []line
}

// Sizes of the memory that lines are read into.
const (
	chunk   = 64 << 10
	minRoom = 4 << 10 // with less room a read is too inefficient
)

func newLineReader(in io.Reader, max int) *lineReader { return &lineReader{in: in, max: max} }

// batch returns the lines that are available without waiting, at least one. A last line without a line end counts as a
// line. After it, and after any read error, the line with end follows. A batch is valid until the call after the next.
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

// makeRoom changes to other memory when there is little room left. It does not use memory of more than a chunk for a
// second line, because one short line would keep all of that memory in use.
func (r *lineReader) makeRoom() {
	rest := r.buf[r.start:]
	if cap(r.buf)-len(r.buf) >= minRoom && (cap(r.buf) <= chunk || r.start == 0) {
		return
	}
	size := chunk
	if len(rest) > chunk/2 {
		size = min(2*len(rest), r.max+chunk)
	}
	r.buf = append(newBuffer(size), rest...)
	r.seen -= r.start
	r.start = 0
}

// bufferPool is the memory of long lines that were written, for reuse.
var bufferPool sync.Pool

// newBuffer returns an empty slice with room for size bytes.
func newBuffer(size int) []byte {
	if size > chunk {
		if b, ok := bufferPool.Get().(*[]byte); ok && cap(*b) >= size {
			return (*b)[:0]
		}
	}
	return make([]byte, 0, size)
}

// releaseBuffer makes the memory of a line available for another line. The caller must not use the line afterwards.
func releaseBuffer(raw []byte) {
	if cap(raw) > chunk {
		bufferPool.Put(&raw)
	}
}

// cut takes the complete lines out of buf.
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

// add adds a line, or the beginning of one that is too long.
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

// finish adds the last line and the end of the stream.
func (r *lineReader) finish() {
	r.add(r.buf[r.start:])
	r.next = append(r.next, line{end: true})
	r.buf, r.start, r.seen = nil, 0, 0
}

// pump sends batches until it has sent the end, or stop is closed. The channel has no buffer, so a peer waits while the
// loop does not receive.
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

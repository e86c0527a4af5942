package proxy

import (
	"bufio"
	"bytes"
	"io"
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

// lineReader cuts a stream into lines no longer than max bytes. Memory stays below max however long a line is.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(in io.Reader, max int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: max}
}

// next returns the next line. A last line without line end is a line; then, and after any read error, comes the end.
func (r *lineReader) next() line {
	var l line
	for {
		part, err := r.in.ReadSlice('\n')
		l.add(part, r.max)
		switch {
		case err == nil:
			return l
		case err == bufio.ErrBufferFull:
			continue
		}
		l.end = len(l.raw) == 0
		return l
	}
}

func (l *line) add(part []byte, max int) {
	if l.over {
		return
	}
	if len(l.raw)+len(part) > max {
		l.over = true
		part = part[:max-len(l.raw)]
		l.raw = append(l.raw, part...)
		l.raw = append([]byte(nil), l.raw[:min(len(l.raw), headLength)]...)
		return
	}
	l.raw = append(l.raw, part...)
}

// pump hands over line after line until the end has been handed over or stop is closed. The channel has no buffer: a
// loop that does not receive makes the peer wait.
func (r *lineReader) pump(out chan<- line, stop <-chan struct{}) {
	for {
		l := r.next()
		select {
		case out <- l:
		case <-stop:
			return
		}
		if l.end {
			return
		}
	}
}

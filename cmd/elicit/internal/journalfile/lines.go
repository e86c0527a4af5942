package journalfile

import (
	"bufio"
	"errors"
	"io"
	"iter"

	"github.com/elicit-engine/elicit/engine/journal"
)

// Lines yields the lines of a journal, each with its newline. It holds one line at a time, and the bytes are valid
// until the next one. Of a line longer than journal.MaxRecord it yields only the beginning, without a newline, which no
// reader of records accepts. A read error ends the lines, and goes to failed.
func Lines(from io.Reader, failed func(error)) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		r := bufio.NewReaderSize(from, 64<<10)
		var line []byte
		for {
			var err error
			line = line[:0]
			for more := true; more && len(line) <= journal.MaxRecord; more = errors.Is(err, bufio.ErrBufferFull) {
				var part []byte
				part, err = r.ReadSlice('\n')
				line = append(line, part...)
			}
			if len(line) > 0 && !yield(line) {
				return
			}
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
					failed(err)
				}
				return
			}
		}
	}
}

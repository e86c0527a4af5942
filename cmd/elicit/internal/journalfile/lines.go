package journalfile

import (
	"bufio"
	"errors"
	"io"
	"iter"

	"github.com/elicit-engine/elicit/engine/journal"
)

// Lines reads a journal line by line, each with its newline, and holds no more than one of them: the bytes are good until
// the next line. Of a line longer than a record may be only the beginning comes, without a newline; no reader of records
// takes it. What ends the reading early goes to failed.
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

package verbs

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"time"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/internal/managed"
)

// serveLines is the interface for programs that cannot load a library. It reads one call a line and writes one answer
// a line, in the same order, until the input ends. It flushes the answers as soon as no complete read is left in the
// buffer, so that a caller that waits for an answer gets it.
//
// The managed policy of this machine is part of every configuration that the caller gives. It is read once.
func serveLines(in io.Reader, out io.Writer, guests abi.Guests) error {
	machine := managed.Read()
	table := abi.Table{Guests: guests, Governed: true, World: abi.World{
		Now:     func() int64 { return time.Now().UnixMilli() },
		Elapsed: drive.ElapsedMS,
		Random:  func(to *[32]byte) bool { _, err := rand.Read(to[:]); return err == nil },
		Managed: func() abi.Managed { return abi.Managed{Text: machine.Text, Path: machine.Path} },
	}}
	reader, writer := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := boundedLine(reader)
		if len(bytes.TrimSpace(line)) > 0 {
			if _, err := writer.Write(append(table.Line(line, nil), '\n')); err != nil {
				return err
			}
		}
		if reader.Buffered() == 0 || err != nil {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// boundedLine reads one line and removes its end. It bounds the memory: of a line longer than abi.MaxLine it keeps
// one byte more than allowed, so that the engine refuses the call as too large, and discards the rest.
func boundedLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), abi.MaxLine+2-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

package journal

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Chain verifies records one after another, from any source. The zero value begins a chain. A problem ends it for good:
// after a broken line nothing tells whether the next one belongs to this chain. Problem then has the number of the line
// (line), and of the record that should have stood there (record).
type Chain struct {
	head    Head
	line    int
	problem *elicit.Problem
}

// Next reads the next line, with its newline. Only the last line of a journal may lack the newline, and its record
// counts as cut. The line may have a code (see SplitMAC). The record aliases the line. Next returns false for the first
// line with a problem and for all lines after it; see Problem.
func (c *Chain) Next(line []byte) (Record, bool) {
	if c.problem != nil {
		return Record{}, false
	}
	line, whole := bytes.CutSuffix(line, []byte{'\n'})
	c.line++
	line, mac := SplitMAC(line)
	rec, head, problem := Read(line, c.head)
	rec.MAC = string(mac)
	// The record reads well, but the write may still have been under way. The next record would be appended to this
	// line.
	if problem == nil && !whole {
		problem = &elicit.Problem{Code: "journal_cut", Args: []elicit.Arg{elicit.Num("record", int(head.Seq))}}
	}
	if problem != nil {
		problem.Args = append(problem.Args, elicit.Num("line", c.line))
		c.problem = problem
		return Record{}, false
	}
	c.head = head
	return rec, true
}

// Problem returns the problem of the line that Next refused, or nil.
func (c *Chain) Problem() *elicit.Problem { return c.problem }

// Head returns the end of the chain read so far.
func (c *Chain) Head() Head { return c.head }

// Reader reads the lines of a journal in memory and verifies the chain. Offset lets a host cut a journal behind its
// last good record.
type Reader struct {
	Chain
	rest   []byte
	offset int
}

// NewReader reads journal from its first record. journal must not change while the reader is in use.
func NewReader(journal []byte) *Reader { return &Reader{rest: journal} }

// Next returns the next record. It returns false at the end and at the first problem; see Problem.
func (r *Reader) Next() (Record, bool) {
	if len(r.rest) == 0 {
		return Record{}, false
	}
	line := r.rest
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end+1]
	}
	rec, ok := r.Chain.Next(line)
	if ok {
		r.offset += len(line)
		r.rest = r.rest[len(line):]
	}
	return rec, ok
}

// Offset returns where the next record begins.
func (r *Reader) Offset() int { return r.offset }

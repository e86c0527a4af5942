package journal

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Chain verifies records one after another, wherever their lines come from. The zero value begins a chain.
type Chain struct {
	head    Head
	line    int
	problem *elicit.Problem
}

// Next reads the line that follows, with its newline; only the last line of a journal may lack it, and its record is cut.
// The line may have a code (see SplitMAC). The record aliases the line. Next reports false for the first line that is wrong and for all after it; Problem tells why.
func (c *Chain) Next(line []byte) (Record, bool) {
	if c.problem != nil {
		return Record{}, false
	}
	line, whole := bytes.CutSuffix(line, []byte{'\n'})
	c.line++
	line, mac := SplitMAC(line)
	rec, head, problem := Read(line, c.head)
	rec.MAC = string(mac)
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

// Problem is what is wrong with the line that Next refused, or nil.
func (c *Chain) Problem() *elicit.Problem { return c.problem }

// Head is the end of the chain read so far.
func (c *Chain) Head() Head { return c.head }

// Reader walks the lines of a journal held in memory and verifies the chain as it goes.
type Reader struct {
	Chain
	rest   []byte
	offset int
}

// NewReader reads journal from its first record. The bytes are borrowed until the reader is dropped.
func NewReader(journal []byte) *Reader { return &Reader{rest: journal} }

// Next returns the next record. It reports false at the end and at the first thing wrong; Problem tells which.
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

// Offset is where the next record begins.
func (r *Reader) Offset() int { return r.offset }

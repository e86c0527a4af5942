package journal

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Reader walks the lines of a journal held in memory and verifies the chain as it goes.
type Reader struct {
	rest    []byte
	offset  int
	head    Head
	line    int
	problem *elicit.Problem
}

// NewReader reads journal from its first record. The bytes are borrowed until the reader is dropped.
func NewReader(journal []byte) *Reader { return &Reader{rest: journal} }

// Next returns the next record. It reports false at the end and at the first thing wrong; Problem tells which.
func (r *Reader) Next() (Record, bool) {
	if r.problem != nil || len(r.rest) == 0 {
		return Record{}, false
	}
	line, rest, whole := bytes.Cut(r.rest, []byte{'\n'})
	r.line++
	rec, head, problem := Read(line, r.head)
	if problem == nil && !whole {
		problem = &elicit.Problem{Code: "journal_cut", Args: []elicit.Arg{elicit.Num("record", int(head.Seq))}}
	}
	if problem != nil {
		problem.Args = append(problem.Args, elicit.Num("line", r.line))
		r.problem = problem
		return Record{}, false
	}
	r.offset += len(line) + 1
	r.rest, r.head = rest, head
	return rec, true
}

// Problem is what stopped Next before the end, or nil.
func (r *Reader) Problem() *elicit.Problem { return r.problem }

// Head is the end of the chain read so far.
func (r *Reader) Head() Head { return r.head }

// Offset is where the next record begins.
func (r *Reader) Offset() int { return r.offset }

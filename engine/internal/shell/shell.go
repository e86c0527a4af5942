// Package shell parses command lines of Bash and of POSIX shells to trees. It is the parser of mvdan.cc/sh/v3/syntax:
// internal/tests/shell copies it, without what needs package fmt, and bounds how deep its input may nest. A module that
// required mvdan.cc/sh instead would bring twelve more modules into the graph of every program with an engine.
//
// Read a tree by the types in nodes.go. File.Stmts has the statements; those before a fault are there too, because a
// shell runs them before it sees the fault.
//
//	file, err := shell.NewParser().Parse("ls | wc -l", "")
package shell

import "strings"

// maxDepth is how deep a text may nest. The parser calls itself for what is nested, so a hostile line must not choose
// the depth.
const maxDepth = 150

// depth counts what is nested around the place of the parser. word says that a word goes on there, and Commented that
// there was a comment.
type depth struct {
	nested    int
	text      string
	word      bool
	Commented bool
}

func (p *Parser) enter() *depth {
	if p.nested++; p.nested > maxDepth {
		p.curErr("the text nests too deeply")
	}
	return &p.depth
}

func (p *Parser) leave(d *depth) { d.nested-- }

// documents makes a fault of here-documents that have not begun where their substitution ends.
func (p *Parser) documents() {
	if len(p.heredocs) > p.buriedHdocs {
		p.curErr("the text of a here-document is missing")
	}
}

// ends makes a fault of a here-document with its last line in an expansion: there it ends for a shell.
func (p *Parser) ends(body *Word, stop []byte) {
	for i := 0; body != nil && i < len(body.Parts); i++ {
		part := body.Parts[i]
		if _, is := part.(*Lit); is {
			continue
		}
		for line := range strings.SplitSeq(p.text[part.Pos().Offset():min(int(part.End().Offset()), len(p.text))], "\n") {
			if strings.TrimLeft(line, "\t") == string(stop) {
				p.curErr("the here-document ends in an expansion")
			}
		}
	}
}

// fill moves the window of the lexer on, and returns how many bytes came in.
func (p *Parser) fill() int {
	if p.readEOF || p.r == runeEOF {
		return 0
	}
	p.offs += int64(p.bsp)
	left := copy(p.readBuf[:], p.bs[min(int(p.bsp), len(p.bs)):])
	n := copy(p.readBuf[left:], p.src)
	p.src, p.bs, p.bsp = p.src[n:], p.readBuf[:left+n], 0
	if n == 0 {
		p.readEOF = true
	}
	return n
}

// ParseError is a fault of the text. The words do not name what was read.
type ParseError struct {
	Pos  Pos
	Text string
}

func (e ParseError) Error() string { return e.Text }

func (p *Parser) posErr(pos Pos, text string, _ ...any) { p.errPass(ParseError{pos, text}) }

func (p *Parser) curErr(text string, _ ...any) { p.posErr(p.pos, text) }

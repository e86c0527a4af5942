// Package clientconfig finds the configuration files of MCP clients, reads the servers in them, and changes them so
// that a client starts `elicit proxy` in place of a server.
//
//	files, err := clientconfig.Find(env)
//	doc, err := clientconfig.Read(files[0])
//	changed, err := doc.Wrap(doc.Servers[0], "/usr/bin/elicit")
//
// Nothing is written from a parsed value. A change replaces the exact bytes of a command and adds to its arguments, so
// comments, order and layout survive in JSON with comments (json.go), TOML (toml.go) and YAML (yaml.go). Each reader
// makes the same tree of nodes with places (tree.go); servers.go finds the servers in it, and wrap.go changes them.
// Every change is read again before it counts: the values must be those that were meant, and no others.
//
// The files belong to programs and people who can write anything into them. A file that cannot be read in full gives a
// *Problem with its place, and is left alone.
package clientconfig

import (
	"fmt"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
)

// Problem is an error at a place in a file.
type Problem struct {
	Path         string
	Line, Column int // from 1; 0 when there is no place
	Text         string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.Path + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Line, p.Column, p.Text)
}

// at makes a problem at an offset of a document.
func at(text []byte, offset int, format string, args ...any) *Problem {
	line, column := plain.Position(text, offset)
	return &Problem{Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}

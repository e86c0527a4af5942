package clientconfig

import (
	"errors"
	"slices"
)

// Most bytes of a file that is read. Clients keep histories in JSON; the other readers use more memory for a byte.
const (
	maxJSON  = 64 << 20
	maxOther = 1 << 20
)

// format reads a document and writes texts into it.
type format interface {
	parse(doc []byte) (*node, error)
	quote(string) string
}

// Doc is a file that was read.
type Doc struct {
	File    File
	Servers []*Server

	onDisk
	format format
	root   *node
	edits  []edit // that made this document from another one
}

// server finds a server by its path; it is nil for a nil document.
func (d *Doc) server(path []string) *Server {
	if d == nil {
		return nil
	}
	for _, s := range d.Servers {
		if slices.Equal(s.path, path) {
			return s
		}
	}
	return nil
}

// Read reads a file and the servers in it. It follows a symbolic link, as the clients do.
func Read(f File) (*Doc, error) {
	most := int64(maxOther)
	if _, ok := f.shape.format.(jsonFormat); ok {
		most = maxJSON
	}
	at, err := readRegular(f.Path, most)
	if err != nil {
		return nil, err
	}
	d, err := parse(f, at.text)
	if d != nil {
		d.onDisk = at
	}
	return d, err
}

// parse reads a document.
func parse(f File, text []byte) (*Doc, error) {
	d := &Doc{File: f, format: f.shape.format, onDisk: onDisk{text: text}}
	named := func(err error) error {
		var p *Problem
		if errors.As(err, &p) {
			p.Path = f.Path
		}
		return err
	}
	if len(text) == 0 {
		d.root = &node{kind: table}
		return d, nil
	}
	var err error
	if d.root, err = d.format.parse(text); err != nil {
		return nil, named(err)
	}
	d.Servers, err = find(d.root, f.shape.paths, func(offset int, format string, args ...any) error {
		return at(text, offset, format, args...)
	})
	if err != nil {
		return nil, named(err)
	}
	return d, nil
}

package clientconfig

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/elicit-engine/elicit/internal/trustedfile"
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

	format format
	text   []byte
	root   *node
	edits  []edit // that made this document from another one
	target string // the file itself, where Path is a symbolic link
	info   fs.FileInfo
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
	text, target, info, err := readRegular(f.Path, most)
	if err != nil {
		return nil, err
	}
	d, err := parse(f, text)
	if d != nil {
		d.target, d.info = target, info
	}
	return d, err
}

// readRegular reads a regular file of at most that many bytes. It follows a symbolic link, and target is the file
// itself.
func readRegular(path string, most int64) (text []byte, target string, info fs.FileInfo, err error) {
	fail := func(err error) ([]byte, string, fs.FileInfo, error) { return nil, "", nil, err }
	if target, err = filepath.EvalSymlinks(path); err != nil {
		return fail(err)
	}
	file, err := trustedfile.OpenRegular(target)
	if trustedfile.IsWrong(err) {
		return fail(&Problem{Path: path, Text: "this is not a regular file"})
	}
	if err != nil {
		return fail(err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return fail(err)
	}
	if text, err = io.ReadAll(io.LimitReader(file, most+1)); err != nil {
		return fail(err)
	}
	if int64(len(text)) > most {
		return fail(&Problem{Path: path, Text: fmt.Sprintf("the file is larger than %d MiB", most>>20)})
	}
	return text, target, info, nil
}

// parse reads a document.
func parse(f File, text []byte) (*Doc, error) {
	d := &Doc{File: f, format: f.shape.format, text: text}
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

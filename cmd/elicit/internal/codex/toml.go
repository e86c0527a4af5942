package codex

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// setting is one key of a file with its value, where it stands. Inline tables are taken apart: a = {b = 1} and a.b = 1
// are the same setting.
type setting struct {
	path         []string
	under        []string // the table header it stands below, nil above the first
	value        any      // string, bool, []any, []setting (a table in a list), other, or table
	line, column int
}

// other is the text of a value that no setting known here has: a number or a date.
type other string

// table is the value of a table that holds nothing.
type table struct{}

// fault is a piece of text that is not TOML.
type fault struct {
	line, column int
	text         string
}

// key is the setting's dotted name, quoted where TOML asks for it.
func (s setting) key() string { return dotted(s.path) }

func dotted(path []string) string {
	parts := make([]string, len(path))
	for i, p := range path {
		if parts[i] = p; p == "" || strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p) + `"`
		}
	}
	return strings.Join(parts, ".")
}

// readTOML reads every setting it can. A line that cannot be read is a fault and takes no other line with it.
func readTOML(doc []byte) (settings []setting, faults []fault) {
	var r reader
	if r.chunk(doc, 0) == nil {
		if err := toml.Unmarshal(doc, &map[string]any{}); err != nil {
			faults = append(faults, faultOf(err, 0)) // a key or table given twice
		}
		return filled(r.settings), faults
	}
	faults = r.lineByLine(doc)
	return filled(r.settings), faults
}

// longest is how many lines one setting may take in a file that has faults.
const longest = 200

// lineByLine reads a file with faults: what can be read as it stands is read, and the first line of what cannot is a
// fault.
func (r *reader) lineByLine(doc []byte) (faults []fault) {
	*r = reader{}
	lines := bytes.SplitAfter(doc, []byte{'\n'})
	for i := 0; i < len(lines); {
		read, err := r.oneSetting(lines[i:], i)
		if err != nil {
			faults = append(faults, faultOf(err, i))
			if bytes.HasPrefix(bytes.TrimSpace(lines[i]), []byte{'['}) {
				r.header = []string{unreadable} // what follows must not be taken for the table before
			}
		}
		i += read
	}
	return faults
}

// oneSetting reads the setting that begins at the first of the lines, and says how many lines it took.
func (r *reader) oneSetting(lines [][]byte, line int) (read int, first error) {
	_, value, _ := bytes.Cut(lines[0], []byte{'='})
	for n := 1; n <= min(longest, len(lines)); n++ {
		was := *r
		err := r.chunk(bytes.Join(lines[:n], nil), line)
		if err == nil {
			return n, nil
		}
		*r = was
		if first == nil {
			first = err
		}
		// Only a list, a table or a long string goes on, and only while what has been read of it is right.
		var at located
		if !bytes.ContainsAny(value, "[{\"'") || errors.As(err, &at) && at.line > 1 && at.line < n {
			break
		}
	}
	return 1, first
}

// unreadable stands for the name of a table whose header cannot be read.
const unreadable = "(unreadable table)"

type reader struct {
	settings []setting
	header   []string
}

// chunk reads whole expressions that begin at a line, counted from 0.
func (r *reader) chunk(doc []byte, line int) error {
	var p unstable.Parser
	p.Reset(doc)
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			r.header = keyOf(e)
			at := p.Shape(e.Child().Raw).Start
			r.settings = append(r.settings, setting{path: r.header, value: table{}, line: line + at.Line, column: at.Column})
		case unstable.KeyValue:
			r.keyValue(&p, e, r.header, line)
		}
	}
	if err := p.Error(); err != nil {
		var bad *unstable.ParserError
		if errors.As(err, &bad) && len(bad.Highlight) > 0 {
			at := p.Shape(p.Range(bad.Highlight)).Start
			return located{line: at.Line, column: at.Column, text: bad.Message}
		}
		return err
	}
	return nil
}

// filled drops the entries of tables that turned out to hold something.
func filled(settings []setting) (kept []setting) {
	for i, s := range settings {
		if _, empty := s.value.(table); empty && i+1 < len(settings) && within(settings[i+1].path, s.path) {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

func within(path, prefix []string) bool {
	if len(path) <= len(prefix) {
		return false
	}
	for i := range prefix {
		if path[i] != prefix[i] {
			return false
		}
	}
	return true
}

func (r *reader) keyValue(p *unstable.Parser, e *unstable.Node, prefix []string, line int) {
	path := append(append([]string{}, prefix...), keyOf(e)...)
	v := e.Value()
	if v.Kind == unstable.InlineTable {
		n := 0
		for it := v.Children(); it.Next(); n++ {
			r.keyValue(p, it.Node(), path, line)
		}
		if n > 0 {
			return
		}
	}
	key := e.Key()
	key.Next()
	at := p.Shape(key.Node().Raw).Start
	r.settings = append(r.settings, setting{path: path, under: r.header, value: valueOf(p, v), line: line + at.Line, column: at.Column})
}

func keyOf(e *unstable.Node) (path []string) {
	for it := e.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
	}
	return path
}

func valueOf(p *unstable.Parser, v *unstable.Node) any {
	switch v.Kind {
	case unstable.String:
		return string(v.Data)
	case unstable.Bool:
		return string(v.Data) == "true"
	case unstable.Array:
		list := []any{}
		for it := v.Children(); it.Next(); {
			list = append(list, valueOf(p, it.Node()))
		}
		return list
	case unstable.InlineTable:
		var inner reader
		for it := v.Children(); it.Next(); {
			inner.keyValue(p, it.Node(), nil, 0)
		}
		if inner.settings == nil {
			return table{}
		}
		return inner.settings
	}
	return other(v.Data)
}

// located is a fault with its place in the text that was being read.
type located fault

func (l located) Error() string { return l.text }

func faultOf(err error, line int) fault {
	var at located
	if errors.As(err, &at) {
		return fault{line + at.line, at.column, at.text}
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		row, column := decode.Position()
		return fault{line + row, column, strings.TrimPrefix(decode.Error(), "toml: ")}
	}
	return fault{line + 1, 1, strings.TrimPrefix(err.Error(), "toml: ")}
}

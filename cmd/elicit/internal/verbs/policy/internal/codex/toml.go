package codex

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// setting is one key of a file with its value and its place. An inline table becomes one setting for each member, so
// a = {b = 1} and a.b = 1 are the same setting.
type setting struct {
	path         []string
	value        any // string, bool, []any, []setting (a table in a list), otherValue, or table
	line, column int
}

// otherValue is the text of a number or a date. No translated setting has such a value.
type otherValue string

// table is the value of an empty table.
type table struct{}

// fault is a place in the text that cannot be read, with a message.
type fault struct {
	line, column int
	text         string
	salvaged     *call // what was read of a statement of a rules file before the fault
}

func (f fault) Error() string { return f.text }

// key returns the setting's dotted name, quoted where TOML needs quotes.
func (s setting) key() string { return dotted(s.path) }

func dotted(path []string) string {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	parts := make([]string, len(path))
	for i, p := range path {
		if parts[i] = p; p == "" || strings.Trim(p, bare) != "" {
			parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p) + `"`
		}
	}
	return strings.Join(parts, ".")
}

// readTOML reads every setting that it can. A line that cannot be read is a fault; the other lines are read.
func readTOML(doc []byte) (settings []setting, faults []fault) {
	var r tomlReader
	if r.readExpressions(doc, 0) == nil {
		if err := toml.Unmarshal(doc, &map[string]any{}); err != nil {
			faults = append(faults, faultOf(err, 0)) // the file has a key or a table twice
		}
		return withoutEmptyTables(r.settings), faults
	}
	faults = r.readLines(doc)
	return withoutEmptyTables(r.settings), faults
}

// mostLines is the most lines that one setting may have in a file with faults. It bounds the time for hostile files.
const mostLines = 200

// readLines reads a file with faults. It reads each setting by itself; when a setting cannot be read, its first line is
// a fault.
func (r *tomlReader) readLines(doc []byte) (faults []fault) {
	*r = tomlReader{}
	lines := bytes.SplitAfter(doc, []byte{'\n'})
	for i := 0; i < len(lines); {
		read, err := r.oneSetting(lines[i:], i)
		if err != nil {
			faults = append(faults, faultOf(err, i))
			if bytes.HasPrefix(bytes.TrimSpace(lines[i]), []byte{'['}) {
				r.header = []string{unreadable} // the next keys must not count as keys of the table before
			}
		}
		i += read
	}
	return faults
}

// oneSetting reads the setting that begins at the first of the lines, and returns its number of lines.
func (r *tomlReader) oneSetting(lines [][]byte, line int) (read int, first error) {
	_, value, _ := bytes.Cut(lines[0], []byte{'='})
	for n := 1; n <= min(mostLines, len(lines)); n++ {
		was := *r
		err := r.readExpressions(bytes.Join(lines[:n], nil), line)
		if err == nil {
			return n, nil
		}
		*r = was
		if first == nil {
			first = err
		}
		// Only a list, a table or a long string continues on the next line, and only while there is no fault in it.
		var at fault
		if !bytes.ContainsAny(value, "[{\"'") || errors.As(err, &at) && at.line > 1 && at.line < n {
			break
		}
	}
	return 1, first
}

// unreadable is the name for a table whose header cannot be read.
const unreadable = "(unreadable table)"

type tomlReader struct {
	settings []setting
	header   []string
}

// readExpressions reads complete expressions. The text begins at a line of the file, counted from 0.
func (r *tomlReader) readExpressions(doc []byte, line int) error {
	var p unstable.Parser
	p.Reset(doc)
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			r.header = keyOf(e)
			at := p.Shape(e.Child().Raw).Start
			r.settings = append(r.settings,
				setting{path: r.header, value: table{}, line: line + at.Line, column: at.Column})
		case unstable.KeyValue:
			r.keyValue(&p, e, r.header, line)
		}
	}
	if err := p.Error(); err != nil {
		var bad *unstable.ParserError
		if errors.As(err, &bad) && len(bad.Highlight) > 0 {
			at := p.Shape(p.Range(bad.Highlight)).Start
			return fault{line: at.Line, column: at.Column, text: bad.Message}
		}
		return err
	}
	return nil
}

// withoutEmptyTables removes the settings of table headers that are not empty: a setting of the table follows them.
func withoutEmptyTables(settings []setting) (kept []setting) {
	for i, s := range settings {
		if _, empty := s.value.(table); empty && i+1 < len(settings) && isBelow(settings[i+1].path, s.path) {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

func isBelow(path, prefix []string) bool {
	return len(path) > len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func (r *tomlReader) keyValue(p *unstable.Parser, e *unstable.Node, prefix []string, line int) {
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
	r.settings = append(r.settings, setting{path: path, value: valueOf(p, v), line: line + at.Line,
		column: at.Column})
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
		var inner tomlReader
		for it := v.Children(); it.Next(); {
			inner.keyValue(p, it.Node(), nil, 0)
		}
		if inner.settings == nil {
			return table{}
		}
		return inner.settings
	}
	return otherValue(v.Data)
}

// faultOf makes a fault of an error in a text that begins at a line of the file, counted from 0.
func faultOf(err error, line int) fault {
	at := fault{line: 1, column: 1, text: strings.TrimPrefix(err.Error(), "toml: ")}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		at.line, at.column = decode.Position()
	}
	_ = errors.As(err, &at)
	at.line += line
	return at
}

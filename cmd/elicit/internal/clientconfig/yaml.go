package clientconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
)

// yamlFormat reads YAML.
type yamlFormat struct{}

func (yamlFormat) parse(doc []byte) (root *node, err error) {
	// The library reports what it expects to go wrong. Anything else must not end the command on a hostile file.
	defer func() {
		if what := recover(); what != nil {
			root, err = nil, &Problem{Text: fmt.Sprintf("this is not YAML: %v", what)}
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(doc))
	var first, second yaml.Node
	if err := d.Decode(&first); errors.Is(err, io.EOF) {
		return &node{kind: table}, nil
	} else if err != nil {
		return nil, yamlProblem(err)
	}
	if err := d.Decode(&second); err == nil {
		return nil, &Problem{Line: second.Line, Column: second.Column, Text: "a second document begins here"}
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlProblem(err)
	}
	if len(first.Content) == 0 { // comments alone
		return &node{kind: table}, nil
	}
	t := yamlTree{doc: doc, lines: yamlLines(doc)}
	return t.node(first.Content[0]), nil
}

var yamlPlace = regexp.MustCompile(`^yaml: line (\d+): (.*)$`)

func yamlProblem(err error) error {
	found := yamlPlace.FindStringSubmatch(err.Error())
	if found == nil {
		return &Problem{Text: "this is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	line, _ := strconv.Atoi(found[1])
	return &Problem{Line: line, Column: 1, Text: "this is not YAML: " + found[2]}
}

// yamlLines returns the offsets at which lines begin, as YAML counts lines.
func yamlLines(doc []byte) []int {
	lines := []int{0}
	for i := 0; i < len(doc); i++ {
		switch rest := doc[i:]; {
		case bytes.HasPrefix(rest, []byte("\r\n")):
			i++
		case rest[0] == '\r' || rest[0] == '\n':
		case bytes.HasPrefix(rest, []byte("\u0085")):
			i++
		case bytes.HasPrefix(rest, []byte("\u2028")), bytes.HasPrefix(rest, []byte("\u2029")):
			i += 2
		default:
			continue
		}
		lines = append(lines, i+1)
	}
	return lines
}

type yamlTree struct {
	doc   []byte
	lines []int
}

// offset turns a line and a column in characters, both from 1, into an offset.
func (t *yamlTree) offset(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return len(t.doc)
	}
	at := t.lines[line-1]
	if line == 1 {
		at += len(t.doc) - len(bytes.TrimPrefix(t.doc, []byte("\ufeff")))
	}
	for range column - 1 {
		if at >= len(t.doc) {
			break
		}
		for at++; at < len(t.doc) && t.doc[at]&0xC0 == 0x80; at++ {
		}
	}
	return at
}

func (t *yamlTree) node(y *yaml.Node) *node {
	start := t.offset(y.Line, y.Column)
	n := &node{span: span{start, start}}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = table
		for i := 0; i+1 < len(y.Content); i += 2 {
			key, value := y.Content[i], t.node(y.Content[i+1])
			m := member{key: key.Value, at: t.offset(key.Line, key.Column), line: y.Style&yaml.FlowStyle == 0, value: value}
			n.members = append(n.members, m)
		}
	case yaml.SequenceNode:
		n.kind, n.block = list, y.Style&yaml.FlowStyle == 0
		n.items = each.Of(y.Content, t.node)
		n.end = t.listEnd(n)
	case yaml.ScalarNode:
		n.text, n.end = y.Value, 0
		if end := t.scalarEnd(start, y); y.ShortTag() == "!!str" && end > 0 {
			n.kind, n.end = text, end
		}
	default: // an alias, which stands for a value elsewhere
		n.text = "*" + y.Value
	}
	return n
}

// listEnd returns the offset after a list, or 0 when more than spaces and commas stand between its last item and its
// end.
func (t *yamlTree) listEnd(n *node) int {
	last := n.start + 1
	if len(n.items) > 0 {
		if last = n.items[len(n.items)-1].end; n.block || last == 0 {
			return last
		}
	}
	rest := bytes.TrimLeft(t.doc[min(last, len(t.doc)):], ", \t\r\n")
	if n.block || len(rest) == 0 || rest[0] != ']' {
		return 0
	}
	return len(t.doc) - len(rest) + 1
}

// scalarEnd returns the offset after a text on one line. It returns 0 for a text that cannot be replaced there: one
// with an anchor or a tag, one over several lines, or one in the style of blocks.
func (t *yamlTree) scalarEnd(start int, y *yaml.Node) int {
	if y.Anchor != "" || y.Style&yaml.TaggedStyle != 0 {
		return 0
	}
	rest := t.doc[start:]
	if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	switch y.Style &^ yaml.FlowStyle {
	case 0:
		if bytes.HasPrefix(rest, []byte(y.Value)) {
			return start + len(y.Value)
		}
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		for i := 1; i < len(rest); i++ {
			switch {
			case rest[i] == '\\' && rest[0] == '"':
				i++
			case rest[i] == rest[0] && rest[0] == '\'' && i+1 < len(rest) && rest[i+1] == '\'':
				i++
			case rest[i] == rest[0]:
				return start + i + 1
			}
		}
	}
	return 0
}

// yamlPlain are texts that mean the same without quotes in every place and for every reader of YAML.
var (
	yamlPlain = regexp.MustCompile(`^[A-Za-z/._@][A-Za-z0-9/._@=+-]*$`)
	yamlWord  = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf|[._]+.*)$`)
)

func (yamlFormat) quote(s string) string {
	if yamlPlain.MatchString(s) && !yamlWord.MatchString(s) {
		return s
	}
	return jsonFormat{}.quote(s) // every text of JSON is one of YAML
}

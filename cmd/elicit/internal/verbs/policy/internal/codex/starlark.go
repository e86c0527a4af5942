package codex

import (
	"fmt"
	"strings"
)

// call is one call of a rules file: a name with arguments. Rules files are Starlark, of which they use calls with texts
// and lists. Anything else is a fault.
type call struct {
	name         string
	line, column int
	args         []argument
}

type argument struct {
	name  string // "" for an argument without a name
	value any    // string or []any
}

// These bound a rules file.
const (
	maxRulesFile = 1 << 20
	maxNesting   = 8
)

// readCalls reads every call that it can. After a fault it goes on at the next line that begins with a name.
func readCalls(text string) (calls []call, faults []fault) {
	if len(text) > maxRulesFile {
		return nil, []fault{{line: 1, column: 1, text: fmt.Sprintf("the file has more than %d bytes", maxRulesFile)}}
	}
	r := starlarkReader{text: text}
	for r.blank(true); r.at < len(r.text); r.blank(true) {
		begin := r.at
		c, err := r.call()
		if err == nil {
			calls = append(calls, *c)
			continue
		}
		line, column := r.place(r.at)
		faults = append(faults, fault{line, column, err.Error(), c})
		r.at = r.nextStatement(begin)
	}
	return calls, faults
}

type starlarkReader struct {
	text string
	at   int
}

func (r *starlarkReader) place(at int) (line, column int) {
	before := r.text[:min(at, len(r.text))]
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')
}

// nextStatement is the next line behind begin that starts with a name.
func (r *starlarkReader) nextStatement(begin int) int {
	for at := begin; ; {
		n := strings.IndexByte(r.text[at:], '\n')
		if n < 0 {
			return len(r.text)
		}
		at += n + 1
		if at < len(r.text) && nameByte(r.text[at]) {
			return at
		}
	}
}

// blank skips spaces and comments, and line ends if lines.
func (r *starlarkReader) blank(lines bool) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\t' || c == '\r' || lines && (c == '\n' || c == ';'):
			r.at++
		case c == '#':
			n := strings.IndexByte(r.text[r.at:], '\n')
			if n < 0 {
				n = len(r.text) - r.at
			}
			r.at += n
		default:
			return
		}
	}
}

func (r *starlarkReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (r *starlarkReader) name() string {
	from := r.at
	for nameByte(r.peek()) {
		r.at++
	}
	return r.text[from:r.at]
}

// call reads NAME(…). With an error it returns what it has read.
func (r *starlarkReader) call() (*call, error) {
	c := &call{}
	c.line, c.column = r.place(r.at)
	if c.name = r.name(); c.name == "" {
		return c, fmt.Errorf("unexpected %q", r.peek())
	}
	r.blank(false)
	if r.peek() != '(' {
		return c, fmt.Errorf("only calls are read, such as prefix_rule(…)")
	}
	r.at++
	for {
		r.blank(true)
		if r.peek() == ')' {
			r.at++
			break
		}
		a, err := r.argument()
		if err != nil {
			return c, err
		}
		c.args = append(c.args, a)
		r.blank(true)
		switch r.peek() {
		case ',':
			r.at++
		case ')':
		case 0:
			return c, fmt.Errorf("the call that begins on line %d has no end", c.line)
		default:
			return c, fmt.Errorf("a comma is missing before %q", r.peek())
		}
	}
	r.blank(false)
	if p := r.peek(); p != 0 && p != '\n' && p != ';' {
		return c, fmt.Errorf("unexpected %q behind a call", p)
	}
	return c, nil
}

func (r *starlarkReader) argument() (a argument, err error) {
	begin := r.at
	name := r.name()
	r.blank(true)
	if name != "" && r.peek() == '=' {
		r.at++
		r.blank(true)
		a.name = name
	} else {
		r.at = begin
	}
	a.value, err = r.value(0)
	return a, err
}

func (r *starlarkReader) value(depth int) (any, error) {
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		return r.quoted(false)
	case (c == 'r' || c == 'R') && r.at+1 < len(r.text) && (r.text[r.at+1] == '"' || r.text[r.at+1] == '\''):
		r.at++
		return r.quoted(true)
	case (c == '[' || c == '(') && depth < maxNesting:
		return r.list(c, depth)
	case nameByte(c):
		begin := r.at
		return nil, fmt.Errorf("%q is no text and no list", r.text[begin:begin+len(r.name())])
	case c == 0:
		return nil, fmt.Errorf("the file ends inside of a call")
	default:
		return nil, fmt.Errorf("unexpected %q", c)
	}
}

func (r *starlarkReader) list(open byte, depth int) (any, error) {
	closer := byte(']')
	if open == '(' {
		closer = ')'
	}
	r.at++
	list := []any{}
	for {
		r.blank(true)
		if r.peek() == closer {
			r.at++
			return list, nil
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return list, err
		}
		list = append(list, v)
		r.blank(true)
		if r.peek() == ',' {
			r.at++
		} else if r.peek() != closer {
			return list, fmt.Errorf("a comma is missing in a list")
		}
	}
}

// quoted reads a text in quotes.
func (r *starlarkReader) quoted(raw bool) (any, error) {
	quote := r.text[r.at : r.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(r.text[r.at:], triple) {
		quote = triple
	}
	r.at += len(quote)
	var out strings.Builder
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case strings.HasPrefix(r.text[r.at:], quote):
			r.at += len(quote)
			return out.String(), nil
		case c == '\n' && len(quote) == 1:
			return nil, fmt.Errorf("a text has no end on its line")
		case c == '\\' && r.at+1 < len(r.text):
			next := r.text[r.at+1]
			if at := strings.IndexByte(`ntr\'"`, next); at >= 0 && !raw {
				out.WriteByte("\n\t\r\\'\""[at])
			} else if raw {
				out.WriteString(r.text[r.at : r.at+2])
			} else {
				return nil, fmt.Errorf(`the escape \%c is not read`, next)
			}
			r.at += 2
		default:
			out.WriteByte(c)
			r.at++
		}
	}
	return nil, fmt.Errorf("a text has no end")
}

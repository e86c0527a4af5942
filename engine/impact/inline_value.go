//go:build !browser

package impact

import (
	"path"
	"strings"
)

// argument is one argument of a call: its tokens behind "NAME=".
type argument struct {
	name      string
	from, end int
}

// args are the arguments of the call whose bracket is at i. A default value, a starred argument and an argument with a
// name all begin at from. Only "NAME=" is cut off. A program with more than maxFields in one call is not read: the last
// part of a path may replace all before it.
func (c *coder) args(i int) (list []argument) {
	from, end := i+1, c.t[i].mate
	for k := from; k <= end && c.spend(1); k++ {
		switch {
		case len(list) == maxFields:
			c.lost = true
			return list
		case k == end || c.sign(k, ","):
			if k > from {
				a := argument{from: from, end: k}
				if c.kind(from) == isName && c.sign(from+1, "=") {
					a.name, a.from = c.t[from].text, from+2
				}
				list = append(list, a)
			}
			from = k + 1
		case c.sign(k, "(") || c.sign(k, "[") || c.sign(k, "{"):
			k = c.t[k].mate
		}
	}
	return list
}

// value is the text that an expression gives, if the program tells it. An expression is known if it has only texts,
// known names, "+" between texts, "/" between paths, and calls that make paths. "+" and "/" bind from left to right
// here, and a mixture of both without brackets is a fault of types in Python.
func (c *coder) value(i, end, depth int) (text string, known bool) {
	if depth > 8 || !c.spend(8) {
		return "", false
	}
	text, i, known = c.operand(i, end, depth+1)
	for known && i < end {
		var right string
		sign := c.t[i].text
		if c.t[i].kind != isSign || sign != "+" && sign != "/" {
			return "", false
		}
		if right, i, known = c.operand(i+1, end, depth+1); sign == "/" {
			text = joined(text, right)
		} else {
			text += right
		}
	}
	return text, known && len(text) <= maxTarget
}

// joined is os.path.join: an absolute part replaces all before it.
func joined(text, right string) string {
	if text == "" || strings.HasPrefix(right, "/") {
		return right
	}
	return strings.TrimSuffix(text, "/") + "/" + right
}

// operand is a part of an expression, and the place behind it.
func (c *coder) operand(i, end, depth int) (text string, next int, known bool) {
	switch c.kind(i) {
	// Neighbouring texts are joined. A field is known if it is one known name: f"{x}/a" with x = "b" is "b/a".
	case isText:
		for known = true; known && i < end && c.kind(i) == isText; {
			one := c.t[i].text
			for i++; c.sign(i, "{"); i = c.t[i].mate + 1 {
				field, ok := "", false
				if c.t[i].mate == i+2 {
					field, ok = c.value(i+1, i+2, depth)
				}
				known = known && ok
				one = strings.Replace(one, string(AnyText), field, 1)
			}
			text += one
		}
		return text, i, known
	case isSign:
		if c.sign(i, "(") {
			text, known = c.value(i+1, c.t[i].mate, depth)
			return text, c.t[i].mate + 1, known
		}
	case isName:
		return c.told(i, end, depth)
	}
	return "", i, false
}

// told is the text of a variable or of a call that only makes a path. A variable counts only if exactly one statement
// of the whole program gives it a value. A star import could bind it too.
func (c *coder) told(i, end, depth int) (text string, next int, known bool) {
	name := c.t[i].text
	full, imported := c.names[name]
	next = i + 1
	if at, once := c.values[name]; once && !imported && c.stores[name] == 1 && !c.star {
		if text, known = c.value(at.at, at.end, depth); known {
			return c.above(text, next, end)
		}
	}
	switch {
	case imported || c.stores[name] > 0:
	case name == "__file__" && c.file != "":
		return c.file, next, true
	default:
		full = "builtins." + name
	}
	for ; full != "" && next < end && c.sign(next, ".") && c.kind(next+1) == isName; next += 2 {
		full += "." + c.t[next+1].text
	}
	// The rows say how a call makes a path: "join" joins its arguments, "dir" takes the directory, "is X" always gives
	// X.
	how := pathRow(full)
	if how == "" || !c.sign(next, "(") || next >= end {
		return "", i, false
	}
	list := c.args(next)
	next = c.t[next].mate + 1
	if here := strings.TrimPrefix(how, "is "); here != how {
		for _, a := range list { // names of temporary files only take names
			if a.name != "prefix" && a.name != "suffix" {
				return "", i, false
			}
			if part, ok := c.value(a.from, a.end, depth); !ok || strings.Contains(part, "/") {
				return "", i, false
			}
		}
		return here, next, true
	}
	for n, a := range list {
		part, ok := c.value(a.from, a.end, depth)
		if !ok || a.name != "" || n > 0 && how != "join" {
			return "", i, false
		}
		text = joined(text, part)
	}
	if how == "dir" {
		text = path.Dir(text)
	}
	return c.above(text, next, end)
}

// above takes the attributes of a path: .parent and .resolve(). .parent of "" or of a path with ".." would need the
// directory of the process, so such a path is not told.
func (c *coder) above(text string, i, end int) (string, int, bool) {
	for ; i < end && c.sign(i, "."); i += 2 {
		switch call := c.sign(i+2, "(") && c.t[i+2].mate == i+3; {
		case (c.is(i+1, "resolve") || c.is(i+1, "absolute")) && call:
			i += 2
		case c.is(i+1, "parent") && text != "." && text != "" && text != "/" && !strings.Contains(text, ".."):
			text = path.Dir(text)
		default:
			return "", i, false
		}
	}
	return text, i, true
}

// before is the text of what stands before a dot: a variable, a call, or an expression in brackets.
func (c *coder) before(dot int) (text string, known bool) {
	from := dot - 1
	if c.sign(from, ")") {
		from = c.t[from].mate
		name := c.kind(from-1) == isName
		// "return (x).read()" has a word of the language before the bracket, and no call.
		if name && (!words.has(c.t[from-1].text) || hasWord("match case type", c.t[from-1].text)) {
			from--
		} else if !name && (c.kind(from-1) == isText || c.sign(from-1, ")") || c.sign(from-1, "]") || c.sign(from-1, "}")) {
			return "", false // what another expression gives is called
		}
	}
	for c.kind(from) == isName && c.sign(from-1, ".") && c.kind(from-2) == isName {
		from -= 2
	}
	if from < 0 || c.sign(from-1, ".") {
		return "", false
	}
	return c.value(from, dot, 0)
}

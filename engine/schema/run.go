package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// run is the fast path for the usual answer: a flat object whose keys are fields, each once and without
// escapes, with values of the fields' types. At anything else it stops and returns false, and its problems are
// dropped. walk then reads the answer again and reports what is unusual. The fast path keeps one promise: when
// it finishes, walk would find the same problems. It detects repeated keys by their field and does not compare
// keys. It also leaves to walk what it does not bound by itself: a document above the scanner's default size,
// and a form whose depth limit is below that of a list of choices in an object.
//
// i is always the position of the next byte to read. Space moves it over white space and may move it to
// len(doc).
func (c *checker) run(f *Form, doc []byte) bool {
	i := jsontext.Space(doc, 0)
	if i == len(doc) || doc[i] != '{' || len(doc) > jsontext.DefaultBytes || f.maxDepth < 2 {
		return false
	}
	var seen fieldSet
	i = jsontext.Space(doc, i+1)
	for next := 0; i < len(doc) && doc[i] != '}'; {
		at, end := f.keyAt(doc, i, next)
		if at < 0 || seen.has(at) {
			return false
		}
		seen.add(at)
		c.field, next = at, at+1
		if i = jsontext.Space(doc, end+1); i == len(doc) || doc[i] != ':' {
			return false
		}
		if i = c.plain(&f.Fields[at], doc, jsontext.Space(doc, i+1)); i < 0 {
			return false
		}
		if i = jsontext.Space(doc, i); i < len(doc) && doc[i] == ',' {
			// JSON has no comma before a closing brace. A comma at the end of the text fails below.
			if i = jsontext.Space(doc, i+1); i < len(doc) && doc[i] == '}' {
				return false
			}
		} else if i == len(doc) || doc[i] != '}' {
			return false
		}
	}
	if i == len(doc) || jsontext.Space(doc, i+1) != len(doc) {
		return false
	}
	c.complete(f, &seen)
	return true
}

// keyAt reads the key whose quote should be at i. It returns the key's field, trying next first, and the
// position of the closing quote. It returns -1 when the key is no field or has an escape. A name that is plain
// can be compared with the bytes of the document, so the key needs no decoding and no search.
func (f *Form) keyAt(doc []byte, i, next int) (at, end int) {
	if i >= len(doc) || doc[i] != '"' {
		return none, end
	}
	i++
	if next < len(f.Fields) {
		field := &f.Fields[next]
		end = i + len(field.Name)
		if field.plainName && end < len(doc) && doc[end] == '"' && string(doc[i:end]) == field.Name {
			return next, end
		}
	}
	end, _, size, ok := jsontext.StringEnd(doc, i)
	if !ok || size != end-i {
		return none, end
	}
	return f.index.find(f.Fields, doc[i:end]), end
}

// plain reads the value at i, which should have the field's type. It returns the position after the value, or
// -1. The caller has skipped white space, so i is at the value. Each problem is reported as walk would report
// it. -1 stands for a value of another type, null, or text that is not JSON.
func (c *checker) plain(f *Field, doc []byte, i int) int {
	if i >= len(doc) {
		return none
	}
	kind := f.Kind
	if f.Numeric {
		kind = Number
	}
	switch kind {
	case Text, OneChoice:
		t, after := textAt(doc, i)
		switch {
		case after < 0:
		case f.Kind == Text:
			c.text(f, t)
		case f.choice(c.decoded(t)) < 0:
			c.report(f, none, "not_a_choice")
		}
		return after
	case Number, Integer:
		end, ok := jsontext.NumberEnd(doc, i)
		if !ok {
			return none
		}
		if n := (jsontext.Number{Raw: doc[i:end:end]}); f.Numeric {
			c.numberChoice(f, n)
		} else {
			c.number(f, n)
		}
		return end
	case Boolean:
		rest := doc[i:]
		if len(rest) >= 4 && string(rest[:4]) == "true" {
			return i + 4
		}
		if len(rest) >= 5 && string(rest[:5]) == "false" {
			return i + 5
		}
	case ManyChoices:
		// One word holds the set. The set of a longer list would cost 1.2 KB of the stack for every answer.
		if len(f.Choices) <= 64 {
			var seen [1]uint64
			return c.plainItems(f, doc, i, seen[:])
		}
	}
	return none
}

// textAt reads the string whose quote should be at i. after is the position behind its closing quote, or -1.
func textAt(doc []byte, i int) (t jsontext.Text, after int) {
	if i == len(doc) || doc[i] != '"' {
		return t, none
	}
	end, runes, size, ok := jsontext.StringEnd(doc, i+1)
	if !ok {
		return t, none
	}
	return jsontext.Text{Raw: doc[i+1 : end : end], Escaped: size != end-i-1, Runes: runes}, end + 1
}

// plainItems reads the array whose bracket should be at i, and returns the position after it, or -1. All
// elements must be strings. The gate's limit of members holds here, too.
func (c *checker) plainItems(f *Field, doc []byte, i int, seen []uint64) int {
	if doc[i] != '[' {
		return none
	}
	count, at := 0, 0
	for i = jsontext.Space(doc, i+1); i < len(doc) && doc[i] != ']'; {
		t, after := textAt(doc, i)
		if after < 0 || at == jsontext.DefaultMembers {
			return none
		}
		if c.item(f, at, c.decoded(t), seen) {
			count++
		}
		at++
		if i = jsontext.Space(doc, after); i < len(doc) && doc[i] == ',' {
			if i = jsontext.Space(doc, i+1); i < len(doc) && doc[i] == ']' {
				return none
			}
		} else if i == len(doc) || doc[i] != ']' {
			return none
		}
	}
	if i == len(doc) {
		return none
	}
	c.size(f, count)
	return i + 1
}

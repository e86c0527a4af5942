package gate

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// glimpse is what can be read of a message that cannot be read completely. Use it to report the refusal, never to act
// on it.
type glimpse struct {
	ID     []byte // raw; nil when there is none, or more than one
	Call   bool   // has a method or params
	Answer bool   // has a result or an error
}

// Glance reads members of the outermost object as far as possible. A message with two ids gets none, because readers
// differ on which one counts. Readers that trim their lines accept leading spaces, so an id after spaces counts.
//
// head may be cut in the middle, because a message may be too long. It may also be any text with syntax errors. The
// members before the fault count.
func Glance(head []byte) (g glimpse) {
	head = bytes.TrimLeft(head, " \t")
	if len(head) == 0 || head[0] != '{' {
		return g
	}
	ids := 0
	_, _ = members(head, 0, func(key jsontext.Text, at int) (int, *elicit.Problem) {
		switch name := lookalike(key, envelopeKeys); {
		case key.Equal("method"), name == "method", key.Equal("params"), name == "params":
			g.Call = true
		case key.Equal("result"), key.Equal("error"), name == "result", name == "error":
			g.Answer = true
		}
		end, problem := value(head, at, 1)
		if problem != nil {
			return end, problem
		}
		if key.Equal("id") || lookalike(key, envelopeKeys) == "id" {
			// A number at the very end may be the beginning of a longer one.
			if ids++; ids == 1 && key.Equal("id") && end < len(head) && ValidID(head[at:end]) {
				g.ID = head[at:end]
			} else {
				g.ID = nil
			}
		}
		return end, nil
	})
	return g
}

// Nesting is how much deeper the text is nested after a line than before it.
//
// A string may not end in this line. The brackets after its start are then its text, so the count ends there.
func Nesting(line []byte) (depth int) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end, _, _, ok := jsontext.StringEnd(line, i+1)
			if !ok {
				return depth
			}
			i = end
		}
	}
	return depth
}

// maxIDs is how many ids are looked for in an unreadable answer.
const maxIDs = 16

// IDsIn lists what follows "id": in a text, at any depth.
//
// It may find ids that are values deep inside a result, or text of a log. So a caller may only doubt calls because of
// them, never answer one.
func IDsIn(text []byte) (ids [][]byte) {
	name := []byte(`"id"`)
	for len(ids) < maxIDs {
		i := bytes.Index(text, name)
		if i < 0 {
			break
		}
		text = text[i+len(name):]
		at := jsontext.Space(text, 0)
		if at >= len(text) || text[at] != ':' {
			continue
		}
		at = jsontext.Space(text, at+1)
		if end, problem := value(text, at, 1); problem == nil && end < len(text) && ValidID(text[at:end]) {
			ids = append(ids, text[at:end])
		}
	}
	return ids
}

package clientconfig

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFormat reads JSON, also with comments and commas after the last element, as editors keep it.
type jsonFormat struct{}

// maxDepth is how deep objects and lists may be nested. The reader calls itself for each level.
const maxDepth = 500

func (jsonFormat) parse(doc []byte) (*node, error) { return readJSON(doc, false) }

// readJSON reads a document: the whole of it, or else what servers are made of. A value that is none of that keeps its
// source, because clients write long histories into the same file.
func readJSON(doc []byte, whole bool) (*node, error) {
	blanked := doc
	if strings.HasPrefix(string(doc[:min(3, len(doc))]), "\ufeff") { // a mark of the byte order, which editors accept
		blanked = append([]byte("   "), doc[3:]...)
	}
	if offset := tooDeep(blanked); offset >= 0 {
		return nil, at(doc, offset, "more than %d objects and lists are nested here", maxDepth)
	}
	value, err := hujson.Parse(blanked)
	if err != nil {
		return nil, jsonProblem(err)
	}
	return jsonNode(blanked, &value, 0, whole), nil
}

// keptDepth is the depth of the deepest value that counts: an argument in projects.P.mcpServers.S.command.args.
const keptDepth = 7

var jsonPlace = regexp.MustCompile(`^hujson: line (\d+), column (\d+): (.*)$`)

func jsonProblem(err error) error {
	found := jsonPlace.FindStringSubmatch(err.Error())
	if found == nil {
		return &Problem{Text: err.Error()}
	}
	line, _ := strconv.Atoi(found[1])
	column, _ := strconv.Atoi(found[2])
	return &Problem{Line: line, Column: column, Text: "this is not JSON: " + found[3]}
}

func jsonNode(doc []byte, v *hujson.Value, depth int, whole bool) *node {
	n := &node{span: span{v.StartOffset, v.EndOffset}}
	if !whole && (depth > keptDepth || hasNested(v)) {
		n.text = string(doc[n.start:n.end])
		return n
	}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.kind = table
		for i := range value.Members {
			name := &value.Members[i].Name
			literal, _ := name.Value.(hujson.Literal)
			n.members = append(n.members, member{key: literal.String(), at: name.StartOffset,
				value: jsonNode(doc, &value.Members[i].Value, depth+1, whole)})
		}
	case *hujson.Array:
		n.kind = list
		for i := range value.Elements {
			n.items = append(n.items, jsonNode(doc, &value.Elements[i], depth+1, whole))
		}
	case hujson.Literal:
		n.text = string(value)
		if value.Kind() == '"' {
			n.kind, n.text = text, value.String()
		}
	}
	return n
}

// hasNested reports whether a value is a list of more than scalars, which no arguments are.
func hasNested(v *hujson.Value) bool {
	list, ok := v.Value.(*hujson.Array)
	return ok && slices.ContainsFunc(list.Elements, func(v hujson.Value) bool {
		_, scalar := v.Value.(hujson.Literal)
		return !scalar
	})
}

// commentEnds are the ends of comments by their beginnings.
var commentEnds = map[string][]byte{"//": []byte("\n"), "/*": []byte("*/")}

// tooDeep returns the offset of the bracket that opens one level too many, or -1. It skips texts and comments, and
// needs no other grammar.
func tooDeep(doc []byte) int {
	depth := 0
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
		case '/':
			ends := commentEnds[string(doc[i:min(i+2, len(doc))])]
			if ends == nil {
				continue
			}
			n := bytes.Index(doc[i+2:], ends)
			if n < 0 {
				return -1
			}
			i += 1 + n + len(ends)
		}
	}
	return -1
}

func (jsonFormat) quote(s string) string { return oneLineJSON(s) }

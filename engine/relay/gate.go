package relay

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// gate reads messages so strictly that every peer reads a passing message in the same way:
//
// - It is one JSON value in UTF-8 on one line, nested at most 512 deep.
// - The places that decide have no repeated key, and no key that a lax reader takes for a known one. These places are
// the envelope, params, the error, and the members of the result that somebody acts on.
// - Other members of a result may have everything that JSON allows. Tools produce repeated keys, lone surrogates and
// huge numbers, and no one acts on them here.
//
// It reuses its memory from message to message.
type gate struct {
	words   *vocabulary
	scanner jsontext.Scanner
	keys    []span // unknown keys of the envelope
	decoded []byte
}

type span struct{ start, end int }

// strictLimits are the limits for the places that decide. Lone surrogates may be in values: readers decode them
// differently but agree on where the value ends.
var strictLimits = jsontext.Limits{Bytes: 1 << 30, Depth: jsontext.LooseDepth, Members: 1 << 20, LoneSurrogates: true}

// maxIDBytes is the most bytes of an id, which is kept as long as its request is open.
const maxIDBytes = 1024

// maxEnvelope is the most members of an envelope that are not in JSON-RPC.
const maxEnvelope = 32

// read reads raw into m, which must be empty. A problem means that raw must not be forwarded. m then has the parts of
// the message that were read before, for reporting the refusal.
func (g *gate) read(m *message, raw []byte) (problem *elicit.Problem) {
	if whole := len(raw); whole > 0 {
		raw = bytes.Trim(raw, " \t\r\n") // the white space of JSON
		m.odd = len(raw) < whole
	}
	m.raw = raw
	if bytes.IndexByte(raw, '\r') >= 0 || bytes.IndexByte(raw, '\n') >= 0 {
		return faulty("message_line_break", "")
	}
	if !utf8.Valid(raw) {
		return faulty(jsontext.CodeUTF8, "")
	}
	return g.readValue(m, raw)
}

// readValue reads a message, or an element of a batch, from a line that is UTF-8 without line breaks.
func (g *gate) readValue(m *message, raw []byte) (problem *elicit.Problem) {
	m.raw = raw
	switch {
	case len(raw) == 0:
		return faulty(jsontext.CodeEmpty, "")
	case raw[0] == '[':
		m.kind = batch
		end, code := jsontext.LooseEnd(raw, 0, 0)
		return whole(raw, end, code)
	case raw[0] != '{':
		if _, code := jsontext.LooseEnd(raw, 0, 0); code == "" {
			return faulty("envelope_not_object", "")
		}
		return faulty(jsontext.CodeSyntax, "")
	}
	g.keys = g.keys[:0]
	version, id, problem := g.readEnvelope(m)
	if g.words.bare && string(m.params) == "null" {
		m.params = nil // some clients of Codex write it for a call without params
	}
	m.bare = version == nil
	m.given = id
	if problem == nil {
		if own := m.ownSpelling(id); own != nil {
			*m = message{odd: true}
			problem = g.readValue(m, own)
			m.given = id
			return problem
		}
		problem = m.classify(g.words, version, id)
	} else if validID(id) { // for reporting the refusal
		m.id = id
	}
	if problem == nil {
		problem = g.readDeciding(m)
	}
	if problem != nil {
		m.kind = invalid
	}
	return problem
}

func faulty(code, pointer string, args ...elicit.Arg) *elicit.Problem {
	return &elicit.Problem{Code: code, Pointer: pointer, Args: args}
}

// whole returns the problem with a value that does not end where raw ends.
func whole(raw []byte, end int, code string) *elicit.Problem {
	switch {
	case code != "":
		return looseFault(code)
	case end < len(raw):
		return faulty(jsontext.CodeTrailing, "")
	}
	return nil
}

// members walks over the members of the object that opens at doc[open]. It calls each with a key and the start of its
// value. each returns the end of the value, or a problem.
func members(
	doc []byte, open int, each func(key jsontext.Text, value int) (int, *elicit.Problem),
) (int, *elicit.Problem) {
	i := jsontext.Space(doc, open+1)
	for first := true; ; first = false {
		switch {
		case i >= len(doc):
			return i, faulty(jsontext.CodeTruncated, "")
		case doc[i] == '}':
			return i + 1, nil
		case !first && doc[i] != ',':
			return i, faulty(jsontext.CodeSyntax, "")
		case !first:
			i = jsontext.Space(doc, i+1)
		}
		if i >= len(doc) || doc[i] != '"' {
			return i, faulty(jsontext.CodeSyntax, "")
		}
		last, _, size, ok := jsontext.StringEnd(doc, i+1)
		if !ok {
			return i, faulty(jsontext.CodeSyntax, "")
		}
		key := jsontext.Text{Raw: doc[i+1 : last : last], Escaped: size != last-i-1}
		if i = jsontext.Space(doc, last+1); i >= len(doc) || doc[i] != ':' {
			return i, faulty(jsontext.CodeSyntax, "")
		}
		end, problem := each(key, jsontext.Space(doc, i+1))
		if problem != nil {
			return end, problem
		}
		i = jsontext.Space(doc, end)
	}
}

// value returns the end of the value at i.
func value(doc []byte, i, depth int) (int, *elicit.Problem) {
	end, code := jsontext.LooseEnd(doc, i, depth)
	if code != "" {
		return end, looseFault(code)
	}
	return end, nil
}

func looseFault(code string) *elicit.Problem {
	if code == jsontext.CodeDepth {
		return faulty(code, "", elicit.Num("limit", jsontext.LooseDepth))
	}
	return faulty(code, "")
}

// readEnvelope reads the outermost object and the members of its result and error. version and id are the raw values.
func (g *gate) readEnvelope(m *message) (version, id []byte, problem *elicit.Problem) {
	doc, seen := m.raw, uint(0)
	end, problem := members(doc, 0, func(key jsontext.Text, at int) (end int, problem *elicit.Problem) {
		which, problem := place(key, envelopeKeys, &seen)
		if problem != nil {
			return at, problem
		}
		switch {
		case which == 4 && at < len(doc) && doc[at] == '{':
			end, problem = g.readResult(m, doc, at)
		case which == 5 && at < len(doc) && doc[at] == '{':
			end, problem = m.readError(doc, at)
		default:
			end, problem = value(doc, at, 1)
		}
		if problem != nil {
			return end, problem
		}
		text := doc[at:end:end]
		switch which {
		case 0:
			version = text
		case 1:
			id = text
		case 2:
			m.name = text
		case 3:
			m.params = text
		case 4:
			m.result = text
		case 5:
			m.failure = text
		default:
			problem = g.unknownKey(key)
		}
		return end, problem
	})
	if problem == nil && end < len(doc) {
		problem = faulty(jsontext.CodeTrailing, "")
	}
	return version, id, problem
}

// place returns the index of key among the known keys, or -1. A repeated key and a lookalike are problems.
func place(key jsontext.Text, known []string, seen *uint) (int, *elicit.Problem) {
	for i, k := range known {
		if key.Equal(k) {
			if *seen&(1<<i) != 0 {
				return i, faulty(jsontext.CodeDuplicateKey, "/"+k)
			}
			*seen |= 1 << i
			return i, nil
		}
	}
	return -1, misread(key, known)
}

// unknownKey records a key of the envelope that is not in JSON-RPC. It refuses a repeated one.
func (g *gate) unknownKey(key jsontext.Text) *elicit.Problem {
	start := len(g.decoded)
	if len(g.keys) == 0 {
		start = 0
	}
	g.decoded = key.AppendTo(g.decoded[:start])
	name := g.decoded[start:]
	for _, k := range g.keys {
		if bytes.Equal(g.decoded[k.start:k.end], name) {
			return faulty(jsontext.CodeDuplicateKey, string(jsontext.AppendToken(nil, clipped(string(name)))))
		}
	}
	if len(g.keys) == maxEnvelope {
		return faulty(jsontext.CodeMembers, "", elicit.Num("limit", maxEnvelope))
	}
	g.keys = append(g.keys, span{start, len(g.decoded)})
	return nil
}

func (g *gate) readResult(m *message, doc []byte, at int) (int, *elicit.Problem) {
	seen := uint(0)
	return members(doc, at, func(key jsontext.Text, at int) (int, *elicit.Problem) {
		which, problem := place(key, g.words.result, &seen)
		if problem != nil {
			problem.Pointer = "/result" + problem.Pointer
			return at, problem
		}
		end, problem := value(doc, at, 2)
		if problem != nil {
			return end, problem
		}
		if which >= 0 {
			m.part(g.words.result[which], doc[at:end:end])
		}
		return end, nil
	})
}

// part records a member of the result that the machine acts on.
func (m *message) part(name string, text []byte) {
	switch name {
	case "resultType":
		m.resultType = text
	case "inputRequests":
		m.inputRequests = text
	case "requestState":
		m.requestState = text
	case "_meta":
		m.meta = text
	}
}

func (m *message) readError(doc []byte, at int) (int, *elicit.Problem) {
	seen := uint(0)
	return members(doc, at, func(key jsontext.Text, at int) (int, *elicit.Problem) {
		which, problem := place(key, errorKeys, &seen)
		if problem != nil {
			problem.Pointer = "/error" + problem.Pointer
			return at, problem
		}
		end, problem := value(doc, at, 2)
		if problem == nil && which == 0 {
			// The code decides, and readers convert a text to a number in different ways.
			if m.code = doc[at:end:end]; wire.TypeOf(m.code) != wire.Number {
				problem = faulty("wrong_type", "/error/code", elicit.Str("expected", "number"))
			}
		}
		return end, problem
	})
}

// classify says which kind of message the members make, by JSON-RPC 2.0.
func (m *message) classify(w *vocabulary, version, id []byte) *elicit.Problem {
	call, answer, bad := m.name != nil, m.result != nil, m.failure != nil
	nobody := bad && !call && !answer && string(id) == "null" // JSON-RPC 2.0 §5: the id could not be read
	switch {
	case version == nil && w.bare:
	case string(version) != `"2.0"`:
		if text, ok := wire.Text(version); !ok || text != "2.0" {
			m.keepID(id)
			return faulty("envelope_version", "/jsonrpc")
		}
	}
	switch {
	case id != nil && !nobody && !validID(id):
		return faulty("envelope_id", "/id")
	case !nobody:
		m.id = id
	}
	switch {
	case call && (answer || bad), answer && bad:
		return faulty("envelope_ambiguous", "")
	case call:
		return m.classifyCall(w)
	case answer:
		m.kind = result
	case bad:
		switch m.kind = failure; {
		case m.failure[0] != '{':
			return faulty("envelope_error", "/error")
		case m.code != nil && plainCode(m.code) == nil:
			return faulty("envelope_code", "/error/code") // readers convert such a code in different ways
		}
	default:
		return faulty("envelope_empty", "")
	}
	switch {
	case m.id == nil && !nobody:
		return faulty("envelope_id", "/id")
	case m.id != nil && plainID(m.id) == nil:
		return faulty("envelope_id", "/id") // no request passes under such an id
	}
	return nil
}

func (m *message) keepID(id []byte) {
	if validID(id) {
		m.id = id
	}
}

func (m *message) classifyCall(w *vocabulary) *elicit.Problem {
	name := m.name
	if len(name) > 1 && name[0] == '"' {
		name = name[1 : len(name)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			text, _ := wire.Text(m.name)
			if strings.Contains(text, "\uFFFD") { // some readers drop half a surrogate pair, which text has as U+FFFD
				text = ""
			}
			name = []byte(text)
		}
	} else {
		name = nil
	}
	m.method = w.methodOf(name)
	switch {
	case len(name) == 0 || m.method == otherMethod && w.unclear(name):
		return faulty("envelope_method", "/method")
	case m.params != nil && m.params[0] != '{':
		return faulty("envelope_params", "/params")
	}
	m.kind = notification
	if m.id != nil {
		m.kind = request
	}
	return nil
}

// validID reports whether raw may identify a request: a JSON string or number of bounded length.
func validID(raw []byte) bool {
	if len(raw) == 0 || len(raw) > maxIDBytes {
		return false
	}
	switch c := raw[0]; {
	case c == '"':
		_, _, _, ok := jsontext.StringEnd(raw, 1)
		return ok
	case c == '-' || c >= '0' && c <= '9':
		return true
	}
	return false
}

package gate

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Gate reads messages so strictly that every peer reads a passing message in the same way:
//
// - It is one JSON value in UTF-8 on one line, nested at most 512 deep.
// - The places that decide have no repeated key, and no key that a lax reader takes for a known one. These places are
// the envelope, params, the error, and the members of the result that somebody acts on.
// - Other members of a result may have everything that JSON allows. Tools produce repeated keys, lone surrogates and
// huge numbers, and no one acts on them here.
//
// It reuses its memory from message to message.
//
// A Gate belongs to one connection, and is for one message at a time.
type Gate struct {
	words   *Vocabulary
	scanner jsontext.Scanner
	keys    []span // unknown keys of the envelope
	decoded []byte
}

type span struct{ start, end int }

// StrictLimits are the limits for the places that decide. Lone surrogates may be in values: readers decode them
// differently but agree on where the value ends.
var StrictLimits = jsontext.Limits{Bytes: 1 << 30, Depth: jsontext.LooseDepth, Members: 1 << 20, LoneSurrogates: true}

// maxIDBytes is the most bytes of an id, which is kept as long as its request is open.
const maxIDBytes = 1024

// maxEnvelope is the most members of an envelope that are not in JSON-RPC.
const maxEnvelope = 32

// Read reads raw into m, which must be empty. A problem means that raw must not be forwarded. m then has the parts of
// the message that were read before, for reporting the refusal.
func (g *Gate) Read(m *Message, raw []byte) (problem *elicit.Problem) {
	given := len(raw)
	raw = bytes.Trim(raw, " \t\r\n") // the white space of JSON
	m.Odd = len(raw) < given
	m.Raw = raw
	if bytes.IndexByte(raw, '\r') >= 0 || bytes.IndexByte(raw, '\n') >= 0 {
		return Faulty("message_line_break", "")
	}
	if !utf8.Valid(raw) {
		return Faulty(jsontext.CodeUTF8, "")
	}
	return g.ReadValue(m, raw)
}

// ReadValue reads a message, or an element of a batch, from a line that is UTF-8 without line breaks.
func (g *Gate) ReadValue(m *Message, raw []byte) (problem *elicit.Problem) {
	m.Raw = raw
	switch {
	case len(raw) == 0:
		return Faulty(jsontext.CodeEmpty, "")
	case raw[0] == '[':
		m.Kind = Batch
		end, code := jsontext.LooseEnd(raw, 0, 0)
		return whole(raw, end, code)
	case raw[0] != '{':
		if _, code := jsontext.LooseEnd(raw, 0, 0); code == "" {
			return Faulty("envelope_not_object", "")
		}
		return Faulty(jsontext.CodeSyntax, "")
	}
	g.keys = g.keys[:0]
	version, id, problem := g.readEnvelope(m)
	if g.words.Bare && string(m.Params) == "null" {
		m.Params = nil // some clients of Codex write it for a call without params
	}
	m.Bare = version == nil
	m.Given = id
	if problem == nil {
		if own := m.ownSpelling(id); own != nil {
			*m = Message{Odd: true}
			problem = g.ReadValue(m, own)
			m.Given = id
			return problem
		}
		problem = m.classify(g.words, version, id)
	}
	if problem == nil {
		problem = g.readDeciding(m)
	}
	return problem
}

// Problem makes a problem that has no place.
func Problem(code string, args ...elicit.Arg) elicit.Problem {
	return elicit.Problem{Code: code, Args: args}
}

// Faulty makes a problem.
func Faulty(code, pointer string, args ...elicit.Arg) *elicit.Problem {
	return &elicit.Problem{Code: code, Pointer: pointer, Args: args}
}

// whole returns the problem with a value that does not end where raw ends.
func whole(raw []byte, end int, code string) *elicit.Problem {
	switch {
	case code != "":
		return looseFault(code)
	case end < len(raw):
		return Faulty(jsontext.CodeTrailing, "")
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
			return i, Faulty(jsontext.CodeTruncated, "")
		case doc[i] == '}':
			return i + 1, nil
		case !first && doc[i] != ',':
			return i, Faulty(jsontext.CodeSyntax, "")
		case !first:
			i = jsontext.Space(doc, i+1)
		}
		if i >= len(doc) || doc[i] != '"' {
			return i, Faulty(jsontext.CodeSyntax, "")
		}
		last, _, size, ok := jsontext.StringEnd(doc, i+1)
		if !ok {
			return i, Faulty(jsontext.CodeSyntax, "")
		}
		key := jsontext.Text{Raw: doc[i+1 : last : last], Escaped: size != last-i-1}
		if i = jsontext.Space(doc, last+1); i >= len(doc) || doc[i] != ':' {
			return i, Faulty(jsontext.CodeSyntax, "")
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
		return Faulty(code, "", elicit.Num("limit", jsontext.LooseDepth))
	}
	return Faulty(code, "")
}

// readEnvelope reads the outermost object and the members of its result and error. version and id are the raw values.
func (g *Gate) readEnvelope(m *Message) (version, id []byte, problem *elicit.Problem) {
	doc, seen := m.Raw, uint(0)
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
			m.Name = text
		case 3:
			m.Params = text
		case 4:
			m.Result = text
		case 5:
			m.Failure = text
		default:
			problem = g.unknownKey(key)
		}
		return end, problem
	})
	if problem == nil && end < len(doc) {
		problem = Faulty(jsontext.CodeTrailing, "")
	}
	return version, id, problem
}

// place returns the index of key among the known keys, or -1. A repeated key and a lookalike are problems.
func place(key jsontext.Text, known []string, seen *uint) (int, *elicit.Problem) {
	for i, k := range known {
		if key.Equal(k) {
			if *seen&(1<<i) != 0 {
				return i, Faulty(jsontext.CodeDuplicateKey, "/"+k)
			}
			*seen |= 1 << i
			return i, nil
		}
	}
	return -1, misread(key, known)
}

// unknownKey records a key of the envelope that is not in JSON-RPC. It refuses a repeated one.
func (g *Gate) unknownKey(key jsontext.Text) *elicit.Problem {
	start := len(g.decoded)
	if len(g.keys) == 0 {
		start = 0
	}
	g.decoded = key.AppendTo(g.decoded[:start])
	name := g.decoded[start:]
	for _, k := range g.keys {
		if bytes.Equal(g.decoded[k.start:k.end], name) {
			return Faulty(jsontext.CodeDuplicateKey, string(jsontext.AppendToken(nil, Clipped(string(name)))))
		}
	}
	if len(g.keys) == maxEnvelope {
		return Faulty(jsontext.CodeMembers, "", elicit.Num("limit", maxEnvelope))
	}
	g.keys = append(g.keys, span{start, len(g.decoded)})
	return nil
}

func (g *Gate) readResult(m *Message, doc []byte, at int) (int, *elicit.Problem) {
	seen := uint(0)
	return members(doc, at, func(key jsontext.Text, at int) (int, *elicit.Problem) {
		which, problem := place(key, g.words.Result, &seen)
		if problem != nil {
			problem.Pointer = "/result" + problem.Pointer
			return at, problem
		}
		end, problem := value(doc, at, 2)
		if problem != nil {
			return end, problem
		}
		if which >= 0 {
			m.part(g.words.Result[which], doc[at:end:end])
		}
		return end, nil
	})
}

// part records a member of the result that the machine acts on.
func (m *Message) part(name string, text []byte) {
	switch name {
	case "resultType":
		m.ResultType = text
	case "inputRequests":
		m.InputRequests = text
	case "requestState":
		m.requestState = text
	case "_meta":
		m.Meta = text
	}
}

func (m *Message) readError(doc []byte, at int) (int, *elicit.Problem) {
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
			if m.Code = doc[at:end:end]; wire.TypeOf(m.Code) != wire.Number {
				problem = Faulty("wrong_type", "/error/code", elicit.Str("expected", "number"))
			}
		}
		return end, problem
	})
}

// classify says which kind of message the members make, by JSON-RPC 2.0.
func (m *Message) classify(w *Vocabulary, version, id []byte) *elicit.Problem {
	call, answer, bad := m.Name != nil, m.Result != nil, m.Failure != nil
	nobody := bad && !call && !answer && string(id) == "null" // JSON-RPC 2.0 §5: the id could not be read
	switch {
	case version == nil && w.Bare:
	case string(version) != `"2.0"`:
		if text, ok := wire.Text(version); !ok || text != "2.0" {
			m.keepID(id)
			return Faulty("envelope_version", "/jsonrpc")
		}
	}
	switch {
	case id != nil && !nobody && !ValidID(id):
		return Faulty("envelope_id", "/id")
	case !nobody:
		m.ID = id
	}
	switch {
	case call && (answer || bad), answer && bad:
		return Faulty("envelope_ambiguous", "")
	case call:
		return m.classifyCall(w)
	case answer:
		m.Kind = Result
	case bad:
		switch m.Kind = Failure; {
		case m.Failure[0] != '{':
			return Faulty("envelope_error", "/error")
		case m.Code != nil && plainCode(m.Code) == nil:
			return Faulty("envelope_code", "/error/code") // readers convert such a code in different ways
		}
	default:
		return Faulty("envelope_empty", "")
	}
	switch {
	case m.ID == nil && !nobody:
		return Faulty("envelope_id", "/id")
	case m.ID != nil && PlainID(m.ID) == nil:
		return Faulty("envelope_id", "/id") // no request passes under such an id
	}
	return nil
}

func (m *Message) keepID(id []byte) {
	if ValidID(id) {
		m.ID = id
	}
}

func (m *Message) classifyCall(w *Vocabulary) *elicit.Problem {
	name := m.Name
	if name[0] == '"' {
		name = name[1 : len(name)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			text, _ := wire.Text(m.Name)
			if strings.Contains(text, "\uFFFD") { // some readers drop half a surrogate pair, which text has as U+FFFD
				text = ""
			}
			name = []byte(text)
		}
	} else {
		name = nil
	}
	m.Method = w.methodOf(name)
	m.Question = slices.Contains(w.Questions, m.Method)
	switch {
	case len(name) == 0 || m.Method == OtherMethod && w.unclear(name):
		return Faulty("envelope_method", "/method")
	case m.Params != nil && m.Params[0] != '{':
		return Faulty("envelope_params", "/params")
	}
	m.Kind = Notification
	if m.ID != nil {
		m.Kind = Request
	}
	return nil
}

// ValidID reports whether raw may identify a request: a JSON string or number of bounded length.
func ValidID(raw []byte) bool {
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

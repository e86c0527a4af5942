package wire

import (
	"bytes"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// These are the JSON-RPC 2.0 error codes that every protocol here uses.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// maxReported is the most problems in an error reply: a hostile message must not cause a reply larger than itself.
const maxReported = 32

const opening = `{"jsonrpc":"2.0",`

// AppendRequest appends a request. id and params are raw JSON. nil params are left out.
func AppendRequest(dst, id []byte, method string, params []byte) []byte {
	dst = append(append(append(dst, opening...), `"id":`...), id...)
	return appendCall(append(dst, ','), method, params)
}

// AppendNotification appends a notification. nil params are left out.
func AppendNotification(dst []byte, method string, params []byte) []byte {
	return appendCall(append(dst, opening...), method, params)
}

func appendCall(dst []byte, method string, params []byte) []byte {
	dst = jsontext.AppendString(append(dst, `"method":`...), method)
	if params != nil {
		dst = append(append(dst, `,"params":`...), params...)
	}
	return append(dst, '}')
}

// Bare returns a message of this package without its jsonrpc member, for peers that leave it out. Another text stays as
// it is.
//
// It looks for the exact beginning that this package writes, so a message of a peer stays as it came.
func Bare(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte(opening)); ok {
		return append([]byte{'{'}, rest...)
	}
	return text
}

// AppendResult appends the answer to the request id.
func AppendResult(dst, id, result []byte) []byte {
	dst = append(append(append(dst, opening...), `"id":`...), id...)
	return append(append(append(dst, `,"result":`...), result...), '}')
}

// AppendError appends an error reply. A nil id becomes null, for a request that could not be read. nil data is left
// out.
//
// JSON-RPC 2.0 section 5 asks for a null id if the id of the request could not be detected.
func AppendError(dst, id []byte, code int, message string, data []byte) []byte {
	if id == nil {
		id = []byte("null")
	}
	dst = append(append(append(dst, opening...), `"id":`...), id...)
	dst = strconv.AppendInt(append(dst, `,"error":{"code":`...), int64(code), 10)
	dst = jsontext.AppendString(append(dst, `,"message":`...), message)
	if data != nil {
		dst = append(append(dst, `,"data":`...), data...)
	}
	return append(dst, '}', '}')
}

// AppendProblems appends an error reply. Its message is the first problem for a person, and data.problems lists all
// problems for a program.
func AppendProblems(dst, id []byte, code int, problems []elicit.Problem) []byte {
	data := elicit.AppendList([]byte(`{"problems":`), problems[:min(len(problems), maxReported)])
	return AppendError(dst, id, code, Sentence(problems), append(data, '}'))
}

// Refusal is an error reply: the JSON-RPC code and all problems.
//
// A caller may also only report the problems. Code then has no meaning.
type Refusal struct {
	Code     int
	Problems []elicit.Problem
}

// Append appends the refusal as an error reply to id.
func (r *Refusal) Append(dst, id []byte) []byte { return AppendProblems(dst, id, r.Code, r.Problems) }

// Sentence returns the first problem in English, with its pointer and the number of further ones.
func Sentence(problems []elicit.Problem) string {
	if len(problems) == 0 {
		return "Invalid request"
	}
	s := english.Problem(problems[0])
	if p := problems[0].Pointer; p != "" {
		s += " (at " + p + ")"
	}
	if more := len(problems) - 1; more > 0 {
		s += ", and " + strconv.Itoa(more) + " more"
	}
	return s
}

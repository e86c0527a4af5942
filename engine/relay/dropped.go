package relay

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// An answer of the server that cannot be read is dropped. Often it still shows which call it was for. That call fails
// a little later, because its caller would wait for ever. The delay lets a readable answer come: some servers write
// their log on the wrong stream, and a line of a log may look like an answer.

const (
	// A call is failed only for an answer that shows its id, or if it is the server's only call. A wrong guess costs an
	// error for a call that the server still answers. The machine drops that answer, because its id is not open any more.
	unreadWait = 1000      // milliseconds until a call with an unreadable answer fails
	maxSpread  = 256 << 10 // bytes of a message over several lines that are looked at
)

// doubts are about answers of the server that could not be read.
type doubts struct {
	spread spread
	calls  *link.Calls
	clock  *link.Clock
	fail   func(k *link.Call, problems ...elicit.Problem)
}

// spread is the beginning of a message that the server writes over several lines. Each line is refused by itself.
//
// A server that prints indented JSON sends "{", then "  \"id\": 5,", and so on. depth counts open brackets over the
// lines. At zero the message is whole, and the ids in text say which calls it answers.
type spread struct {
	text  []byte
	lines int
	depth int
}

// dropped looks at a refused line of the server, and at the lines before it. It doubts the calls that they answer.
func (d *doubts) dropped(line []byte, problem elicit.Problem) {
	s := &d.spread
	line = bytes.TrimPrefix(line, []byte("\uFEFF")) // some writers begin with a byte order mark
	// A line that begins otherwise is a log line, such as "Listening on 8080". It begins no JSON message.
	if s.lines == 0 && (len(line) == 0 || line[0] != '{' && line[0] != '[') {
		return
	}
	s.depth += gate.Nesting(line)
	s.lines++
	// One line adds at most maxSpread, and the next test ends the message. So text has at most twice that bound.
	s.text = append(s.text, line[:min(len(line), maxSpread)]...)
	if s.lines == 1 { // also if more lines follow: this one may be all that there is
		d.answered(s.text, problem)
	}
	if s.depth <= 0 || len(s.text) > maxSpread {
		// A negative depth is text with more closing brackets than opening ones. It was no message.
		if s.lines > 1 && s.depth == 0 {
			d.answered(s.text, elicit.Problem{Code: "message_line_break"})
		}
		*s = spread{}
	}
}

// answered doubts the calls that an unreadable text answers: those whose ids are in it, or the only one that the
// server has.
//
// An empty envelope, such as {"jsonrpc":"2.0","id":5}, counts as an answer: some servers leave a result out that is
// null.
func (d *doubts) answered(text []byte, problem elicit.Problem) {
	g := gate.Glance(text)
	said := bytes.Contains(text, []byte(`"result"`)) || bytes.Contains(text, []byte(`"error"`))
	if !said && problem.Code != "envelope_empty" || g.Call && !g.Answer {
		return // a request, or a line of a log
	}
	why := gate.Problem("answer_unread", elicit.Str("why", english.Problem(problem)))
	ids := gate.IDsIn(text)
	for _, id := range ids {
		if key, open := gate.Find(d.calls.ByServer, id); open {
			d.doubt(d.calls.ByServer[key], why)
		}
	}
	if len(ids) == 0 {
		d.only(why)
	}
}

// only doubts the only call that the server has.
func (d *doubts) only(why elicit.Problem) {
	if len(d.calls.ByServer) == 1 {
		for _, k := range d.calls.ByServer {
			d.doubt(k, why)
		}
	}
}

// doubt fails a call after a while, unless the server answers it before.
func (d *doubts) doubt(k *link.Call, why elicit.Problem) {
	// The first reason stays. A second unreadable line must not postpone the failure, or a server could keep a call open
	// without end.
	if k.Doubted != nil {
		return
	}
	k.Shared = true
	k.Doubted = d.clock.After(unreadWait, func() {
		// A readable answer may have come meanwhile. It may have begun a round, and then the call is open but not at the
		// server.
		if k.Open && k.AtServer {
			d.calls.Given.Add(gate.CanonicalID(k.ServerKey.Raw()))
			d.fail(k, why)
		}
	})
}

// answersFailed reports whether an answer may be for a call that has failed or was cancelled, although a call under
// the other spelling of its id is open. Nobody can say whose answer it is, so the open call is doubted.
//
// Example: a call 5 was cancelled, and the client now has a call "5" open. The server answers 5. AnsweredAs would take
// that for an answer to "5".
func (d *doubts) answersFailed(id []byte) bool {
	if d.calls.Given.Len() == 0 || !d.calls.Given.Has(gate.CanonicalID(id)) {
		return false
	}
	// clientRequest sends no call under an id that is in Given, so an exact match would be the open call's own answer.
	key, open := gate.Find(d.calls.ByServer, id)
	if !open || key == gate.KeyOf(id) {
		return false
	}
	why := gate.Problem("answer_unasked", elicit.Str("id", gate.Clipped(string(id))))
	d.doubt(d.calls.ByServer[key], gate.Problem("answer_unread", elicit.Str("why", english.Problem(why))))
	return true
}

package log

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
)

// loggedQuestion is what the records tell of a question.
type loggedQuestion struct {
	session, ref string
	id           string
	message      string
	linked       bool  // the server reports when its page is finished
	given        int64 // when the interface first had it, 0 for never
	drawn        int64 // when it was first drawn where the person can see it, 0 for never or unknown

	// Filters and counts look at these.
	seq          int64 // of the record that brought it
	asked        int64 // when
	server, tool string
	destructive  bool // the server says so of the tool
	kind         elicit.Kind
	outcome      elicit.Outcome // "" without a reply
	cause        elicit.Cause
	by           string          // the rule that decided, or the file of answers; "" for the words of cause
	ended        int64           // when it was replied to or withdrawn
	words        []string        // codes and rules of its reasons, and codes of its findings
	severity     elicit.Severity // of its worst finding, "" for none

	held heldRecords
	told bool // in the brief log
}

// questionLog holds the open questions of a journal. Events and effects name a question by the server's handle or by
// its id. Ended questions are removed, so a journal of any length takes the same memory.
type questionLog struct {
	byRef  map[[2]string]*loggedQuestion // by session and ref
	byID   map[string]*loggedQuestion
	tells  map[string]bool // sessions whose interface reports when it draws a question
	ending []*loggedQuestion
	about  *loggedQuestion // that the event of the present record is about
	asked  bool            // the present record is a question
	at     int64           // the time of the present record
}

func newQuestionLog() questionLog {
	return questionLog{byRef: map[[2]string]*loggedQuestion{}, byID: map[string]*loggedQuestion{},
		tells: map[string]bool{}}
}

// begin reads the event of a record. isOpen says whether its session is.
func (l *questionLog) begin(rec journal.Record, ev gjson.Result, server string, isOpen bool) {
	l.at = rec.At
	session, ref := ev.Get("session").String(), ev.Get("ref").String()
	if isOpen && ev.Get("event").String() == "asked" && l.byRef[[2]string{session, ref}] == nil {
		l.byRef[[2]string{session, ref}] = &loggedQuestion{session: session, ref: ref,
			message: ev.Get("message").String(), linked: ev.Get("link").Exists(),
			seq: rec.Seq, asked: rec.At, server: server, tool: ev.Get("tool").String(),
			destructive: ev.Get("annotations.destructive").Bool()}
	}
	l.asked = ev.Get("event").String() == "asked"
	l.about = l.find(ev)
	if ev.Get("event").String() == "noted" {
		l.tells[session] = true
		if q := l.about; q != nil && q.drawn == 0 && ev.Get("receipt").String() == string(event.ReceiptShown) {
			q.drawn = l.at
		}
	}
}

// link learns the id of a question from the first effect that names it. In a journal of format 1 no effect has the ref
// beside the id, so there only a question that was shown at once is known by its id.
func (l *questionLog) link(ef gjson.Result) {
	id, q := ef.Get("id").String(), l.byRef[[2]string{ef.Get("session").String(), ef.Get("ref").String()}]
	if name := ef.Get("effect").String(); q == nil && (name == "show" || name == "consult") && l.asked {
		q = l.about
	}
	if q != nil && q.id == "" && id != "" {
		q.id, l.byID[id] = id, q
	}
}

// find returns the question that an event or an effect names, nil for none.
func (l *questionLog) find(of gjson.Result) *loggedQuestion {
	if q := l.byID[of.Get("id").String()]; q != nil {
		return q
	}
	return l.byRef[[2]string{of.Get("session").String(), of.Get("ref").String()}]
}

// name is how a line names a question: the beginning of its text in quotes. It is "" when the journal does not tell.
func (q *loggedQuestion) name() string {
	if q == nil || q.message == "" {
		return ""
	}
	return "“" + plain.Cut(cli.OneLine(q.message), 48) + "”"
}

// of returns " to “…”" with that preposition for an event, and for an effect that is about another question than its
// record. Otherwise it returns "".
func (l *questionLog) of(preposition string, thing gjson.Result) string {
	q := l.find(thing)
	if q.name() == "" || thing.Get("effect").Exists() && q == l.about {
		return ""
	}
	if preposition == ":" {
		return ": " + q.name()
	}
	return " " + preposition + " " + q.name()
}

// ends says that a question is over after the present record.
func (l *questionLog) ends(q *loggedQuestion) {
	if q != nil {
		l.ending = append(l.ending, q)
	}
}

// finish forgets the questions that ended with the record.
func (l *questionLog) finish() {
	for _, q := range l.ending {
		delete(l.byRef, [2]string{q.session, q.ref})
		delete(l.byID, q.id)
	}
	l.ending = l.ending[:0]
}

// close forgets the questions of a session that ended.
func (l *questionLog) close(session string) {
	delete(l.tells, session)
	for _, q := range l.byRef {
		if q.session == session {
			l.ends(q)
		}
	}
}

// closeAll forgets the questions of a process that is gone.
func (l *questionLog) closeAll() {
	clear(l.tells)
	for _, q := range l.byRef {
		l.ends(q)
	}
}

// unanswered are the causes of an end that no person, policy or guardian decided.
var unanswered = []elicit.Cause{elicit.ByTimeout, elicit.ByPeerCancelled, elicit.ByCallEnded, elicit.BySessionClosed,
	elicit.BySuperseded, elicit.ByShutdown}

// seen says for how long a person could see a question that ended. It says "never shown" only when the journal shows
// it: the question was still waiting for its turn, or the interface reports what it draws and did not draw this one.
func (l *questionLog) seen(q *loggedQuestion, cause elicit.Cause) string {
	open := slices.Contains(unanswered, cause)
	switch {
	case q == nil:
		return ""
	case q.drawn != 0:
		return "; it was shown for " + spent(l.at-q.drawn)
	case !open:
		return ""
	case q.given == 0 || l.tells[q.session]:
		return "; it was never shown"
	}
	return "; the interface had it for " + spent(l.at-q.given)
}

func spent(ms int64) string {
	if d := time.Duration(ms) * time.Millisecond; d >= 10*time.Second {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.1f s", float64(ms)/1000)
}

// causeOf says why a question ended.
func causeOf(ef gjson.Result) string {
	return cli.OneLine(english.Ended(elicit.Cause(ef.Get("cause").String()), cli.ReasonsOf(ef.Get("reasons"))))
}

// receipts are the lines of noted events, by receipt.
var receipts = map[event.Receipt]string{
	event.ReceiptShown:      "the question is on the screen",
	event.ReceiptFocused:    "the person turned to the question",
	event.ReceiptFirstInput: "the person began to answer",
}

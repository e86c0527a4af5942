// Package desk lets a short-lived process of this user, such as a command hook, ask on the page or the terminal of a
// running one. The running process has a [Desk] around its user interface. It shows the question and sends the answer
// back. It decides nothing: the process that asks has the engine, the policy and the journal.
//
//	page := desk.New(browser, desk.Dedicated) // in the running process; page is the user interface from now on
//
//	for _, place := range desk.Find(desk.Beside) { // in the process that asks
//		asking, err := place.Ask(question)
//		for said := range asking.Said { … }
//	}
//
// Both talk through a socket that only this user can enter (package ownsocket), one JSON object a line. The desk greets
// with a hello, the asker sends one Question, and then each sends what happens. When either end closes, the question is
// withdrawn. Neither end trusts the other more than any program of the same user: lines are bounded, and what cannot be
// read ends the conversation.
package desk

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// protocol is the version of the conversation. A desk and an asker of different versions do not talk.
const protocol = 1

// Bounds of a conversation.
const (
	socketPrefix  = "desk-"
	mostLine      = 4 << 20 // more than the largest answer that the engine reads
	mostQuestions = 16      // that one desk shows for others at once
	patience      = 2 * time.Second
	mostNews      = 256
	mostArg       = 4 << 10
)

// Rank says how likely it is that the person sees a desk.
type Rank int

// These are the ranks, the best one last.
const (
	Beside    Rank = 1 + iota // it asks beside its own work
	Watched                   // a browser has its page open
	Dedicated                 // the person has started it for such questions
)

// Question is what an asker wants to be shown.
type Question struct {
	Host     string // the program that wants to know
	Subagent string // the kind of its agent that does, "" for the main one
	Session  string // its conversation, "" when it has none
	Server   string
	Tool     string
	Kind     elicit.Kind
	Message  string
	Parts    []elicit.Part
	Schema   []byte
	Findings []elicit.Finding
	Reasons  []elicit.Reason
	Remember []elicit.Scope

	Arguments []byte // of the call that waits, a JSON object, or nil
	Takes     elicit.Takes

	// These tell what an approval would do, as in elicit.Request.
	Does         elicit.Deed
	Command, Cwd string
	Paths, Hosts []string
	ReachCut     bool
	Outside      elicit.Said
}

// hello is the first line of a desk.
type hello struct {
	Protocol int
	Rank     Rank
}

// fromDesk is every other line of a desk. One member is set.
type fromDesk struct {
	Answer  *ui.Given     `json:",omitempty"`
	Receipt event.Receipt `json:",omitempty"`
	Gone    bool          `json:",omitempty"` // nobody can be shown the question here
}

// toDesk is every line of an asker. One member is set.
type toDesk struct {
	Question *Question        `json:",omitempty"`
	Problems []elicit.Problem `json:",omitempty"` // of the last answer; the question stays open
	Over     *effect.Reply    `json:",omitempty"` // how the question ended
}

// errUnreadable is why a conversation ends.
var errUnreadable = errors.New("the question cannot be shown")

// show makes what a user interface draws. The form comes from the schema, as it does in the engine of the asker.
func (q *Question) show(session string, id elicit.ID) (effect.Show, error) {
	s := effect.Show{Session: session, ID: id, Ref: session, Server: q.Server, Tool: q.Tool, Mode: elicit.Form,
		Kind: q.Kind, Message: q.Message, Findings: q.Findings, Reasons: q.Reasons, Remember: q.Remember,
		Arguments: q.Arguments, Takes: q.Takes, Parts: q.Parts, Does: q.Does, Command: q.Command, Cwd: q.Cwd,
		Paths: q.Paths, Hosts: q.Hosts, ReachCut: q.ReachCut, Outside: q.Outside}
	switch {
	case !q.readableDeed():
		return s, errUnreadable
	case q.Server == "" || q.Host == "" || !readableNews(q.Findings, q.Reasons):
		return s, errUnreadable
	case q.Kind != elicit.KindForm && q.Kind != elicit.KindConfirm && q.Kind != elicit.KindApproval:
		return s, errUnreadable
	case q.Arguments != nil && !json.Valid(q.Arguments):
		return s, errUnreadable
	case slices.ContainsFunc(q.Remember, func(scope elicit.Scope) bool { return scope != elicit.Always }):
		return s, errUnreadable // the process that asks ends with the question, and so does its session
	}
	if q.Server != q.Host {
		s.Server = q.Server + " in " + q.Host
	}
	if q.Subagent != "" {
		s.Server += " (subagent " + q.Subagent + ")"
	}
	var problems []elicit.Problem
	s.Form, problems = schema.Compile(q.Schema, schema.Options{})
	if s.Form == nil || problems != nil {
		return s, errUnreadable
	}
	return s, nil
}

// readableDeed reports whether the parts cover the message, and whether an engine would take what an approval would do.
func (q *Question) readableDeed() bool {
	r := elicit.Request{Message: q.Message, Parts: q.Parts, Paths: q.Paths, Hosts: q.Hosts}
	_, wrong := r.WrongPart()
	n, bytes := r.ReachSize()
	return !wrong && q.Does.Valid() && n <= elicit.MaxReach && bytes <= elicit.MaxReachBytes &&
		(q.Outside == elicit.Unsaid || q.Outside == elicit.SaidYes || q.Outside == elicit.SaidNo)
}

// readableNews reports whether findings and reasons can be put into words.
func readableNews(findings []elicit.Finding, reasons []elicit.Reason) bool {
	return len(findings) <= mostNews && len(reasons) <= mostNews &&
		!slices.ContainsFunc(findings, func(f elicit.Finding) bool { return !readable(f.Args) }) &&
		!slices.ContainsFunc(reasons, func(r elicit.Reason) bool { return !readable(r.Args) })
}

func readableProblems(problems []elicit.Problem) bool {
	return len(problems) <= mostNews &&
		!slices.ContainsFunc(problems, func(p elicit.Problem) bool { return !readable(p.Args) })
}

// readable reports whether figures are texts, numbers and truth values, as the functions that word them expect.
func readable(args []elicit.Arg) bool {
	return !slices.ContainsFunc(args, func(a elicit.Arg) bool {
		var v any
		if len(a.Raw) > mostArg || json.Unmarshal([]byte(a.Raw), &v) != nil {
			return true
		}
		switch v.(type) {
		case string, float64, bool:
			return false
		}
		return true
	})
}

// line is one end of a conversation.
type line struct {
	net.Conn
	scanner *bufio.Scanner

	mu sync.Mutex // one line is written at a time
}

func newLine(c net.Conn) *line {
	l := &line{Conn: c, scanner: bufio.NewScanner(c)}
	l.scanner.Buffer(nil, mostLine)
	return l
}

// send writes one line. The other end reads at once, or it is broken.
func (l *line) send(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err = l.Write(append(text, '\n'))
	return err
}

// receive reads the next line. It is false when there is none that can be read.
func (l *line) receive(v any) bool {
	return l.scanner.Scan() && json.Unmarshal(l.scanner.Bytes(), v) == nil
}

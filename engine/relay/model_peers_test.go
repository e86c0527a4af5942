package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// peers is the naive reference. It tracks what each peer waits for and has to answer, using only the messages on the
// wire. Every call, question and answer has a tag of its own in its text, so an answer that reaches another request is
// detected.
type peers struct {
	*world
	agents      *agents              // in place of MCP's peers; nil for none
	clientWaits map[string]request1  // calls of the client without an answer, by exact id
	serverWaits map[string]request1  // requests of the server without an answer, by exact id
	atServer    map[string]request1  // what the server has to answer, by the id that it knows
	atClient    map[string]request1  // what the client has to answer
	gone        map[End][]string     // ids that an end must not answer any more, raw
	cancelled   map[string]bool      // the ids, as spelled, of calls that the client has cancelled
	from        map[string]string    // the request that an answer was given to, by tags
	entries     map[string][]string  // tags of the questions in the rounds of a call, by its tag
	retries     []retryable          // rounds that the client has
	screen      ids                  // what the person sees
	answered    map[elicit.ID]bool   // the person has answered it, and the form is closed
	past        []effect.Show        // what the person saw before
	consults    []effect.Consult     // what guardians were asked
	needsTwo    map[elicit.ID]string // the guardian for which an answer needs another person; "again" after asksAgain
	pairs       bool                 // the guardian "pairs" is configured, which always wants another person
	settledOnce map[string]bool      // questions that have been settled, by session and ref
	accepted    map[string]bool      // tools and arguments of the held calls that were accepted

	crossed                            request1 // a request that is cancelled when its deadline has just passed
	crossedKey                         string
	clientGone, hostLeft, serverSilent bool
	closedServer, closedClient         bool
}

// request1 is one request as its sender made it.
type request1 struct {
	raw      string // its id as spelled
	tag      string
	tool     string
	method   string
	token    string
	question bool
	rounds   bool // it declared 2026-07-28 itself
	confirm  bool
}

type retryable struct {
	request1
	state     string
	questions map[string]string // tag by key; "" for an entry that is no question
}

func newPeers(w *world) *peers {
	return &peers{world: w, needsTwo: map[elicit.ID]string{}, clientWaits: map[string]request1{},
		serverWaits: map[string]request1{},
		cancelled:   map[string]bool{},
		atServer:    map[string]request1{}, atClient: map[string]request1{},
		gone: map[End][]string{}, from: map[string]string{},
		entries: map[string][]string{}, screen: ids{},
		answered: map[elicit.ID]bool{}, settledOnce: map[string]bool{}, accepted: map[string]bool{}}
}

// plain1 is a message as a plain reader sees it.
type plain1 struct {
	ID     json.RawMessage
	Method *string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

func readPlain(text []byte) (list []plain1) {
	var one plain1
	if bytes.HasPrefix(text, []byte("[")) {
		_ = json.Unmarshal(text, &list)
		return list
	}
	if json.Unmarshal(text, &one) != nil {
		return nil
	}
	return []plain1{one}
}

// exact returns an id in a form that tells requests apart: 5 and "5" are two, 5 and 5.0 are one.
func exact(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return "s:" + s
	}
	var n float64
	if json.Unmarshal(raw, &n) == nil {
		return fmt.Sprint("n:", n)
	}
	return "n:" + string(raw)
}

// keyIn returns the key of the request in a table that an id of a peer means: 5 means "5" if 5 is not there.
func keyIn(table map[string]request1, raw []byte) string {
	key := exact(raw)
	if _, there := table[key]; !there {
		twin := "s:" + key[2:]
		if key[0] == 's' {
			twin = exact([]byte(key[2:]))
		}
		if _, there := table[twin]; there {
			return twin
		}
	}
	return key
}

var (
	tagPattern      = regexp.MustCompile(`\bt\d+\b`) // of calls and requests
	answerPattern   = regexp.MustCompile(`\ba\d+\b`) // of answers
	questionPattern = regexp.MustCompile(`\bq\d+\b`) // of questions
)

func tagIn(text []byte) string { return string(tagPattern.Find(text)) }

func (p *peers) describe(m plain1) request1 {
	c := request1{raw: string(m.ID), method: *m.Method, tag: tagIn(m.Params), question: *m.Method == "elicitation/create"}
	if c.question {
		c.tag = string(questionPattern.Find(m.Params))
		c.confirm = bytes.Contains(m.Params, []byte(`"properties":{}`))
	}
	var params struct {
		Name string
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params)
	c.tool = params.Name
	c.token = string(params.Meta["progressToken"])
	_, c.rounds = params.Meta[gate.MetaVersion]
	c.rounds = c.rounds || bytes.Contains(m.Params, []byte(`"requestState"`))
	return c
}

// hear records what a peer has said before the machine reads it.
func (p *peers) hear(from End, line string) {
	for _, m := range readPlain([]byte(line)) {
		switch {
		case m.Method != nil && m.ID != nil:
			p.hearRequest(from, m)
		case m.Method != nil:
			p.hearNotice(from, m)
		default:
			p.hearAnswer(from, m)
		}
	}
}

// reuses reports whether a line has a request under an open id.
func (p *peers) reuses(from End, line string) bool {
	waits := p.clientWaits
	if from == Server {
		waits = p.serverWaits
	}
	for _, m := range readPlain([]byte(line)) {
		key := exact(m.ID)
		if from == Server { // which may not have two requests under 5 and "5"
			key = keyIn(waits, m.ID)
		}
		if _, open := waits[key]; open && m.Method != nil {
			return true
		}
	}
	return false
}

// respells reports whether a line of the client cancels a call under an id that is not open as it is spelled, or that
// is open in the other spelling too.
func (p *peers) respells(from End, line string) bool {
	for _, m := range readPlain([]byte(line)) {
		if from == Client && m.Method != nil && *m.Method == "notifications/cancelled" {
			key := exact(gate.CancelledID(m.Params, "requestId"))
			waits := maps.Clone(p.clientWaits)
			delete(waits, key)
			_, open := p.clientWaits[key]
			_, twin := waits[keyIn(waits, gate.CancelledID(m.Params, "requestId"))]
			return !open || twin
		}
	}
	return false
}

func (p *peers) hearRequest(from End, m plain1) {
	waits := p.clientWaits
	if from == Server {
		waits = p.serverWaits
		if p.closedServer {
			return // there is no id to answer
		}
	}
	key := exact(m.ID)
	if from == Server {
		key = keyIn(waits, m.ID)
	}
	if _, open := waits[key]; !open {
		waits[key] = p.describe(m)
	}
}

func (p *peers) hearNotice(from End, m plain1) {
	if *m.Method != "notifications/cancelled" {
		return
	}
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &params)
	waits := p.clientWaits
	if from == Server {
		waits = p.serverWaits
	}
	key := keyIn(waits, params.RequestID)
	if due := p.due(); due != 0 && due <= max(p.clock, p.m.time.Now) {
		p.crossed, p.crossedKey = waits[key], key
	}
	p.met["call cancelled"]++
	delete(waits, key)
	if from == Client {
		p.cancelled[key] = true
	}
}

// hearAnswer records the request that an answer was given to. An answer to nothing is recorded under "".
func (p *peers) hearAnswer(from End, m plain1) {
	has := p.atServer
	if from == Client {
		has = p.atClient
	}
	key := keyIn(has, m.ID)
	if from == Server && key != exact(m.ID) && p.cancelled[exact(m.ID)] {
		key = "" // it may be the answer to the call that was cancelled under this id
	}
	c := has[key]
	delete(has, key)
	if c.question && bytes.Contains(m.Result, []byte(`"action":"accept"`)) {
		p.from["yes "+c.tag] = c.tag
	}
	for _, tag := range answerPattern.FindAll(append(m.Result, m.Error...), -1) {
		p.from[string(tag)] = c.tag
	}
	if c.tag == "" {
		p.met["late answer"]++
	}
	for _, q := range questionPattern.FindAll(m.Result, -1) {
		p.entries[c.tag] = append(p.entries[c.tag], string(q))
	}
}

package relay

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// This file checks every effect: what goes to the peers, to the person and to the guardians.

// told checks one message that an end gets.
func (p *peers) told(to End, text []byte, forwarded bool) {
	if p.agents != nil {
		p.agents.heard(to, text, forwarded)
		return
	}
	if to == Server && p.closedServer {
		p.wrong("the server gets something behind the end of its input: %s", text)
	}
	if to == Client && p.closedClient {
		return // a program that is both client and host may still make calls, and gets errors
	}
	list := readPlain(text)
	if list == nil {
		p.wrong("what the %s gets cannot be read: %s", to, text)
	}
	for _, m := range list {
		switch {
		case m.Method != nil && m.ID != nil:
			p.toldRequest(to, m, forwarded)
		case m.Method != nil:
			p.toldNotice(to, m, forwarded)
		case string(m.ID) == "null" && !forwarded:
		default:
			p.toldAnswer(to, m, forwarded)
		}
	}
}

func (p *peers) toldRequest(to End, m plain1, forwarded bool) {
	c, key := p.describe(m), exact(m.ID)
	if to == Client {
		if forwarded && c.question {
			p.wrong("a question of the server is forwarded")
		}
		if _, open := p.atClient[key]; open {
			p.wrong("the client gets a second request under the id %s", m.ID)
		}
		if c.question {
			p.met["asked of the client"]++
			if p.broken {
				p.wrong("the client is asked after the journal failed")
			}
		}
		p.atClient[key] = c
		return
	}
	if forwarded && (bytes.Contains(m.Params, []byte(`"inputResponses"`)) ||
		bytes.Contains(m.Params, []byte(`"requestState"`))) {
		p.wrong("answers of a round that is none of ours are forwarded: %s", m.Params)
	}
	if _, open := p.atServer[key]; open {
		p.wrong("the server gets a second request under the id %s", m.ID)
	}
	if !p.clientOwns(c.tag) && p.crossed.tag != c.tag {
		p.wrong("the server gets the call %s, for which nobody waits", c.tag)
	}
	p.checkResponses(c, m.Params)
	p.checkAccepted(m)
	p.atServer[key] = c
}

// checkAccepted checks that a holding machine lets no call through but one whose tool and arguments were accepted.
func (p *peers) checkAccepted(m plain1) {
	if *m.Method != "tools/call" || !p.config.HoldCalls {
		return
	}
	var call struct {
		Name      string
		Arguments json.RawMessage
	}
	_ = json.Unmarshal(m.Params, &call)
	if p.broken || !p.accepted[call.Name+" "+string(call.Arguments)] {
		p.wrong("the server gets the call %s, and nobody accepted it: %v", m.Params, p.accepted)
	}
	p.met["held call sent"]++
	if bytes.Contains(m.Params, []byte(`"inputResponses"`)) {
		p.met["held call repeated"]++
	}
	if bytes.Contains(m.Params, []byte(`"edited"`)) {
		p.met["edited call sent"]++
	}
}

func (p *peers) clientOwns(tag string) bool {
	for _, c := range p.clientWaits {
		if c.tag == tag {
			return true
		}
	}
	return false
}

// checkResponses checks that every answer of a round was given to a question of that call.
func (p *peers) checkResponses(c request1, params []byte) {
	var retry struct {
		InputResponses map[string]json.RawMessage
	}
	if json.Unmarshal(params, &retry) != nil || retry.InputResponses == nil {
		return
	}
	p.met["round repeated"]++
	for _, answer := range retry.InputResponses {
		tag := string(answerPattern.Find(answer))
		if tag == "" || p.from[tag] == "" {
			continue
		}
		if !strings.Contains(strings.Join(p.entries[c.tag], " ")+" ", p.from[tag]+" ") && p.from[tag][0] == 'q' {
			p.wrong("the call %s gets the answer to %s, its questions are %v", c.tag, p.from[tag], p.entries[c.tag])
		}
	}
}

func (p *peers) toldNotice(to End, m plain1, forwarded bool) {
	switch *m.Method {
	case "tools/call":
		if to == Server && p.config.HoldCalls {
			p.wrong("the server gets a call without an id: %s", m.Params)
		}
	case "notifications/cancelled":
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m.Params, &params)
		has := p.atServer
		if to == Client {
			has = p.atClient
		}
		if _, open := has[exact(params.RequestID)]; open {
			p.gone[to] = append(p.gone[to], string(params.RequestID))
		}
		delete(has, exact(params.RequestID))
	case "notifications/progress":
		if to == Client && !forwarded {
			p.checkProgress(m)
		}
	}
}

// checkProgress checks that progress notifications are only for open calls. Calls of these connections share tokens,
// so their numbers need not rise here; other tests check that.
func (p *peers) checkProgress(m plain1) {
	var params struct{ ProgressToken json.RawMessage }
	_ = json.Unmarshal(m.Params, &params)
	token := string(params.ProgressToken)
	p.met["progress"]++
	if p.crossed.token == token { // it was due before the client cancelled the call
		return
	}
	for _, c := range p.clientWaits {
		if c.token == token {
			return
		}
	}
	p.wrong("a sign of progress for %s, of which no call is open", token)
}

func (p *peers) toldAnswer(to End, m plain1, forwarded bool) {
	waits := p.clientWaits
	if to == Server {
		waits = p.serverWaits
	}
	key := exact(m.ID)
	c, open := waits[key]
	if !open && p.crossed.raw != "" && p.crossedKey == key {
		return
	}
	if !open {
		p.wrong("the %s gets an answer under %s, for which it does not wait", to, m.ID)
	}
	delete(waits, key)
	tag := string(answerPattern.Find(append(bytes.Clone(m.Result), m.Error...)))
	switch {
	case to == Server && c.question:
		p.toldVerdict(c, m, tag)
		return
	case to == Client:
		p.checkUndecided(c, m, forwarded)
	}
	if tag != "" && p.from[tag] != c.tag {
		p.wrong("the %s gets under %s, its request %s, the answer %s, which was given to %q", to, m.ID, c.tag, tag,
			p.from[tag])
	}
	if tag == "" && m.Error != nil {
		p.met["call failed"]++
	}
}

// checkUndecided checks that nothing that the machine must decide reaches the client.
func (p *peers) checkUndecided(c request1, m plain1, forwarded bool) {
	if bytes.Contains(m.Error, []byte(`"code":-32042`)) {
		p.wrong("the client gets the error that asks for pages: %s", m.Error)
	}
	if !bytes.Contains(m.Result, []byte("input_required")) && !bytes.Contains(m.Result, []byte("inputRequests")) {
		return
	}
	asks := questionPattern.Match(m.Result)
	if forwarded || !c.rounds || asks && (p.broken || !p.m.who.MaybeClient()) {
		p.wrong("the client gets a result that asks: %s", m.Result)
	}
	var r struct {
		InputRequests map[string]struct{ Params json.RawMessage }
		RequestState  string
	}
	if json.Unmarshal(m.Result, &r) != nil || !strings.HasPrefix(r.RequestState, p.m.ids.Prefix) {
		p.wrong("the client is handed a state that is not ours: %s", m.Result)
	}
	handed := retryable{request1: c, state: r.RequestState, questions: map[string]string{}}
	for key, entry := range r.InputRequests {
		handed.questions[key] = string(questionPattern.Find(entry.Params))
	}
	p.retries = append(p.retries, handed)
	p.met["round handed over"]++
}

// toldVerdict checks the reply to a question of the server.
func (p *peers) toldVerdict(c request1, m plain1, tag string) {
	var r struct {
		Action  string
		Content json.RawMessage
	}
	_ = json.Unmarshal(m.Result, &r)
	switch {
	case m.Error != nil:
		p.met["question failed"]++
	case r.Action != "accept":
		p.met["question cancelled"]++
		if p.broken {
			p.wrong("the question %s is decided after the journal failed: %s", c.tag, m.Result)
		}
		if r.Content != nil {
			p.wrong("%s carries content: %s", r.Action, m.Result)
		}
	default:
		p.met["question answered"]++
		if p.broken {
			p.wrong("the question %s is accepted after the journal failed", c.tag)
		}
		if !(c.confirm && p.policyMayAccept) && p.from["yes "+c.tag] == "" {
			p.wrong("the question %s is accepted, and nobody said yes to it", c.tag)
		}
		if tag != "" && p.from[tag] != c.tag {
			p.wrong("the question %s gets the answer to %s", c.tag, p.from[tag])
		}
	}
}

// effect checks any other effect that the host performs.
func (p *peers) effect(next Effect) {
	switch ef := next.(type) {
	case Forward:
		if p.current == "" {
			p.wrong("a forward without a message")
		}
		p.told(ef.To, []byte(p.current), true)
	case Send:
		p.told(ef.To, ef.Message, false)
	case Close:
		p.closedServer = p.closedServer || ef.End == Server
		p.closedClient = p.closedClient || ef.End == Client
	case Question:
		delete(p.settledOnce, ef.Session+" "+ef.Ref)
	case Settled:
		key := ef.Request.Session + " " + ef.Request.Ref
		if p.settledOnce[key] {
			p.wrong("the question %s is settled twice", key)
		}
		p.settledOnce[key] = true
		if r := ef.Request; ef.Reply.Outcome == elicit.Accepted && strings.HasPrefix(r.Ref, "held-") {
			if ef.Reply.Arguments != nil {
				r.Arguments = ef.Reply.Arguments
			}
			p.accepted[r.Tool+" "+string(r.Arguments)] = true
		}
		if p.answered[ef.Reply.ID] {
			delete(p.screen, ef.Reply.ID)
		}
	case effect.Show:
		if p.config.Ask == AskEither && len(ef.Reasons) > 0 &&
			strings.HasPrefix(ef.Reasons[len(ef.Reasons)-1].Code, "client_") {
			p.met["asked of the host after the client"]++
		}
		if p.broken || p.config.Ask != AskHost && p.config.Ask != AskEither || ef.ByClient {
			p.wrong("a question is shown: %s", ef.AppendJSON(nil))
		}
		p.screen[ef.ID] = ef
		delete(p.answered, ef.ID)
	case effect.Withdraw:
		p.met["withdrawn"]++
		if _, shown := p.screen[ef.ID]; shown {
			p.past = append(p.past, p.screen[ef.ID])
		}
		delete(p.screen, ef.ID)
	case Note:
		for _, problem := range ef.Problems {
			if problem.Code == "client_given_up" {
				p.met["client given up"]++
			}
		}
	case effect.Problem:
		if ef.About == effect.AboutAnswer && ef.Outcome == "" {
			delete(p.answered, ef.ID) // the form is open again
		}
	case effect.OpenURL:
		p.met["page opened"]++
		if p.broken {
			p.wrong("a page is opened after the journal failed")
		}
	case effect.Consult:
		if p.broken {
			p.wrong("a guardian is asked after the journal failed")
		}
		p.consults = append(p.consults, ef)
		if ef.Phase == effect.SecondPerson {
			p.needsTwo[ef.ID] = ef.Guardian
		}
	case effect.Remember:
		if p.agents != nil {
			return // an agent's client may say that a yes holds always
		}
		p.wrong("a grant is remembered that nobody wished for")
	}
}

//go:build libfuzzer

package main

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/seal"
)

// records writes the first half as a record and reads it. Where the second half says, it changes a byte.
func records(in []byte) {
	first, second := halves(in)
	if jsontext.Check(first, jsontext.Limits{}) != nil {
		return
	}
	first = bytes.Trim(first, " \t\r\n")
	line, head := journal.Append(one[:0], journal.Head{}, journal.Record{At: 7, Event: first, Effects: []byte(`[]`)})
	one = line
	rec, after, problem := journal.Read(line, journal.Head{})
	hold(problem == nil && after == head && rec.At == 7 && bytes.Equal(rec.Event, first),
		"a record is read as written", line)
	if len(second) < 2 {
		return
	}
	place := (int(second[0])<<8 | int(second[1])) % len(line)
	was := line[place]
	line[place] ^= 1 + second[0]&0x7e
	_, _, problem = journal.Read(line, journal.Head{})
	hold(problem != nil, "a changed record is noticed", line, was)
}

// journals replays any text.
func journals(in []byte) {
	r := journal.NewReader(in)
	n := 0
	for rec, ok := r.Next(); ok; rec, ok = r.Next() {
		n++
		hold(rec.Seq == r.Head().Seq && r.Offset() <= len(in), "a record has its number", rec.Seq)
	}
	replayed := engine.Replay(in, nil)
	lines := bytes.Count(in, []byte{'\n'})
	hold(n <= lines && replayed.Records <= n && (replayed.Problem != nil || replayed.Records == lines),
		"a replay reads what is there", replayed.Records)
}

// states takes up a saved state, and saves it again.
func states(in []byte) {
	n, in := which(in, 2)
	if n == 0 {
		config := asking.Config{Server: "bot", Requests: true, Declared: elicit.Modes{Form: true, URL: true},
			Version: "2025-11-25", Page: "https://a.example/"}
		m, _, problems := asking.Load(config, in, asking.Input{At: 1000})
		hold((m == nil) == (problems != nil), "a machine or problems")
		if m != nil {
			_, _, problems = asking.Load(config, m.Save(), asking.Input{At: 1000})
			hold(problems == nil, "what was saved again is taken up", problems)
		}
		return
	}
	e := engine.New()
	refused := resume(e, in)
	hold(refused == (len(e.Sessions()) == 0), "a state is refused or taken up")
	for _, session := range e.Sessions() {
		saved, _ := e.Save(session)
		hold(!resume(engine.New(), saved), "what was saved again is taken up", saved)
	}
}

func resume(e *engine.Engine, state []byte) (refused bool) {
	for _, next := range e.Step(engine.Input{At: 1000, Event: event.Resumed{State: state}}) {
		_, bad := next.(effect.Problem)
		refused = refused || bad
	}
	return refused
}

// tokens opens any text, or seals the rest of the input and opens it with a byte changed and without.
func tokens(in []byte) {
	n, in := which(in, 2)
	if n == 0 {
		got, problem := ring.Open(in, seal.State, expected)
		if problem == nil {
			again, err := ring.Seal(one[:0], [32]byte{}, seal.State, got)
			one = again
			hold(err == nil && bytes.Equal(again, in), "a token is sealed as it was", again)
		}
		return
	}
	claims := seal.Claims{ID: tokenID, IssuedAt: 1, ExpiresAt: 2000, Body: in}
	token, err := ring.Seal(one[:0], [32]byte{}, seal.State, claims)
	one = token
	got, problem := ring.Open(token, seal.State, expected)
	hold(err == nil && problem == nil && bytes.Equal(got.Body, in), "a token is opened", token)
	if len(in) > 0 {
		token[len(token)-1-int(in[0])%len(token)] ^= 1
		_, problem = ring.Open(token, seal.State, expected)
		hold(problem != nil, "a changed token is refused", token)
	}
}

var (
	sealKey, _ = seal.NewKey("k1", []byte("a key that everybody may know..."))
	ring, _    = seal.NewRing(sealKey)
	expected   = seal.Expected{Now: 1500}
	tokenID    = seal.ID([32]byte{}, seal.State, 0)
)

func manifests(in []byte) {
	m, problems := guardian.ParseManifest(in)
	checkProblems(in, problems)
	if problems != nil {
		return
	}
	one = m.AppendJSON(one[:0])
	again, problems := guardian.ParseManifest(one)
	two = again.AppendJSON(two[:0])
	hold(problems == nil && bytes.Equal(one, two), "a manifest is read as it was written", one, two)
}

// verdicts reads the answer of a guardian, or of a reviewer.
func verdicts(in []byte) {
	n, in := which(in, 3)
	if n == 2 {
		r, ok := guardian.ReadReview(string(in), "00")
		hold(!ok || r.Outcome >= guardian.Allow && r.Outcome <= guardian.Deny, "a review has an outcome")
		hold(!ok || !r.Within() || r.Risk != elicit.Critical, "a critical risk is not within what may be allowed")
		return
	}
	phase := [2]guardian.Phase{guardian.BeforeShow, guardian.BeforeSend}[n]
	v, problem := guardian.ReadVerdict(in, phase)
	if problem != nil {
		hold(problem.Code != "" && v.Decision == 0, "a problem and no verdict")
		return
	}
	if one = v.AppendJSON(one[:0]); len(one) <= guardian.MaxOutput {
		w, problem := guardian.ReadVerdict(one, phase)
		two = w.AppendJSON(two[:0])
		hold(problem == nil && bytes.Equal(one, two), "a verdict is read as it was written", one, two)
	}
}

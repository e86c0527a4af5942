package engine_test

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// calls are arguments that a held call has, and that a person makes of them. KEY is a fresh secret.
var calls = []string{`{"command":"ls -l"}`, `{"command":"rm -r /","n":1}`, `{"command":"curl -H KEY https://h"}`,
	`{"command":"ls","list":["a","KEY"],"in":{"n":"KEY"}}`, `{"command":"ls"}`,
	`{"command":"ls .","n":2}`, `{"command":7}`, `{"KEY":1}`, `{"n":1,"n":2}`, `[]`}

// toolSchemas are what tools say of their arguments. The first cannot be read as a form.
var toolSchemas = []string{`{"type":"object","properties":{"command":{"type":"object"}}}`,
	`{"type":"object","properties":{"command":{"type":"string","maxLength":12},"n":{"type":"integer"}},
	  "required":["command"]}`}

// holdCall makes a question hold a call, mostly one whose arguments can be edited.
func (g *generator) holdCall(r *elicit.Request) {
	r.Message, r.Takes = "Run it?", elicit.Takes(g.below(8))
	if g.chance(80) {
		r.Takes |= elicit.TakesEdit
	}
	r.Arguments = []byte(calls[g.below(2)])
	if g.chance(10) {
		r.Arguments = []byte(pick(g, calls))
	}
	if g.chance(60) {
		r.ArgumentsSchema = []byte(pick(g, toolSchemas))
	}
	if r.HeldCall = r.ArgumentsSchema == nil; r.HeldCall { // without a draw, which would change every other life
		r.Description, r.Definition = "Runs\u202e it.", "0a"
	}
	if g.chance(60) {
		r.CommandAt, r.Command, r.Message = "/command", "ls -l", "Run ls -l?"
	}
}

// addBeside gives an answer a note and edited arguments, mostly where they are taken.
func (g *generator) addBeside(a *event.Answered) {
	a.Cleared = nil
	holds := slices.ContainsFunc(g.shown, func(s effect.Show) bool { return s.ID == a.ID && s.Takes != 0 })
	if holds && g.chance(80) || g.chance(4) {
		a.Arguments = []byte(g.withSecret(pick(g, calls)))
		a.Content, a.Action = []byte(`{}`), elicit.Accept
	}
	if holds && g.chance(50) || g.chance(4) {
		a.Note = g.withSecret(pick(g, []string{"No.", "one\ntwo", "take KEY", "a\tb"}))
	}
}

//go:build !browser

package abi

import (
	"cmp"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// process is the asking side of a process in a slot.
type process struct {
	*asker.Machine
	config asker.Config
}

// openAsker opens the machine of a process from {"asker":{…},"at"?,"random"?}. One machine serves all sessions of a
// process, so a server opens it once.
func openAsker(t *Table, r *strict.Reader, _ []byte) (reading, begins) {
	config, wrong := asker.ReadConfig(r.Raw("asker"))
	r.IncludeProblems("/asker", wrong)
	given := readGiven(r)
	if t.Guests != nil {
		config.Asking.Guests = t.Guests
		r.Problems = append(r.Problems, within("/asker/config", engine.CheckGuests(config.Asking.Engine, t.Guests))...)
	}
	return given, func(in reading, dst []byte) (machine, []byte, []elicit.Problem) {
		m, problems := asker.New(config)
		if len(problems) > 0 {
			return nil, nil, within("/asker", problems)
		}
		return process{m, config}, appendEffects(dst, m.Step(askerInput(in, asker.Ticked{}))), nil
	}
}

// askerInput is an input of the machine. Without a clock that never goes back, the wall clock stands in.
func askerInput(in reading, ev asker.Event) asker.Input {
	return asker.Input{At: in.At, Elapsed: cmp.Or(int64(in.elapsed), in.At), Random: in.Random, Event: ev}
}

// limits have room for a state of one session in an event of the store.
func (process) limits() jsontext.Limits {
	return jsontext.Limits{Bytes: maxAsking, Depth: 140, Members: 1 << 20}
}

// tell answers {"fallback":{…}}, of a client, with {"tool"?:{…},"client":{…}}. With the tool, a model passes on an
// answer. It is there if some question can reach the client in no other way. The client is as its capabilities say.
// Whether a client needs the tool depends on what it declares, so a server asks this when a client connects.
func (p process) tell(root gjson.Result, dst []byte) ([]byte, Status, bool) {
	if !member(root, "fallback").Exists() {
		return nil, OK, false
	}
	// The client is read strictly: a misspelt capability would count as one that it lacks.
	r := strict.Of(root)
	client := asker.ReadClient(&r, "fallback")
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return appendProblem(dst, r.Problems...), Invalid, true
	}
	o := jsontext.Begin(dst)
	if p.config.NeedsFallback(client) {
		o.Raw("tool", asking.AppendFallbackTool(nil, p.config.Asking.Fallback))
	}
	o.Name("client", client.AppendJSON)
	return o.End(), OK, true
}

// read reads {"event":{…},"at"?,"elapsed"?,"random"?} or a bare event.
func (p process) read(root gjson.Result) (reading, perform, []elicit.Problem) {
	event, given, problems := readEvent(root, asker.ReadEvent)
	step := func(in reading, dst []byte) []byte { return appendEffects(dst, p.Step(askerInput(in, event))) }
	return given, step, problems
}

//go:build !browser

package abi

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// evalAsker gives the machine of a process a list of events, as evalAsking says. Several processes share one store,
// which is not here: the events that a store would give (what was taken, a change by another) stand in the inputs.
func evalAsker(in gjson.Result, dst []byte) []byte {
	config, problems := asker.ReadConfig([]byte(member(in, "asker").Raw))
	if len(problems) > 0 {
		return appendProblem(dst, within("/asker", problems)...)
	}
	if !member(in, "inputs").IsArray() {
		return missing(dst, "inputs")
	}
	// Made once to see whether the configuration holds. The machines of the processes are made when they are first
	// named.
	if _, problems = asker.New(config); len(problems) > 0 {
		return appendProblem(dst, within("/asker", problems)...)
	}
	var r askingRunner
	processes := map[int64]*asker.Machine{}
	dst = append(dst, `{"effects":[`...)
	for i, input := range member(in, "inputs").Array() {
		dst = jsontext.Comma(dst)
		on, given, ev, problems := r.event(input)
		m := processes[on]
		if m == nil {
			m, _ = asker.New(config)
			processes[on] = m
		}
		if len(problems) > 0 {
			dst = elicit.AppendList(dst, within("/inputs/"+strconv.Itoa(i), problems))
			continue
		}
		list := []byte{'['}
		for _, next := range m.Step(asker.Input{At: given.At, Elapsed: given.At, Random: given.Random, Event: ev}) {
			switch ef := next.(type) {
			case asker.Send:
				// Refs, bodies and states get their names in the order of the effects, before the effect is written.
				r.refs = append(r.refs, ef.Ref)
			case asker.Seal:
				r.body = jsontext.AppendString(nil, ef.Claims.Body)
			case asker.Commit:
				if ef.State != nil {
					r.states = append(r.states, string(jsontext.AppendString(nil, ef.State)))
				}
				// Records have hashes in them that change with every byte before. Other vectors show records.
				ef.Records = nil
				next = ef
			}
			list = next.AppendJSON(jsontext.Comma(list))
		}
		dst = append(dst, r.short(append(list, ']'))...)
	}
	return append(dst, ']', '}')
}

// event reads an input: an event, bare or with its time and random bytes and the number of its process.
func (r *askingRunner) event(v gjson.Result) (on int64, given reading, ev asker.Event, problems []elicit.Problem) {
	if isBare(v) {
		ev, problems = asker.ReadEvent(r.whole(v.Raw))
	} else {
		d := strict.Of(v)
		d.Take("event")
		ev, problems = asker.ReadEvent(r.whole(member(v, "event").Raw))
		d.IncludeProblems("/event", problems)
		on = d.OptTime("on")
		given = readGiven(&d)
		problems = d.Problems
	}
	in := r.given(given)
	given.At, given.Random = in.At, in.Random
	return on, given, ev, problems
}

// whole replaces the names that an event may use, also in tokens such as "$1.$2".
func (r *askingRunner) whole(event string) []byte {
	for i := len(r.names); i > 0; i-- { // "$12" before "$1"
		event = strings.ReplaceAll(event, "$"+strconv.Itoa(i), r.names[i-1])
	}
	return r.long(event)
}

// aliases are the names that vectors use for what random bytes are in. Each kind counts by itself and in order of
// appearance.
type aliases struct {
	names  []string // ids, links and sessions
	refs   []string // of requests
	states []string // of commits, as JSON
	body   []byte   // of the last interrupt or seal, as JSON
}

// long replaces the names that an event may use. Only whole strings of JSON are replaced, with their quotes, so "$1"
// within a text of a person stays.
func (r *aliases) long(event string) []byte {
	text := []byte(event)
	replace := func(name, by string) { text = bytes.ReplaceAll(text, []byte(`"`+name+`"`), []byte(by)) }
	for i, name := range r.names {
		replace("$"+strconv.Itoa(i+1), `"`+name+`"`)
	}
	for i, ref := range r.refs {
		replace("ask-"+strconv.Itoa(i+1), `"`+ref+`"`)
	}
	for i, state := range r.states {
		replace("state-"+strconv.Itoa(i+1), state)
	}
	if r.body != nil {
		replace("$body", string(r.body))
	}
	return text
}

// nameDigits is how many hex digits an id or a link has. A digest has more.
const nameDigits = 32

// short replaces ids, links and refs by their names. States first, because they hold ids. A run of exactly 32 hex
// digits is a name; a digest has 64 and stays.
func (r *aliases) short(text []byte) []byte {
	for i, state := range r.states {
		text = bytes.ReplaceAll(text, []byte(state), []byte(`"state-`+strconv.Itoa(i+1)+`"`))
	}
	for at := 0; at < len(text); {
		n := 0
		for at+n < len(text) && strings.IndexByte("0123456789abcdef", text[at+n]) >= 0 {
			n++
		}
		if name := string(text[at : at+n]); n == nameDigits && !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
		at += n + 1
	}
	for i, name := range r.names {
		text = bytes.ReplaceAll(text, []byte(name), []byte("$"+strconv.Itoa(i+1)))
	}
	for i, ref := range r.refs {
		text = bytes.ReplaceAll(text, []byte(ref), []byte("ask-"+strconv.Itoa(i+1)))
	}
	return text
}

package abi

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// evalRun gives a new engine a list of inputs and returns the effects of each:
//
//	{"config"?:…,"inputs":[{"at"?,"random"?,"event"}|{"at"?,"save"}|{"list":"grants"}…],"records"?:bool}
//	→ {"effects":[[…],…]}
//
// Ids depend on the random bytes and the chain. So they are written "$1", "$2", … here, in the order in which effects
// first name them, and an answered event may use these names. Append effects are left out unless records is true; ids
// then stay as they are. An input {"save":S} saves session S and continues with a new engine that has the same
// configuration and has loaded S. {"list":"grants"} lists the grants. An event may also be bare, as in Table.Step. It
// is the operation of nearly all vectors of the family step. Time and random bytes come from the input alone, so the
// effects are the same on every machine.
func evalRun(in gjson.Result, dst []byte) []byte {
	r := runner{engine: engine.New(), records: member(in, "records").Bool()}
	if !member(in, "inputs").IsArray() {
		return missing(dst, "inputs")
	}
	// The effects of configuring have no list: the first list is that of the first input. A configuration with any
	// problem ends the run.
	if config, ok := document(in, "config"); ok {
		r.config = config
		if p := r.configure(); p != nil {
			return appendProblem(dst, p...)
		}
	}
	dst = append(dst, `{"effects":[`...)
	for i, input := range member(in, "inputs").Array() {
		dst = jsontext.Comma(dst)
		if member(input, "list").Str == "grants" && !isBare(input) {
			dst = append(dst, r.short(elicit.AppendList(nil, r.engine.Grants()))...)
			continue
		}
		effects, problems := r.input(input)
		if problems != nil {
			for k := range problems {
				problems[k].Pointer = "/inputs/" + strconv.Itoa(i) + problems[k].Pointer
			}
			// An input that cannot be read has its problems in the place of effects, and the run goes on.
			dst = elicit.AppendList(dst, problems)
			continue
		}
		dst = r.append(dst, effects)
	}
	return append(dst, ']', '}')
}

// One run. reload replaces the engine and the clock, and keeps the names of ids, so $1 is the same question before and
// after.
type runner struct {
	engine  *engine.Engine
	clock   elicit.Clock
	config  []byte
	ids     []elicit.ID // in order of first appearance
	records bool
}

// configure gives the configuration at the time 0, before any input. nil says that it holds.
func (r *runner) configure() []elicit.Problem {
	for _, next := range r.engine.Step(engine.Input{Event: event.Configured{Config: r.config}}) {
		if p, bad := next.(effect.Problem); bad {
			return p.Problems
		}
	}
	return nil
}

// input performs one input, and returns the effects with the record first, or the problems with the input.
func (r *runner) input(v gjson.Result) ([]effect.Effect, []elicit.Problem) {
	if s := member(v, "save"); s.Exists() && !isBare(v) {
		return r.reload(s.String(), v)
	}
	in, problems := readInput(v)
	if problems != nil {
		return nil, problems
	}
	in.At = max(in.At, 0)
	in.Event = r.named(in.Event)
	return r.engine.Step(in.resolved(&r.clock)), nil
}

// named replaces "$N" by the ids of shown requests. An event that names no question by an id is returned as it is.
func (r *runner) named(given event.Event) event.Event {
	switch ev := given.(type) {
	case event.Answered:
		ev.ID = r.nth(ev.ID)
		return ev
	case event.Noted:
		ev.ID = r.nth(ev.ID)
		return ev
	case event.Drafted:
		ev.ID = r.nth(ev.ID)
		return ev
	case event.Extended:
		ev.ID = r.nth(ev.ID)
		return ev
	case event.Consulted:
		ev.ID = r.nth(ev.ID)
		return ev
	case event.Revoked:
		ev.Grant = r.nth(ev.Grant)
		return ev
	}
	return given
}

// nth returns the N-th id that effects have named for "$N". Any other text is an id itself. "$7" stays an id of that
// text when fewer were named, and the engine then knows no such question.
func (r *runner) nth(id elicit.ID) elicit.ID {
	if len(id) < 2 || id[0] != '$' {
		return id
	}
	if n, err := strconv.Atoi(string(id[1:])); err == nil && n >= 1 && n <= len(r.ids) {
		return r.ids[n-1]
	}
	return id
}

// reload saves a session and resumes it in a new engine. Its process has another clock of elapsed time. Everything else
// of the old engine is lost, as after the end of a process: other sessions, visited hosts, grants that hold always.
func (r *runner) reload(session string, v gjson.Result) ([]effect.Effect, []elicit.Problem) {
	state, ok := r.engine.Save(session)
	if !ok {
		return nil, []elicit.Problem{{Code: "unknown_session", Pointer: "/save"}}
	}
	r.engine, r.clock = engine.New(), elicit.Clock{}
	if r.config != nil {
		r.configure()
	}
	in := reading{Input: engine.Input{At: member(v, "at").Int(), Event: event.Resumed{State: state}}}
	if elapsed := member(v, "elapsed"); elapsed.Exists() {
		in.elapsed = elicit.ElapsedMS(elapsed.Int())
	}
	return r.engine.Step(in.resolved(&r.clock)), nil
}

// append writes the effects of one input, without the record and with short ids unless records is true.
func (r *runner) append(dst []byte, effects []effect.Effect) []byte {
	for _, next := range effects {
		r.learn(next)
	}
	if r.records {
		return elicit.AppendList(dst, effects)
	}
	_, rest := effect.Records(effects)
	return append(dst, r.short(elicit.AppendList(nil, rest))...)
}

// learn records the id that an effect names first.
func (r *runner) learn(next effect.Effect) {
	if id := effect.IDOf(next); id != "" && !slices.Contains(r.ids, id) {
		r.ids = append(r.ids, id)
	}
}

// short replaces the ids that effects have named by "$1", "$2", …. It searches the whole text. An id has 32 random hex
// digits, so no other text is hit.
func (r *runner) short(text []byte) []byte {
	for i, id := range r.ids {
		text = bytes.ReplaceAll(text, []byte(id), []byte("$"+strconv.Itoa(i+1)))
	}
	return text
}

// evalReplay replays a journal: {"journal_text"} → {"records"}, the number of records that replay to the same bytes,
// and "problems":[…] about the first that does not. A divergence has "want" and "got", the two records. A journal that
// diverges has been written by an engine that decides otherwise, or its events were edited together with all hashes.
func evalReplay(in gjson.Result, dst []byte) []byte {
	records, ok := document(in, "journal")
	if !ok {
		return missing(dst, "journal")
	}
	replayed := engine.Replay(records, nil)
	o := jsontext.Begin(dst)
	o.Int("records", int64(replayed.Records))
	if replayed.Problem != nil {
		jsontext.List(&o, "problems", []elicit.Problem{*replayed.Problem})
	}
	o.OptRaw("want", replayed.Want)
	o.OptRaw("got", replayed.Got)
	return o.End()
}

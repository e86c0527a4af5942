package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// machine is an engine, a connection, or a machine of the asking side. The calls of an input: limits, then tell, then
// read and what read returned. A machine is used by one caller at a time.
type machine interface {
	// read reads an input. It returns what performs the input once its time and random bytes are known. root is the
	// whole input after the gate. With problems, perform is not called, and nothing has changed.
	read(root gjson.Result) (reading, perform, []elicit.Problem)
	// tell answers an input that is no event, such as a list. It returns false for an event. It changes nothing. It is
	// not asked for a bare event, which has no other members.
	tell(root gjson.Result, dst []byte) (out []byte, status Status, done bool)
	// limits bound an input.
	limits() jsontext.Limits
}

// perform takes the time and the random bytes of a step and appends the list of its effects. Reading and performing are
// apart, because the time and the random bytes are asked from the host in between, and only for an input that is fit.
type perform func(in reading, dst []byte) []byte

// opener opens a machine from the members of an input, of which it takes its own. It returns the time and the random
// bytes of the input, and what makes the machine.
type opener func(t *Table, r *strict.Reader, input []byte) (reading, begins)

// begins makes a machine and appends the effects of opening it.
type begins func(in reading, dst []byte) (machine, []byte, []elicit.Problem)

// machineNames are the members that open a machine other than an engine, in the order in which opens looks for them.
var machineNames = [...]string{"relay", "asking", "asker"}

// opens returns what opens the machine that the input of an open asks for, or nil if it asks for an engine. An input
// with two such members opens the first of machineNames, and the other member is then refused as unknown.
func opens(root gjson.Result) opener {
	for _, name := range machineNames {
		if !member(root, name).Exists() {
			continue
		}
		for _, of := range []map[string]opener{openers, moreOpeners} {
			if open := of[name]; open != nil {
				return open
			}
		}
	}
	return nil
}

// openMachine makes a machine and appends the effects of opening it. A panic in opening costs no handle, since place is
// the last thing that happens.
func (t *Table) openMachine(open opener, root gjson.Result, input, dst []byte) (h Handle, out []byte, status Status) {
	start := len(dst)
	defer func() {
		if recover() != nil {
			h, out, status = 0, appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
	}()
	r := strict.Of(root)
	texts := yes(&r, "texts") // see inTexts
	given, begin := open(t, &r, input)
	if len(r.Problems) > 0 {
		return 0, appendProblem(dst, r.Problems...), Invalid
	}
	if problem := t.fill(&given); problem != nil {
		return 0, appendProblem(dst, *problem), Invalid
	}
	m, out, problems := begin(given, dst)
	if len(problems) > 0 {
		return 0, appendProblem(dst, problems...), Invalid
	}
	if texts {
		out = inTexts(out, start)
	}
	return t.place(slot{machine: m, texts: texts}), out, OK
}

// perform fills an input that was read and performs it.
func (t *Table) perform(given reading, perform perform, problems []elicit.Problem, dst []byte) ([]byte, Status) {
	if problem := t.fill(&given); problem != nil {
		problems = append(problems, *problem)
	}
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	return perform(given, dst), OK
}

// stepMachine lets a function use the machine of h. A panic is a bug in this module: stepMachine recovers, and the
// machine then takes no more input. An engine can still be saved. Each exit resets busy, also that by a panic. The
// machine is poisoned by Internal alone.
func (t *Table) stepMachine(h Handle, dst []byte, use func(machine) ([]byte, Status)) (out []byte, status Status) {
	m, texts, status := t.borrowMachine(h)
	if status != OK {
		return appendProblem(dst, elicit.Problem{Code: Statuses()[status]}), status
	}
	start := len(dst)
	defer func() {
		if recover() != nil {
			out, status = appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if s := t.find(h); s != nil {
			s.busy, s.poisoned = false, s.poisoned || status == Internal
		}
	}()
	if out, status = use(m); texts && status == OK {
		out = inTexts(out, start)
	}
	return out, status
}

// borrowMachine takes the machine of h for one caller. texts is what the caller chose when it was opened. An engine is
// lent also when it is poisoned, because it can still save its sessions. Its read panics then, which is Internal again.
func (t *Table) borrowMachine(h Handle) (m machine, texts bool, status Status) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.find(h)
	switch {
	case s == nil || s.machine == nil:
		return nil, false, UnknownHandle
	case s.busy:
		return nil, false, Conflict
	}
	e, saves := s.machine.(*lone)
	if s.poisoned && !saves {
		return nil, false, Internal
	}
	if saves {
		e.poisoned = s.poisoned
	}
	s.busy = true
	return s.machine, s.texts, OK
}

// machine returns the machine of h, or nil if h names something else.
func (t *Table) machine(h Handle) machine {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.find(h); s != nil {
		return s.machine
	}
	return nil
}

func tooLong(limit int) elicit.Problem {
	return elicit.Problem{Code: "message_too_long", Args: []elicit.Arg{elicit.Num("limit", limit)}}
}

// within puts the pointer of the surrounding document before the pointers of problems. It changes the problems in
// place.
func within(at string, problems []elicit.Problem) []elicit.Problem {
	for i := range problems {
		problems[i].Pointer = at + problems[i].Pointer
	}
	return problems
}

// appendEffects appends {"effects":[…]}.
func appendEffects[E interface{ AppendJSON([]byte) []byte }](dst []byte, effects []E) []byte {
	dst = append(dst, `{"effects":`...)
	return append(elicit.AppendList(dst, effects), '}')
}

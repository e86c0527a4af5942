package effect

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// Consult asks a guardian. An interface that holds the module of Digest, or the host, answers with one Consulted of the
// same Round. If none has come by Deadline, the guardian has failed.
type Consult struct {
	Session string
	ID      elicit.ID
	// A guardian answers a round once. A later answer to it is the problem consult_over.
	Round    int // names this asking among those of the request
	Guardian string
	// With a digest and without Host, an interface that holds the module answers inside of the step
	// (pull.StepWithGuests), and the host never sees this effect.
	Digest   string // of the module, "" when the host knows what is meant
	Phase    guardian.Phase
	Attempt  int // 2 and up when a reviewer is asked again because its answer could not be read
	Reviewer bool
	Host     bool  // the host's to run, whoever else could
	Fuel     int64 // budget of a guest
	WASI     bool
	Data     string // digest of the guardian's data document, "" for none
	Deadline int64  // milliseconds since 1970
	Question []byte // canonical JSON
	Kept     []byte // Question without the secrets that the permit shows; what a journal may hold
}

// SecondPerson is the phase in which another person than the one who answered is asked to approve. The answer is a
// Consulted with that person's Principal and a verdict of allow or deny. It is no phase of a permit: a guardian's
// verdict demands it. The host finds that person; the engine only compares principals.
const SecondPerson guardian.Phase = "second_person"

// Phases lists every phase that a Consult may have.
func Phases() []guardian.Phase {
	return []guardian.Phase{guardian.BeforeShow, guardian.BeforeSend, SecondPerson}
}

// Withheld reports whether the guardian was shown a secret, so that its question cannot be put again from a journal.
// Kept is the very slice of Question when nothing was withheld, so one comparison of addresses tells.
func (c Consult) Withheld() bool { return len(c.Kept) > 0 && &c.Kept[0] != &c.Question[0] }

// Evaluator asks the modules of guardians that it holds. engine.Guests is one.
type Evaluator interface {
	// Evaluate asks a guardian. Only Output, Fault and Fuel of the answer are read. known is false if the module is not
	// held or cannot run here.
	Evaluate(c Consult) (said event.Consulted, known bool)
}

// Ask puts a consult to guests, nil for none. It reports whether they knew.
func (c Consult) Ask(guests Evaluator) (event.Consulted, bool) {
	if guests == nil || c.Digest == "" || c.Host {
		return event.Consulted{}, false
	}
	said, known := guests.Evaluate(c)
	return c.Answer(said), known
}

// Answer is what was said, as the answer to this consult. The three members that name the consult come from the
// consult. A guest cannot answer for another.
func (c Consult) Answer(said event.Consulted) event.Consulted {
	said.Session, said.ID, said.Round = c.Session, c.ID, c.Round
	return said
}

package engine

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// Consult asks a guardian. An interface that holds the module of Digest, or the host, answers with one Consulted of the
// same Round. If none has come by Deadline, the guardian has failed.
type Consult struct {
	Session  string
	ID       elicit.ID
	Round    int // names this asking among those of the request
	Guardian string
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
	kept     []byte // without the secrets the grant shows
}

// SecondPerson is the phase in which another person than the one who answered is asked to approve. The answer is a
// Consulted with that person's Principal and a verdict of allow or deny.
const SecondPerson guardian.Phase = "second_person"

// Phases lists every phase that a Consult may have.
func Phases() []guardian.Phase {
	return []guardian.Phase{guardian.BeforeShow, guardian.BeforeSend, SecondPerson}
}

// Consulted is what a guardian said: Output is what it wrote, unread, or Fault says why there is nothing.
type Consulted struct {
	Session   string
	ID        elicit.ID
	Round     int
	Output    string
	Fault     guardian.Fault
	Fuel      int64  // used by a guest
	Principal string // second_person: who approves
}

// Withheld reports whether the guardian was shown a secret, so that its question cannot be put again from a journal.
func (c Consult) Withheld() bool { return len(c.kept) > 0 && &c.kept[0] != &c.Question[0] }

func (Consult) isEffect()  {}
func (Consulted) isEvent() {}

// AppendJSON appends {"effect":"consult","session","id","round","guardian","digest"?,"phase","attempt"?,"reviewer"?,
// "host"?,"fuel"?,"wasi"?,"data_digest"?,"deadline","question":{…}}.
func (c Consult) AppendJSON(dst []byte) []byte { return c.appendJSON(dst, c.Question) }

func (c Consult) appendJSON(dst, question []byte) []byte {
	o := beginEffect(dst, "consult")
	o.Str("session", c.Session)
	o.Str("id", string(c.ID))
	o.Int("round", int64(c.Round))
	o.Str("guardian", c.Guardian)
	o.OptStr("digest", c.Digest)
	o.Str("phase", string(c.Phase))
	o.OptInt("attempt", int64(c.Attempt))
	o.OptTrue("reviewer", c.Reviewer)
	o.OptTrue("host", c.Host)
	o.OptInt("fuel", c.Fuel)
	o.OptTrue("wasi", c.WASI)
	o.OptStr("data_digest", c.Data)
	o.Int("deadline", c.Deadline)
	o.OptRaw("question", question)
	return o.End()
}

// AppendJSON appends {"event":"consulted","session","id","round","output"?,"fault"?,"fuel"?,"principal"?}.
func (c Consulted) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "consulted")
	o.Str("session", c.Session)
	o.Str("id", string(c.ID))
	o.Int("round", int64(c.Round))
	o.OptStr("output", c.Output)
	o.OptStr("fault", string(c.Fault))
	o.OptInt("fuel", c.Fuel)
	o.OptStr("principal", c.Principal)
	return o.End()
}

// bounded is the event as the journal can hold it.
func (ev Consulted) bounded() Consulted {
	switch {
	case len(ev.Output) > guardian.MaxReview:
		ev.Output, ev.Fault = "", guardian.FaultOutputTooLarge
	case !utf8.ValidString(ev.Output):
		ev.Output, ev.Fault = "", guardian.FaultBadOutput
	}
	ev.Fuel = min(max(ev.Fuel, 0), guardian.MaxFuel)
	return ev
}

// redactForJournal is the event as the journal may keep it when nobody read it: without words and fuel that may hold
// what only one guardian was shown.
func (ev Consulted) redactForJournal() Consulted {
	if ev.Output != "" {
		ev.Output = "?"
	}
	ev.Fuel = 0
	return ev
}

package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
)

// UI puts shown requests before someone. Show must not block; the answer comes through answer, which may be called from
// any goroutine, at most once per id unless a Problem came back.
type UI interface {
	// Modes says what can be put before a person right now. The proxy declares to the server exactly this.
	Modes() engine.Modes
	Show(s engine.Show, answer ui.Answer)
	// Problem says that an input had problems. Only those about an answer are for the person: the form is still open (a
	// terminal asks again, a script cancels).
	Problem(p engine.Problem)
	Withdraw(w engine.Withdraw)
	Close() error
}

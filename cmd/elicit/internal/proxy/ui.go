package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
)

// UI shows requests to a person. Show must not block. The UI gives the answer to answer, from any goroutine, once for
// each id, and again only after a Problem.
type UI interface {
	// Modes returns the modes that a person can be shown now. The proxy declares exactly these to the server.
	Modes() engine.Modes
	Show(s engine.Show, answer ui.Answer)
	// Problem reports problems of an input. Only those about an answer are for the person, whose form is still open: a
	// terminal asks again, and a script cancels.
	Problem(p engine.Problem)
	Withdraw(w engine.Withdraw)
	Close() error
}

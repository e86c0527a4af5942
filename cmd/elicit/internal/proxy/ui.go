package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// UI shows requests to a person. Show must not block. The UI gives the answer to answer, from any goroutine, once for
// each id, and again only after a Problem.
type UI interface {
	// Modes returns the modes that a person can be shown now. The proxy declares exactly these to the server.
	Modes() elicit.Modes
	Show(s effect.Show, answer ui.Answer)
	// Problem reports problems of an input. Only those about an answer are for the person, whose form is still open: a
	// terminal asks again, and a script cancels.
	Problem(p effect.Problem)
	Withdraw(w effect.Withdraw)
	Close() error
}

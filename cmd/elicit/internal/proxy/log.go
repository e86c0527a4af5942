package proxy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/wire"
)

// note writes a line for the person to the error stream. A peer can cause any number of notes, so package safelog
// limits their rate.
func (p *Proxy) note(format string, args ...any) { p.notes.Notef(format, args...) }

// log writes a line about a question or a decision when --verbose is set. It has no limit on its rate.
func (p *Proxy) log(format string, args ...any) {
	if p.o.Verbose {
		fmt.Fprintf(p.o.Notes, "elicit proxy: %s\n", ui.Plain(fmt.Sprintf(format, args...)))
	}
}

// printable makes a peer's text safe, and fits it into one line of the error stream.
func printable(s string) string {
	const most = 120
	s = strings.Join(strings.Fields(ui.Plain(s)), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

// logAsked logs a question that the user interface gets. It may wait there behind others. logShown tells when it is on
// the screen.
func (p *Proxy) logAsked(s effect.Show) {
	if !p.o.Verbose {
		return
	}
	asks := fmt.Sprintf("%s asks (%s) %q", askerName(s.Tool), s.Mode, printable(s.Message))
	p.asking[s.ID] = asks
	p.log("%s: waits for an answer%s", asks, explanation(s.Reasons, s.Findings))
}

// logShown logs once that the person has a question on the screen.
func (p *Proxy) logShown(ev event.Event) {
	noted, ok := ev.(event.Noted)
	if asks := p.asking[noted.ID]; ok && noted.Receipt == event.ReceiptShown && asks != "" {
		p.log("%s: shown", asks)
		delete(p.asking, noted.ID)
	}
}

func (p *Proxy) logSettled(s relay.Settled) {
	problems := ""
	if len(s.Problems) > 0 {
		problems = ": " + printable(wire.Sentence(s.Problems))
	}
	if s.Outcome == elicit.Cancelled && len(s.Problems) > 0 {
		p.note("the answer to %q does not fit the form%s", printable(s.Request.Message), problems)
	}
	p.log("%s asked (%s) %q: %s, cause %s%s%s", askerName(s.Request.Tool), s.Request.Mode, printable(s.Request.Message),
		s.Outcome, s.Cause, problems, explanation(s.Reasons, s.Findings))
}

// notePeer reports a message that the machine changed or did not forward.
func (p *Proxy) notePeer(n relay.Note) {
	why, what := wire.Sentence(n.Problems), n.From.String()
	if n.Refused {
		p.o.Stats.Count("refused_messages", 1)
		what = "refused a message of the " + what
	}
	if n.Problems[0].Code == "message_too_long" {
		why += "; --max-message raises the limit"
	}
	p.note("%s: %s", what, printable(why))
}

// logWithdrawn logs a question that ends without a reply. settled logs the others.
func (p *Proxy) logWithdrawn(w effect.Withdraw) {
	if w.Cause == elicit.ByPeerCancelled || w.Cause == elicit.BySessionClosed {
		p.log("a question was taken back before it was answered, cause %s", w.Cause)
	}
}

func (p *Proxy) logProblem(e effect.Problem) {
	if e.About == effect.AboutConfiguration {
		return // a refusal that has been told
	}
	p.log("not used: %s", printable(wire.Sentence(e.Problems)))
}

func askerName(tool string) string {
	if tool == "" {
		return "the server"
	}
	return "tool " + printable(tool)
}

// explanation lists every reason and finding behind a decision.
func explanation(reasons []elicit.Reason, findings []elicit.Finding) string {
	list := each.Of(slices.Concat(each.Of(reasons, english.Reason), each.Of(findings, english.Finding)), printable)
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}

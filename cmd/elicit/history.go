package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/journal"
)

// history puts records into words. It remembers names, because a record says only what is new, and forgets those of
// sessions and requests that are over, so that a journal of any length takes the same memory.
type history struct {
	out   io.Writer
	names map[string]string // session → server
	shown map[string]bool   // ids whose findings and reasons have been printed
	asked map[string]string // guardians by request and round
	rules configured
}

var (
	faint = lipgloss.NewStyle().Faint(true)
	loud  = lipgloss.NewStyle().Bold(true)
)

func (h *history) print(rec journal.Record) {
	ev := gjson.ParseBytes(rec.Event)
	if ev.Get("event").String() == "ticked" && !gjson.GetBytes(rec.Effects, `#(effect!="wake")`).Exists() {
		return // a timer that found nothing to do
	}
	stamp := faint.Render(fmt.Sprintf("%4d  %s", rec.Seq, time.UnixMilli(rec.At).UTC().Format("2006-01-02 15:04:05")))
	fmt.Fprintf(h.out, "%s  %s\n", stamp, h.event(ev))
	for _, c := range h.rules.see(rec) {
		fmt.Fprintf(h.out, "      %s\n", c)
	}
	gjson.ParseBytes(rec.Effects).ForEach(func(_, ef gjson.Result) bool {
		for _, line := range h.effect(ef) {
			fmt.Fprintf(h.out, "      %s\n", line)
		}
		return true
	})
}

func word(of gjson.Result, name string) string { return oneLine(of.Get(name).String()) }

// oneLine makes a peer's words fit into a line of history.
func oneLine(s string) string { return strings.ReplaceAll(ui.Plain(s), "\n", " ") }

// event puts what happened into a line.
func (h *history) event(ev gjson.Result) string {
	session := ev.Get("session").String()
	server := h.names[session]
	switch kind := ev.Get("event").String(); kind {
	case "configured":
		return h.rules.headline(ev)
	case "opened":
		server = word(ev, "server")
		h.names[session] = server
		return loud.Render(server) + " connected; it may ask for " + modes(ev.Get("declared")) + ", we can show " + modes(ev.Get("shown"))
	case "asked":
		return h.question(server, ev)
	case "answered":
		return answered(ev)
	case "consulted":
		return h.consulted(ev)
	case "completed":
		return server + " says that a page is finished"
	case "cancelled":
		return server + " takes a request back"
	case "closed":
		delete(h.names, session)
		if ev.Get("cause").String() == string(elicit.ByShutdown) {
			return "the host shuts down and lets " + server + " go"
		}
		return server + " disconnected"
	case "ticked":
		return "time passed"
	case "flooded":
		return h.flooded(ev)
	default:
		return kind
	}
}

func modes(list gjson.Result) string {
	var names []string
	for _, m := range list.Array() {
		names = append(names, oneLine(m.String()))
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, " and ")
}

func (h *history) question(server string, ev gjson.Result) string {
	line := loud.Render(server)
	if tool := word(ev, "tool"); tool != "" {
		line += ", running " + loud.Render(tool) + ","
	}
	line += " asks"
	if ev.Get("mode").String() == string(elicit.URL) {
		line += " to open " + word(ev, "url") + ":"
	} else {
		line += ":"
	}
	if n := ev.Get("cut_message").Int(); n > 0 {
		return line + faint.Render(fmt.Sprintf(" (%d bytes, not kept)", n))
	}
	return line + " “" + word(ev, "message") + "”"
}

// flooded tells of events that have no record of their own.
func (h *history) flooded(ev gjson.Result) string {
	line := fmt.Sprintf("%d more events that changed nothing, with %d bytes of text, until %s", ev.Get("count").Int(), ev.Get("bytes").Int(),
		time.UnixMilli(ev.Get("until").Int()).UTC().Format("15:04:05"))
	for i, one := range ev.Get("sessions").Array() {
		line += [2]string{": ", ", "}[min(i, 1)] + fmt.Sprintf("%d of %s", one.Get("count").Int(), h.names[one.Get("session").String()])
	}
	return line
}

func answered(ev gjson.Result) string {
	who := map[string]string{"": "the person", "client": "the person at the client", "script": "the answers file", "no_ui": "nobody"}[ev.Get("via").String()]
	if who == "" {
		who = word(ev, "via")
	}
	line := who + " answers " + loud.Render(word(ev, "action"))
	if content := ev.Get("content"); content.Exists() {
		line += " " + ui.Plain(content.Raw)
	}
	if n := len(ev.Get("withheld").Array()); n > 0 {
		line += faint.Render(fmt.Sprintf(" (%d not kept)", n))
	}
	return line
}

// consulted puts a guardian's answer into a line: its decision, or why there is none.
func (h *history) consulted(ev gjson.Result) string {
	round := roundOf(ev.Get("id").String(), int(ev.Get("round").Int()))
	who := h.asked[round]
	delete(h.asked, round)
	line := "guardian " + loud.Render(who)
	if person := word(ev, "principal"); person != "" {
		line = loud.Render(person) + ", asked for " + line + ","
	}
	output := ev.Get("output").String()
	said := ""
	if gjson.Valid(output) {
		said = oneLine(gjson.Get(output, "decision").String() + gjson.Get(output, "outcome").String())
	}
	switch fault := word(ev, "fault"); {
	case fault != "":
		line += " gives no verdict: " + fault
	case said != "":
		line += " says " + loud.Render(said)
	default:
		line += " answers"
	}
	if fuel := ev.Get("fuel").Int(); fuel > 0 {
		line += faint.Render(fmt.Sprintf(" (%d fuel)", fuel))
	}
	return line
}

// effect puts what came of it into lines.
func (h *history) effect(ef gjson.Result) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	switch ef.Get("effect").String() {
	case "show":
		add("shown%s", waiting(ef))
	case "withdraw":
		add("taken off the screen: %s", english.Cause(elicit.Cause(ef.Get("cause").String())))
	case "consult":
		h.asked[roundOf(ef.Get("id").String(), int(ef.Get("round").Int()))] = word(ef, "guardian")
		add("asks guardian %s, %s", loud.Render(word(ef, "guardian")), word(ef, "phase"))
		return lines
	case "reply":
		add("replied %s: %s", loud.Render(word(ef, "outcome")), english.Cause(elicit.Cause(ef.Get("cause").String())))
		if content := ef.Get("content"); content.Exists() {
			add("content %s", ui.Plain(content.Raw))
		}
	case "open_url":
		add("opens %s", word(ef, "url"))
	case "resolve":
		add("the page is %s", word(ef, "resolution"))
	case "problem":
		add("not accepted%s", ended(ef))
	default:
		return nil
	}
	for _, p := range ui.Problems(ef.Get("problems")) {
		add("✗ %s", strings.TrimSpace(oneLine(p.Pointer)+" "+oneLine(english.Problem(p))))
	}
	id := ef.Get("id").String()
	told := h.shown[id]
	switch ef.Get("effect").String() {
	case "show":
		h.shown[id] = true
	case "reply", "withdraw", "resolve":
		delete(h.shown, id)
	}
	if told {
		return lines
	}
	for _, f := range findingsOf(ef.Get("findings")) {
		add("! %s: %s", f.Severity, oneLine(english.Finding(f)))
	}
	for _, r := range reasonsOf(ef.Get("reasons")) {
		add("%s", faint.Render("because "+oneLine(english.Reason(r))))
	}
	return lines
}

func waiting(ef gjson.Result) string {
	if n := ef.Get("waiting").Int(); n > 0 {
		return fmt.Sprintf("; %d more waiting", n)
	}
	return ""
}

func ended(ef gjson.Result) string {
	if outcome := word(ef, "outcome"); outcome != "" {
		return "; it had ended as " + outcome + ": " + english.Cause(elicit.Cause(ef.Get("cause").String()))
	}
	return ""
}

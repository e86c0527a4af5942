package log

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/changes"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
)

// recordPrinter puts the records of a journal into words. It keeps names from earlier records, because a record holds
// only what is new. It removes the names of ended sessions and requests, so that a journal of any length takes the
// same memory.
type recordPrinter struct {
	zone      *time.Location
	names     map[string]string // session → server
	shown     map[string]bool   // ids of requests whose findings and reasons are printed
	guardians map[string]string // guardians, by the request and round that journals.RoundOf joins
	rules     changes.Tracker
	questions questionLog
}

var (
	faint = lipgloss.NewStyle().Faint(true)
	loud  = lipgloss.NewStyle().Bold(true)
	yes   = loud.Foreground(lipgloss.Green)
	no    = loud.Foreground(lipgloss.Red)
	alarm = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

// answerStyle is how an answer looks.
func answerStyle(answer string) lipgloss.Style {
	switch answer {
	case string(elicit.Accepted):
		return yes
	case string(elicit.Declined):
		return no
	}
	return loud
}

func newRecordPrinter(zone *time.Location) *recordPrinter {
	return &recordPrinter{zone: zone, names: map[string]string{}, shown: map[string]bool{}, guardians: map[string]string{},
		questions: newQuestionLog()}
}

// read puts a record into words. It returns nil for a timer that had no effect. The caller calls questions.finish
// before the next record.
func (h *recordPrinter) read(rec journal.Record) *logEntry {
	ev := gjson.ParseBytes(rec.Event)
	if ev.Get("event").String() == "ticked" && !gjson.GetBytes(rec.Effects, `#(effect!="wake")`).Exists() {
		return nil
	}
	server, isOpen := h.names[ev.Get("session").String()]
	h.questions.begin(rec, ev, server, isOpen)
	e := &logEntry{seq: rec.Seq, at: rec.At, about: h.questions.about}
	e.line = h.event(ev)
	if path := gjson.ParseBytes(changes.ConfigurationOf(ev)).Get("policy.managed_path"); path.Exists() {
		e.lines = append(e.lines, entryLine{text: "the managed policy is that of " + cli.OneLine(path.String())})
	}
	for _, c := range h.rules.Add(rec) {
		e.lines = append(e.lines, entryLine{text: c.String()})
		if text := c.Brief(); text != "" {
			e.changes = append(e.changes, text)
		}
	}
	gjson.ParseBytes(rec.Effects).ForEach(func(_, ef gjson.Result) bool {
		texts := h.effect(ef)
		q := h.questions.find(ef)
		q.learn(ef, rec.At)
		for _, text := range texts {
			e.lines = append(e.lines, entryLine{q, text})
		}
		return true
	})
	return e
}

func textMember(of gjson.Result, name string) string { return cli.OneLine(of.Get(name).String()) }

// event returns the line of an event.
func (h *recordPrinter) event(ev gjson.Result) string {
	session := ev.Get("session").String()
	server := h.names[session]
	switch kind := ev.Get("event").String(); kind {
	case "configured":
		return h.rules.Headline(ev)
	case "begun":
		clear(h.names)
		h.questions.closeAll()
		return "another process goes on with this journal"
	case "opened":
		server = textMember(ev, "server")
		h.names[session] = server
		return loud.Render(server) + " connected; it may ask for " + modes(ev.Get("declared")) +
			", we can show " + modes(ev.Get("shown"))
	case "asked":
		return h.question(server, ev)
	case "answered":
		return h.answered(ev)
	case "noted":
		line := receipts[event.Receipt(ev.Get("receipt").String())]
		if line == "" {
			line = "receipt " + textMember(ev, "receipt")
		}
		return line + h.questions.of(":", ev)
	case "drafted":
		return "what the person has typed is kept" + h.questions.of("for", ev)
	case "extended":
		return "the person asks for more time" + h.questions.of("for", ev)
	case "preferred":
		return "the person wants to see a waiting question now" + h.questions.of(":", ev)
	case "consulted":
		return h.consulted(ev)
	case "completed":
		return server + " says that a page is finished"
	case "called":
		line := server + " gets the call of " + loud.Render(textMember(ev, "tool"))
		if ev.Get("again").Bool() {
			line += " once more"
		}
		return line + faint.Render(" (arguments: SHA-256 "+textMember(ev, "digest")+")")
	case "cancelled":
		if name := h.questions.find(ev).name(); name != "" {
			return server + " withdraws " + name
		}
		return server + " withdraws a request"
	case "closed":
		delete(h.names, session)
		h.questions.close(session)
		if ev.Get("cause").String() == string(elicit.ByShutdown) {
			return "the host shuts down and disconnects " + server
		}
		return server + " disconnected"
	case "ticked":
		return "time passed"
	case "flooded":
		return h.flooded(ev)
	default:
		return cli.OneLine(kind)
	}
}

func modes(list gjson.Result) string {
	names := each.Of(list.Array(), func(m gjson.Result) string { return cli.OneLine(m.String()) })
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " and ")
}

func (h *recordPrinter) question(server string, ev gjson.Result) string {
	line := loud.Render(server)
	if tool := textMember(ev, "tool"); tool != "" {
		line += ", running " + loud.Render(tool) + ","
	}
	line += " asks"
	if ev.Get("mode").String() == string(elicit.URL) {
		line += " to open " + textMember(ev, "url") + ":"
	} else {
		line += ":"
	}
	if n := ev.Get("cut_message").Int(); n > 0 {
		return line + faint.Render(fmt.Sprintf(" (%d bytes, not kept)", n))
	}
	return line + " “" + textMember(ev, "message") + "”"
}

// flooded returns the line of events that were counted and have no records of their own.
func (h *recordPrinter) flooded(ev gjson.Result) string {
	until := time.UnixMilli(ev.Get("until").Int()).In(h.zone).Format("15:04:05")
	line := fmt.Sprintf("%d more events that changed nothing, with %d bytes of text, until %s",
		ev.Get("count").Int(), ev.Get("bytes").Int(), until)
	for i, one := range ev.Get("sessions").Array() {
		server := h.names[one.Get("session").String()]
		line += [2]string{": ", ", "}[min(i, 1)] + fmt.Sprintf("%d of %s", one.Get("count").Int(), server)
	}
	return line
}

func (h *recordPrinter) answered(ev gjson.Result) string {
	who := map[string]string{"": "the person", "client": "the person at the client", "script": "the answers file",
		"no_ui": "nobody", "model": "a model, for the person,"}[ev.Get("via").String()]
	if who == "" {
		who = textMember(ev, "via")
	}
	action := textMember(ev, "action")
	line := who + " answers " + answerStyle(action).Render(action) + h.questions.of("to", ev)
	if content := ev.Get("content"); content.Exists() {
		line += " " + ui.Plain(content.Raw)
	}
	if n := len(ev.Get("withheld").Array()); n > 0 {
		line += faint.Render(fmt.Sprintf(" (%d not kept)", n))
	}
	if note := ev.Get("note"); note.Exists() {
		line += ", with the note “" + cli.OneLine(note.String()) + "”"
	}
	return line
}

// consulted returns the line of a guardian's answer: its decision, or why there is none.
func (h *recordPrinter) consulted(ev gjson.Result) string {
	round := journals.RoundOf(ev.Get("id").String(), int(ev.Get("round").Int()))
	who := h.guardians[round]
	delete(h.guardians, round)
	line := "guardian " + loud.Render(who)
	if person := textMember(ev, "principal"); person != "" {
		line = loud.Render(person) + ", asked for " + line + ","
	}
	output := ev.Get("output").String()
	said := ""
	if gjson.Valid(output) {
		said = cli.OneLine(gjson.Get(output, "decision").String() + gjson.Get(output, "outcome").String())
	}
	switch fault := textMember(ev, "fault"); {
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

// effect returns the lines of one effect of a step.
func (h *recordPrinter) effect(ef gjson.Result) (lines []string) {
	add := func(format string, args ...any) {
		if line := fmt.Sprintf(format, args...); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	h.questions.link(ef)
	q, cause := h.questions.find(ef), elicit.Cause(ef.Get("cause").String())
	switch ef.Get("effect").String() {
	case "show":
		if q != nil && q.given == 0 {
			q.given = h.questions.at
		}
		to := "the interface"
		if ef.Get("by_client").Bool() {
			to = "the client, which draws it"
		}
		add("given to %s%s%s", to, h.questions.of(":", ef), waiting(ef))
	case "withdraw":
		if !slices.Contains(h.questions.ending, q) { // else its reply has told that
			add("over without a reply%s: %s%s", h.questions.of(":", ef), cli.OneLine(english.Cause(cause)),
				h.questions.seen(q, cause))
		}
		h.questions.ends(q)
	case "consult":
		h.guardians[journals.RoundOf(ef.Get("id").String(), int(ef.Get("round").Int()))] = textMember(ef, "guardian")
		add("asks guardian %s, %s", loud.Render(textMember(ef, "guardian")), textMember(ef, "phase"))
		return lines
	case "reply":
		outcome := textMember(ef, "outcome")
		add("replied %s%s: %s%s", answerStyle(outcome).Render(outcome), h.questions.of("to", ef), causeOf(ef),
			h.questions.seen(q, cause))
		if content := ef.Get("content"); content.Exists() {
			add("content %s", ui.Plain(content.Raw))
		}
		if arguments := ef.Get("arguments"); arguments.Exists() {
			add("the person edited the arguments: %s", ui.Plain(arguments.Raw))
		}
		if strings.Contains(ef.Get("reasons").Raw, `"note_not_sent"`) {
			add("%s", cli.OneLine(english.Reason(elicit.Reason{Code: "note_not_sent"})))
		}
		if q == nil || !q.linked || ef.Get("outcome").String() != string(elicit.Accepted) {
			h.questions.ends(q)
		}
	case "open_url":
		add("opens %s", textMember(ef, "url"))
	case "resolve":
		page := "the page" + h.questions.of("of", ef)
		if ef.Get("resolution").String() == string(effect.PageLapsed) {
			add("nobody said in time that %s is finished", page)
		} else {
			add("%s is finished", page)
		}
		h.questions.ends(q)
	case "problem":
		add("not accepted%s", ended(ef))
	default:
		return nil
	}
	for _, p := range ui.Problems(ef.Get("problems")) {
		add("✗ %s", strings.TrimSpace(cli.OneLine(p.Pointer)+" "+cli.OneLine(english.Problem(p))))
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
	for _, f := range cli.FindingsOf(ef.Get("findings")) {
		add("%s", alarm.Render(fmt.Sprintf("! %s: %s", cli.OneLine(string(f.Severity)), cli.OneLine(english.Finding(f)))))
	}
	for _, r := range cli.ReasonsOf(ef.Get("reasons")) {
		add("%s", faint.Render("why: "+cli.OneLine(english.Why(r))))
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
	if outcome := textMember(ef, "outcome"); outcome != "" {
		return "; it had ended as " + outcome + ": " + cli.OneLine(english.Cause(elicit.Cause(ef.Get("cause").String())))
	}
	return ""
}

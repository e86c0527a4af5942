package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// retrial is `elicit replay` with a guardian: the questions on record are put to its module again. Where it is the very
// module that was asked then, it must say the same; where it is another, what it would have changed is listed.
type retrial struct {
	modules []string // paths
	as      string
	json    bool

	host    *host.Host
	guest   *guest.Module
	asked   []*hearing
	open    map[string]*hearing // by request and round
	grants  map[string]guardian.Grant
	onFault guardian.Decision // what a fault counts as, by the recorded policy
	servers map[string]string // by session
	about   map[elicit.ID]string
	checked map[string]bool // settings that the module has been shown
	notes   []string

	agreed, withheld, changed int
}

// hearing is one asking on record. Those of one record and request were asked together.
type hearing struct {
	engine.Consult
	record  int64
	at      int64
	server  string
	grant   guardian.Grant
	onFault guardian.Decision
	output  string // as recorded
	fault   string // likewise; timeout when nothing is recorded
	fuel    int64
}

func (r *retrial) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.modules, "guardian", nil, "guardian's `module` to put the recorded questions to again; may be repeated")
	cmd.Flags().StringVar(&r.as, "as", "", "`name` of the guardian in whose place it is asked; by default its own")
}

func (r *retrial) run(cmd *cobra.Command, in *journalInput) error {
	if r.as != "" && len(r.modules) > 1 {
		return errors.New("--as names one guardian; give one --guardian with it")
	}
	if err := r.read(in); err != nil {
		return err
	}
	r.host = host.New(host.Options{})
	defer r.host.Close()
	differs := false
	for _, path := range r.modules {
		changed, err := r.module(cmd, in, path)
		if err != nil {
			return err
		}
		differs = differs || changed
	}
	if differs {
		return ending{code: exitDiffers}
	}
	return nil
}

// read replays the journal, which makes every question again, and pairs each with what is recorded of the answer.
func (r *retrial) read(in *journalInput) error {
	r.onFault = guardian.Deny
	r.open, r.servers, r.about = map[string]*hearing{}, map[string]string{}, map[elicit.ID]string{}
	result := engine.ReplayLines(in.lines, func(rec journal.Record, effects []engine.Effect) {
		event := gjson.ParseBytes(rec.Event)
		switch event.Get("event").String() {
		case "configured":
			r.configured(event)
		case "opened":
			r.servers[event.Get("session").String()] = event.Get("server").String()
		case "consulted":
			if h := r.open[roundOf(event.Get("id").String(), int(event.Get("round").Int()))]; h != nil {
				h.output, h.fault, h.fuel = event.Get("output").String(), event.Get("fault").String(), event.Get("fuel").Int()
			}
		}
		r.record(rec, event, effects)
	})
	switch {
	case in.err != nil:
		return in.err
	case result.Got != nil:
		return fmt.Errorf("%s: %s\n  `elicit replay` without --guardian shows the difference", in.name, ui.Plain(english.Problem(*result.Problem)))
	case result.Problem != nil:
		return brokenJournal(in.name, *result.Problem)
	}
	return nil
}

func (r *retrial) configured(event gjson.Result) {
	config := configurationOf(event)
	if config == nil {
		return // the one before holds
	}
	var grants []guardian.Grant
	grants, r.onFault = engine.Guardians(config)
	r.grants = map[string]guardian.Grant{}
	for _, g := range grants {
		r.grants[g.Name] = g
	}
}

func roundOf(id string, round int) string { return fmt.Sprint(id, " ", round) }

// record takes the askings of one record, and what questions are about.
func (r *retrial) record(rec journal.Record, event gjson.Result, effects []engine.Effect) {
	for _, effect := range effects {
		var id elicit.ID
		switch ef := effect.(type) {
		case engine.Consult:
			id = ef.ID
			h := &hearing{Consult: ef, record: rec.Seq, at: rec.At, server: r.servers[ef.Session], grant: r.grants[ef.Guardian], onFault: r.onFault, fault: string(guardian.FaultTimeout)}
			r.asked, r.open[roundOf(string(ef.ID), ef.Round)] = append(r.asked, h), h
		case engine.Show:
			id = ef.ID
		}
		if id != "" && event.Get("event").String() == "asked" {
			r.about[id] = abridged(elicit.Request{Message: event.Get("message").String(), URL: event.Get("url").String(), Mode: elicit.Mode(event.Get("mode").String())})
		}
	}
}

// module puts the questions to one module.
func (r *retrial) module(cmd *cobra.Command, in *journalInput, path string) (changed bool, err error) {
	module, err := readDocument(cmd, path)
	if err != nil {
		return false, err
	}
	m, problems := r.host.Load(module.text, guest.Options{WASI: true})
	if len(problems) > 0 {
		complainOf(cmd, path, problems)
		return false, invalid
	}
	name := r.as
	if name == "" {
		name = m.Manifest.Name
	}
	r.guest, r.agreed, r.withheld, r.changed, r.notes, r.checked = m, 0, 0, 0, nil, map[string]bool{}
	var turns []turn
	put := 0
	for _, h := range r.asked {
		switch {
		case h.Phase == engine.SecondPerson || h.Reviewer || h.Digest != m.Digest && h.Guardian != name:
		case h.Withheld():
			r.withheld++
		case h.Digest == m.Digest:
			if err := r.agrees(in, h); err != nil {
				return false, err
			}
		default:
			put++
			if t, differs := r.turn(h); differs {
				turns = append(turns, t)
			}
		}
	}
	if put+r.agreed+r.withheld == 0 {
		return false, fmt.Errorf("%s never asked a guardian called %s%s", in.name, name, r.others())
	}
	r.tell(cmd.OutOrStdout(), path, put, turns)
	return len(turns) > 0, nil
}

func (r *retrial) others() string {
	var names []string
	for _, h := range r.asked {
		if !slices.Contains(names, h.Guardian) {
			names = append(names, h.Guardian)
		}
	}
	if names == nil {
		return ", nor any other"
	}
	return "; it asked " + strings.Join(names, ", ") + ": say with --as whose place it takes"
}

// agrees holds what a module says now to what the same module said then.
func (r *retrial) agrees(in *journalInput, h *hearing) error {
	switch guardian.Fault(h.fault) {
	case guardian.FaultTimeout, guardian.FaultNotLoaded, guardian.FaultUnavailable, guardian.FaultInternal:
		return nil // the host's doing, not the guest's
	}
	now := r.host.Evaluate(host.Evaluation{Digest: h.Digest, Question: h.Question, Fuel: h.Fuel, WASI: h.WASI})
	if string(now.Output) != h.output || string(now.Fault) != h.fault || now.Fuel != h.fuel {
		return fmt.Errorf("%s: record %d: guardian %s does not repeat itself\n  recorded %s\n  now      %s\n  the journal was made with another version of the host or of the fuel, or somebody rewrote it whole",
			in.name, h.record, h.Guardian, testimony(h.output, h.fault, h.fuel), testimony(string(now.Output), string(now.Fault), now.Fuel))
	}
	r.agreed++
	return nil
}

func testimony(output, fault string, fuel int64) string {
	if fault != "" {
		output = "no verdict, " + fault
	}
	return fmt.Sprintf("%s (%d fuel)", oneLine(output), fuel)
}

// turn is one asking on which the module says otherwise than what was asked then. Together is what all guardians that
// were asked with it come to.
type turn struct {
	*hearing
	then, now                 string
	togetherThen, togetherNow string
	because                   string
}

func (r *retrial) turn(h *hearing) (t turn, differs bool) {
	reads := r.guest.Manifest.Reads
	granted := guardian.Grant{Declared: guardian.Declared{Reads: reads}, Reads: reads}
	question := granted.Narrow(h.Question)
	r.fits(h)
	fuel := h.Fuel
	if fuel == 0 {
		fuel = guardian.DefaultFuel
	}
	result := r.host.Evaluate(host.Evaluation{Digest: r.guest.Digest, Question: question, Fuel: fuel, WASI: h.WASI})
	if !slices.Contains(r.guest.Manifest.Phases, h.Phase) {
		result = host.Result{Output: []byte(`{"v":1,"decision":"pass"}`)} // it would not have been asked
	}
	then, before, _ := h.word(h.output, h.fault)
	now, after, because := h.word(string(result.Output), string(result.Fault))
	t = turn{hearing: h, then: then, now: now, because: because}
	strongest := guardian.Pass
	for _, other := range r.asked {
		if other != h && other.record == h.record && other.ID == h.ID && other.Phase == h.Phase && !other.grant.Audit {
			_, decision, _ := other.word(other.output, other.fault)
			strongest = max(strongest, decision)
		}
	}
	if h.grant.Audit {
		before, after = guardian.Pass, guardian.Pass
	}
	t.togetherThen, t.togetherNow = max(strongest, before).String(), max(strongest, after).String()
	return t, then != now
}

// word is what an output or a fault comes to: in words with what it obliges to, as a decision, and the guardian's first
// finding.
func (h *hearing) word(output, fault string) (said string, d guardian.Decision, because string) {
	if fault != "" {
		return "fault " + fault, h.onFault, ""
	}
	v, problem := guardian.ReadVerdict([]byte(output), h.Phase)
	if problem != nil {
		return "fault " + string(guardian.FaultBadVerdict), h.onFault, ""
	}
	if d = v.Decision; d == guardian.Allow {
		d = guardian.Pass
	}
	said = d.String()
	for _, pointer := range v.Redact {
		said += " redact " + pointer
	}
	if v.Second {
		said += " second_person"
	}
	if len(v.Findings) > 0 {
		because = v.Findings[0].Message
	}
	return said, d, because
}

// fits notes, once each, what would keep the module from taking the place.
func (r *retrial) fits(h *hearing) {
	note := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(r.notes, s) {
			r.notes = append(r.notes, s)
		}
	}
	old := h.grant.Declared.Reads
	for _, p := range r.guest.Manifest.Reads {
		if !old.Covers(strings.Split(p.String(), "/")[1:]) {
			note("it declares to read %s, which the questions on record do not hold", p)
		}
	}
	for _, p := range r.guest.Manifest.Phases {
		if !slices.Contains(h.grant.Declared.Phases, p) {
			note("it wants to be asked %s, of which nothing is on record", p)
		}
	}
	settings := gjson.GetBytes(h.Question, "settings").Raw
	if r.checked[settings] {
		return
	}
	r.checked[settings] = true
	result := r.host.CheckSettings(host.Evaluation{Digest: r.guest.Digest, Question: []byte(settings), Fuel: guest.DefaultFuel, WASI: h.WASI})
	problems, bad := guardian.ReadSettingsAnswer(result.Output)
	if result.Fault != "" || bad != nil || len(problems) > 0 {
		note("it does not take the recorded settings %s", settings)
	}
}

func (r *retrial) tell(w io.Writer, path string, put int, turns []turn) {
	if r.json {
		w = jsonOutput{w}
		fmt.Fprint(w, `{"differences":[`)
		for i, t := range turns {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, "\n%s", t.json())
		}
		fmt.Fprintf(w, "],\"digest\":%q,\"agreed\":%d,\"asked\":%d,\"changed\":%d,\"withheld\":%d}\n", r.guest.Digest, r.agreed, put, len(turns), r.withheld)
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, t := range turns {
		if i == 0 {
			fmt.Fprintln(table, "RECORD\tTIME (UTC)\tSERVER\tASKED\tPHASE\tTHEN\tNOW\tTOGETHER\tBECAUSE")
		}
		together := t.togetherThen + " → " + t.togetherNow
		if t.togetherThen == t.togetherNow {
			together = "still " + t.togetherNow
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t→ %s\t%s\t%s\n", t.record, time.UnixMilli(t.at).UTC().Format("2006-01-02 15:04:05"),
			cell(t.server), r.about[t.ID], t.Phase, cell(t.then), cell(t.now), together, cell(t.because))
	}
	table.Flush()
	if r.agreed > 0 {
		fmt.Fprintf(w, "%s: asked %d times then, and says the same now, for the same fuel\n", path, r.agreed)
	}
	if put > 0 {
		fmt.Fprintf(w, "%s: asked %d times in another's place: %d would differ\n", path, put, len(turns))
	}
	if r.withheld > 0 {
		fmt.Fprintf(w, "%s: %d questions held a secret, which is not on record; they cannot be compared\n", path, r.withheld)
	}
	for _, note := range r.notes {
		fmt.Fprintf(w, "%s: %s\n", path, cell(note))
	}
}

func (t *turn) json() []byte {
	pair := func(name, then, now string) elicit.Arg {
		return elicit.Raw(name, string(appendObject(nil, []elicit.Arg{elicit.Str("then", then), elicit.Str("now", now)})))
	}
	return appendObject(nil, []elicit.Arg{elicit.Num("record", int(t.record)), elicit.Num("at", int(t.at)), elicit.Str("session", t.Session),
		elicit.Str("id", string(t.ID)), elicit.Str("server", t.server), elicit.Str("guardian", t.Guardian), elicit.Str("phase", string(t.Phase)),
		pair("verdict", t.then, t.now), pair("together", t.togetherThen, t.togetherNow)})
}

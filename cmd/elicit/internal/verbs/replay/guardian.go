package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/changes"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianReplay is `elicit replay` with --guardian: it asks a module the recorded questions again. A module with the
// recorded digest must give the recorded verdict. For any other module it lists the verdicts that would differ.
type guardianReplay struct {
	modules []string // paths
	data    string   // path of their data document
	as      string
	json    bool

	host     *host.Host
	text     []byte // the data document, nil for none
	digest   string // its digest, "" for none
	guest    *guest.Module
	consults []*recordedConsult
	waiting  map[string]*recordedConsult // by request and round
	permits  map[string]guardian.Permit
	onFault  guardian.Decision // what a fault counts as, by the recorded policy
	servers  map[string]string // by session
	subjects map[elicit.ID]string
	checked  map[string]bool // settings that the module has checked
	notes    []string

	repeated, withheld int
}

// recordedConsult is one consult of the journal. The consults of one record and one request were asked together.
type recordedConsult struct {
	effect.Consult
	record  int64
	at      int64
	server  string
	permit  guardian.Permit
	onFault guardian.Decision
	output  string // as recorded
	fault   string // as recorded; timeout when no answer is recorded
	fuel    int64  // as recorded
}

func (r *guardianReplay) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.modules, "guardian", nil,
		"guardian's `module` to ask the recorded questions again; may be repeated")
	rules.AddDataFlag(cmd, &r.data, "data document of that guardian: a `file`; with another than the recorded document, "+
		"it prints what would change")
	cmd.Flags().StringVar(&r.as, "as", "", "`name` of the guardian that the module replaces; by default its own")
}

func (r *guardianReplay) run(cmd *cobra.Command, in *journals.Input) error {
	if r.as != "" && len(r.modules) > 1 {
		return errors.New("--as names one guardian; give exactly one --guardian with it")
	}
	if r.data != "" {
		doc, digest, err := rules.ReadData(cmd, r.data, "")
		if err != nil {
			return err
		}
		r.text, r.digest = append([]byte{}, doc.Text...), digest
	}
	if err := r.read(in); err != nil {
		return err
	}
	r.host = host.New(rules.GuestOptions())
	defer r.host.Close()
	differs := false
	for _, path := range r.modules {
		changed, err := r.replayModule(cmd, in, path)
		if err != nil {
			return err
		}
		differs = differs || changed
	}
	if differs {
		return cli.Exit(cli.Differs, nil)
	}
	return nil
}

// read replays the journal, because a record does not hold the questions to guardians, and the engine makes the same
// questions again. It adds the recorded answer to each question.
func (r *guardianReplay) read(in *journals.Input) error {
	r.onFault = guardian.Deny
	r.waiting, r.servers, r.subjects = map[string]*recordedConsult{}, map[string]string{}, map[elicit.ID]string{}
	result := engine.ReplayLines(in.Lines, func(rec journal.Record, effects []effect.Effect) {
		event := gjson.ParseBytes(rec.Event)
		switch event.Get("event").String() {
		case "configured":
			r.configured(event)
		case "opened":
			r.servers[event.Get("session").String()] = event.Get("server").String()
		case "consulted":
			if h := r.waiting[journals.RoundOf(event.Get("id").String(), int(event.Get("round").Int()))]; h != nil {
				h.output, h.fault, h.fuel = event.Get("output").String(), event.Get("fault").String(), event.Get("fuel").Int()
			}
		}
		r.readRecord(rec, event, effects)
	})
	if in.Err == nil && result.Got != nil {
		return fmt.Errorf("%s: %s\n  `elicit replay` without --guardian shows the difference",
			in.Name, ui.Plain(english.Problem(*result.Problem)))
	}
	return in.Fault(result.Problem)
}

func (r *guardianReplay) configured(event gjson.Result) {
	config := changes.ConfigurationOf(event)
	if config == nil {
		return // the one before holds
	}
	var permits []guardian.Permit
	permits, r.onFault = engine.Guardians(config)
	r.permits = map[string]guardian.Permit{}
	for _, g := range permits {
		r.permits[g.Name] = g
	}
}

// readRecord keeps the consults of one record, and the subjects of its questions.
func (r *guardianReplay) readRecord(rec journal.Record, event gjson.Result, effects []effect.Effect) {
	for _, next := range effects {
		var id elicit.ID
		switch ef := next.(type) {
		case effect.Consult:
			id = ef.ID
			h := &recordedConsult{Consult: ef, record: rec.Seq, at: rec.At, server: r.servers[ef.Session],
				permit: r.permits[ef.Guardian], onFault: r.onFault, fault: string(guardian.FaultTimeout)}
			r.consults, r.waiting[journals.RoundOf(string(ef.ID), ef.Round)] = append(r.consults, h), h
		case effect.Show:
			id = ef.ID
		}
		if id != "" && event.Get("event").String() == "asked" {
			r.subjects[id] = cli.Abridged(elicit.Request{Message: event.Get("message").String(),
				URL: event.Get("url").String(), Mode: elicit.Mode(event.Get("mode").String())})
		}
	}
}

// replayModule asks one module the recorded questions, and prints the differences.
func (r *guardianReplay) replayModule(cmd *cobra.Command, in *journals.Input, path string) (changed bool, err error) {
	module, err := cli.ReadRegular(cmd, path)
	if err != nil {
		return false, err
	}
	m, problems := r.host.Load(module.Text, guest.Options{WASI: true})
	if len(problems) > 0 {
		rules.PrintModuleProblems(cmd, path, problems)
		return false, cli.ErrInvalid
	}
	name := cmp.Or(r.as, m.Manifest.Name)
	r.guest, r.repeated, r.withheld, r.notes, r.checked = m, 0, 0, nil, map[string]bool{}
	var differences []verdictDifference
	put := 0
	for _, h := range r.consults {
		switch {
		case h.Phase == effect.SecondPerson || h.Reviewer || h.Digest != m.Digest && h.Guardian != name:
		case h.Withheld():
			r.withheld++
		case m.Manifest.Data != "" && r.text == nil:
			return false, r.needsData(path, h)
		case h.Digest == m.Digest && (h.Data == r.digest || m.Manifest.Data == ""):
			if err := r.repeats(in, h); err != nil {
				return false, err
			}
		default:
			put++
			if t, differs := r.compare(h); differs {
				differences = append(differences, t)
			}
		}
	}
	if put+r.repeated+r.withheld == 0 {
		return false, fmt.Errorf("%s has no question to a guardian with the name %s%s", in.Name, name, r.otherGuardians())
	}
	r.print(cmd.OutOrStdout(), path, put, differences)
	return len(differences) > 0, nil
}

// needsData asks for the data document of a record, which holds only its digest.
func (r *guardianReplay) needsData(path string, h *recordedConsult) error {
	if h.Data == "" {
		return fmt.Errorf("%s needs a data document; give it with --data", path)
	}
	return fmt.Errorf("%s needs a data document; give it with --data: the recorded one has the digest %s", path, h.Data)
}

func (r *guardianReplay) otherGuardians() string {
	var names []string
	for _, h := range r.consults {
		if !slices.Contains(names, h.Guardian) {
			names = append(names, h.Guardian)
		}
	}
	if names == nil {
		return ", nor to any other; give the journal of a run with --guardian"
	}
	return "; it has questions to " + strings.Join(names, ", ") + ": name with --as the one that the module replaces"
}

// repeats checks that a module gives the recorded output, fault and fuel again. The error names the record.
func (r *guardianReplay) repeats(in *journals.Input, h *recordedConsult) error {
	switch guardian.Fault(h.fault) {
	case guardian.FaultTimeout, guardian.FaultNotLoaded, guardian.FaultUnavailable, guardian.FaultInternal:
		return nil // the host caused the fault, not the guest
	}
	now := r.host.Evaluate(host.Evaluation{Digest: h.Digest, Question: h.Question, Fuel: h.Fuel, WASI: h.WASI,
		Data: r.text})
	if string(now.Output) != h.output || string(now.Fault) != h.fault || now.Fuel != h.fuel {
		return fmt.Errorf("%s: record %d: guardian %s does not repeat itself\n  recorded %s\n  now      %s\n"+
			"  another version of the host or of the fuel wrote the journal, or somebody rewrote all of it; "+
			"replay it with the version that wrote it", in.Name, h.record, h.Guardian,
			outputAndFuel(h.output, h.fault, h.fuel),
			outputAndFuel(string(now.Output), string(now.Fault), now.Fuel))
	}
	r.repeated++
	return nil
}

// verdictDifference is one recorded consult for which the module gives another verdict. The two fields "together" are
// the combined decision of all guardians that were asked at the same time.
type verdictDifference struct {
	*recordedConsult
	then, now                 string
	togetherThen, togetherNow string
	because                   string // the first finding of the module
}

func (r *guardianReplay) compare(h *recordedConsult) (t verdictDifference, differs bool) {
	reads := r.guest.Manifest.Reads
	permitted := guardian.Permit{Declared: guardian.Declared{Reads: reads}, Reads: reads}
	question := permitted.Narrow(h.Question)
	r.noteMisfits(h)
	fuel := cmp.Or(h.Fuel, guardian.DefaultFuel)
	result := r.host.Evaluate(host.Evaluation{
		Digest: r.guest.Digest, Question: question, Fuel: fuel, WASI: h.WASI, Data: r.text})
	if !slices.Contains(r.guest.Manifest.Phases, h.Phase) {
		result = host.Result{Output: []byte(`{"v":1,"decision":"pass"}`)} // the engine would not have asked it
	}
	then, before, _ := h.summary(h.output, h.fault)
	now, after, because := h.summary(string(result.Output), string(result.Fault))
	t = verdictDifference{recordedConsult: h, then: then, now: now, because: because}
	strongest := guardian.Pass
	for _, other := range r.consults {
		if other != h && other.record == h.record && other.ID == h.ID && other.Phase == h.Phase && !other.permit.Audit {
			_, decision, _ := other.summary(other.output, other.fault)
			strongest = max(strongest, decision)
		}
	}
	if h.permit.Audit {
		before, after = guardian.Pass, guardian.Pass
	}
	t.togetherThen, t.togetherNow = max(strongest, before).String(), max(strongest, after).String()
	return t, then != now
}

// summary returns what an output or a fault means: the decision with its obligations in words, the decision itself, and
// the guardian's first finding.
func (h *recordedConsult) summary(output, fault string) (said string, d guardian.Decision, because string) {
	v, said, ok := rules.VerdictWords([]byte(output), guardian.Fault(fault), h.Phase)
	if !ok {
		return said, h.onFault, ""
	}
	if len(v.Findings) > 0 {
		because = v.Findings[0].Message
	}
	return said, v.Decision, because
}

// noteMisfits notes why the module could not simply replace the recorded guardian: it reads more than the recorded
// questions hold, it wants other phases, or it refuses the recorded settings. It adds each note once.
func (r *guardianReplay) noteMisfits(h *recordedConsult) {
	note := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(r.notes, s) {
			r.notes = append(r.notes, s)
		}
	}
	old := h.permit.Declared.Reads
	for _, p := range r.guest.Manifest.Reads {
		if !old.Covers(strings.Split(p.String(), "/")[1:]) {
			note("it declares that it reads %s, which the recorded questions do not hold", p)
		}
	}
	for _, p := range r.guest.Manifest.Phases {
		if !slices.Contains(h.permit.Declared.Phases, p) {
			note("it declares the phase %s, for which the journal has no question", p)
		}
	}
	settings := gjson.GetBytes(h.Question, "settings").Raw
	if r.checked[settings] {
		return
	}
	r.checked[settings] = true
	result := r.host.CheckSettings(host.Evaluation{
		Digest: r.guest.Digest, Question: []byte(settings), WASI: h.WASI, Data: r.text,
		Fuel: guest.SettingsFuel(guest.DefaultFuel, r.text != nil)})
	problems, bad := guardian.ReadSettingsAnswer(result.Output)
	if result.Fault != "" || bad != nil || len(problems) > 0 {
		note("it refuses the recorded settings %s", settings)
	}
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// pastDecision is a decision of policy in a journal.
type pastDecision struct {
	record        int64
	at            int64
	name          string // for people
	facts         policy.Facts
	findings      []elicit.Finding
	outcome, rule string
}

// decisions are what policy decided in a journal, without repeats, and the last policies in force.
type decisions struct {
	list     []pastDecision
	seen     map[string]bool
	size     int // bytes of seen
	decided  int // also the repeats
	grants   int // of these, decided by the person's earlier word
	lost     int // beyond maxDecisions
	policies policies
	others   map[policy.Layer]string // the member "layers" of a case that tests this layer, with a comma before it
	quiet    bool                    // a policy has quiet hours
}

// maxDecisions bounds the bytes of different decisions that are held.
const maxDecisions = 16 << 20

// read reads a journal. Only the recorded decisions count, so it simulates no other policy.
func (l *decisions) read(cmd *cobra.Command, name, key string) error {
	l.seen = map[string]bool{}
	in, err := openJournal(cmd, name, key)
	if err != nil {
		return err
	}
	defer in.Close()
	in.showProgress(cmd.ErrOrStderr())
	open := map[elicit.ID]*engine.Decided{}
	_, err = in.simulate(policy.NewStack(), func(d *engine.Decided) {
		l.decided++
		open[d.Request.ID] = d
	}, func(record []byte) {
		l.configure(record)
		l.end(record, open)
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(l.list, func(a, b pastDecision) int { return cmp.Compare(a.record, b.record) })
	l.joinLayers()
	return nil
}

// end takes the findings of decisions from the first effect that tells them.
func (l *decisions) end(record []byte, open map[elicit.ID]*engine.Decided) {
	if len(open) == 0 {
		return
	}
	gjson.GetBytes(record, "effects").ForEach(func(_, ef gjson.Result) bool {
		id := elicit.ID(ef.Get("id").String())
		d := open[id]
		switch ef.Get("effect").String() {
		case "show", "reply", "withdraw":
			if d == nil {
				return true
			}
			delete(open, id)
			l.add(d, findingsOf(ef.Get("findings")))
		}
		return true
	})
}

// add keeps a decision unless an equal one is there.
func (l *decisions) add(d *engine.Decided, findings []elicit.Finding) {
	var by elicit.Reason
	if len(d.Then.Reasons) > 0 {
		by = d.Then.Reasons[d.Then.By()]
	}
	if by.Code == "granted" {
		l.grants++
		return
	}
	known := engine.Known{}
	if l.quiet {
		known.At = d.At
	}
	facts, _, problems := engine.Consider(d.Request, schema.Options{}, known)
	if problems != nil {
		l.lost++ // the journal's limits for schemas are wider
		return
	}
	one := pastDecision{d.Record, d.At, nameOfPast(d), facts, findings, d.Then.Outcome.String(), by.Rule}
	key := one.outcome + " " + one.rule + " " + one.request()
	if l.seen[key] {
		return
	}
	if l.size += len(key); l.size > maxDecisions {
		l.lost++
		return
	}
	l.seen[key] = true
	l.list = append(l.list, one)
}

// request is the question as a case has it, without braces.
func (d *pastDecision) request() string {
	text := `"facts":` + string(d.facts.AppendJSON(nil))
	if len(d.findings) > 0 {
		text += `,"findings":` + string(elicit.AppendList(nil, d.findings))
	}
	return text
}

func nameOfPast(d *engine.Decided) string {
	of, said := d.Request.Server, d.Request.Message
	if d.Request.Tool != "" {
		of += ", tool " + d.Request.Tool
	}
	if d.Request.Mode == elicit.URL {
		said = d.Request.URL
	}
	return fmt.Sprintf("record %d: %s asks “%s”", d.Record, oneLine(of), plain.Cut(oneLine(said), 60))
}

// configure keeps the policies of a record that configures.
func (l *decisions) configure(record []byte) {
	if !bytes.Contains(record, []byte(`"event":"configured"`)) {
		return
	}
	text := configurationOf(gjson.GetBytes(record, "event"))
	if text == nil {
		return
	}
	config := gjson.ParseBytes(text)
	l.policies, l.quiet = policies{}, false
	for _, layer := range policy.Layers() {
		doc := config.Get("policy." + layer.String() + "_text").String()
		if doc == "" {
			doc = config.Get("policy." + layer.String()).Raw
		}
		if doc != "" {
			*policyOf(&l.policies, layer) = []byte(doc)
			l.quiet = l.quiet || gjson.Get(doc, "quiet").Exists()
		}
	}
}

// joinLayers writes, for each layer, the other ones as the cases of that layer name them.
func (l *decisions) joinLayers() {
	l.others = map[policy.Layer]string{}
	for _, tested := range policy.Layers() {
		var others []elicit.Arg
		for _, layer := range policy.Layers() {
			if doc := *policyOf(&l.policies, layer); layer != tested && doc != nil {
				others = append(others, elicit.Raw(layer.String(), string(bytes.TrimSpace(doc))))
			}
		}
		if others != nil {
			l.others[tested] = `,"layers":` + string(appendObject(nil, others))
		}
	}
}

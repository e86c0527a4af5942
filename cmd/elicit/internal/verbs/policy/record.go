package policy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/changes"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// policyRecord makes cases of the decisions in a journal.
type policyRecord struct {
	key  string
	most int

	past  decisions
	layer policy.Layer // of the file that the cases test

	output  string   // of the cases; "" for standard output, or beside the policy
	cases   []string // JSON, in the order of the journal
	other   int      // decisions that the last policy of the journal does not repeat
	tooMany int      // beyond most
}

func newPolicyRecordCommand() *cobra.Command {
	var p policyRecord
	cmd := cli.Verb("record", cli.Args(1, 2,
		"give one journal, or - for standard input, and perhaps the policy file of the cases"),
		p.run)
	journals.AddKeyFlag(cmd, &p.key)
	cmd.Flags().StringVar(&p.output, "output", "", "write the cases to this new `file`")
	cmd.Flags().IntVar(&p.most, "most", 500, "write at most this `number` of cases")
	return cmd
}

func (p *policyRecord) run(cmd *cobra.Command, args []string) error {
	file := ""
	switch {
	case p.most < 1:
		return fmt.Errorf("--most is %d; give 1 or more", p.most)
	case p.output != "" && len(args) > 1:
		return errors.New("--output names the file of the cases, and FILE names the policy that they stand beside; give one")
	}
	if p.layer = policy.User; len(args) > 1 {
		file = args[1]
		p.layer = layerOf(file)
	}
	if err := p.past.read(cmd, args[0], p.key); err != nil {
		return err
	}
	if err := p.check(cmd); err != nil {
		return err
	}
	for _, d := range p.past.list {
		p.add(d)
	}
	p.report(cmd)
	if len(p.cases) == 0 {
		return cli.Exit(cli.Differs, nil)
	}
	text := cli.EscapeInvisible([]byte("[\n  " + strings.Join(p.cases, ",\n  ") + "\n]\n"))
	if p.output != "" {
		return cli.WriteNew(p.output, text, 0o600)
	}
	if file == "" {
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	return p.write(cmd, file, text)
}

// check refuses policies that a test would refuse. A journal without a policy for the tested layer gets an empty one.
func (p *policyRecord) check(cmd *cobra.Command) error {
	tested := rules.PolicyOf(&p.past.policies, p.layer)
	if *tested == nil {
		*tested = []byte("{\n  \"version\": 1\n}\n")
	}
	for _, layer := range policy.Layers() {
		doc := cli.Document{Name: "the " + layer.String() + " policy of the journal",
			Text: *rules.PolicyOf(&p.past.policies, layer)}
		if _, problems := policy.Parse(layer, doc.Text); doc.Text != nil && problems != nil {
			return doc.Refuse(cmd, problems)
		}
	}
	return nil
}

// add makes a case of a decision, if the last policy of the journal makes it again.
func (p *policyRecord) add(d pastDecision) {
	c := policyCase{layer: p.layer, policies: p.past.policies, request: d.request()}
	c.want.outcome, c.want.rule = d.outcome, d.rule
	want := []elicit.Arg{elicit.Str("outcome", d.outcome)}
	if d.rule != "" {
		want = append(want, elicit.Str("rule", d.rule))
	}
	switch v := c.decide(); {
	case v.reasons == nil || v.faults != nil:
		p.other++
	case len(p.cases) >= p.most:
		p.tooMany++
	default:
		p.cases = append(p.cases, `{"name":`+cli.Quoted(d.name)+","+c.request+p.past.others[p.layer]+`,"want":`+
			string(cli.AppendObject(nil, want))+"}")
	}
}

// write writes the cases, and the policy if it is not there.
func (p *policyRecord) write(cmd *cobra.Command, file string, text []byte) error {
	if err := cli.WriteNew(casesOf(file), text, 0o600); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s, which `elicit policy test %s` runs\n", cli.Cell(casesOf(file)),
		cli.Cell(file))
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := cli.WriteNew(file, *rules.PolicyOf(&p.past.policies, p.layer), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s, the policy of the journal\n", cli.Cell(file))
	return nil
}

func (p *policyRecord) report(cmd *cobra.Command) {
	say := func(n int, one, many, why string) {
		if n > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", cli.Counted(n, one, many), why)
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s from %s\n", cli.Counted(len(p.cases), "different case", "different cases"),
		cli.Counted(p.past.decided, "decision", "decisions"))
	say(p.past.grants, "decision is", "decisions are", "left out, because a grant decided, not a policy")
	say(p.other, "decision is", "decisions are",
		"left out, because the last policy of the journal does not make them again from what the journal tells")
	say(p.tooMany, "decision is", "decisions are", "left out, because --most cases are there")
	say(p.past.lost, "decision is", "decisions are", "left out, because they are too many or too large to compare")
}

// pastDecision is a decision of policy in a journal.
type pastDecision struct {
	record        int64
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
	in, err := journals.Open(cmd, name, key)
	if err != nil {
		return err
	}
	defer in.Close()
	in.ShowProgress(cmd.ErrOrStderr())
	open := map[elicit.ID]*engine.Decided{}
	_, err = in.Simulate(policy.NewStack(), func(d *engine.Decided) {
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
			l.add(d, cli.FindingsOf(ef.Get("findings")))
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
	one := pastDecision{d.Record, nameOfPast(d), facts, findings, d.Then.Outcome.String(), by.Rule}
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
	return fmt.Sprintf("record %d: %s asks “%s”", d.Record, cli.OneLine(of), plain.Cut(cli.OneLine(said), 60))
}

// configure keeps the policies of a record that configures.
func (l *decisions) configure(record []byte) {
	if !bytes.Contains(record, []byte(`"event":"configured"`)) {
		return
	}
	text := changes.ConfigurationOf(gjson.GetBytes(record, "event"))
	if text == nil {
		return
	}
	config := gjson.ParseBytes(text)
	l.policies, l.quiet = policies{}, false
	for _, layer := range policy.Layers() {
		doc := cmp.Or(config.Get("policy."+layer.String()+"_text").String(), config.Get("policy."+layer.String()).Raw)
		if doc != "" {
			*rules.PolicyOf(&l.policies, layer) = []byte(doc)
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
			if doc := *rules.PolicyOf(&l.policies, layer); layer != tested && doc != nil {
				others = append(others, elicit.Raw(layer.String(), string(bytes.TrimSpace(doc))))
			}
		}
		if others != nil {
			l.others[tested] = `,"layers":` + string(cli.AppendObject(nil, others))
		}
	}
}

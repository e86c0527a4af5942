// Package learn holds `elicit learn`, which proposes policy rules that answer as the person did.
package learn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// learn holds the flags of `elicit learn`.
type learn struct {
	key, policy, output string
	least               int
	json                bool

	base cli.Document // --policy
	past map[pastAnswer]int
}

// NewCommand makes `elicit learn`.
func NewCommand() *cobra.Command {
	var l learn
	cmd := cli.Verb("learn", cli.Args(0, 1<<20, "give journals, or nothing for those at the default place"), l.run)
	flags := cmd.Flags()
	journals.AddKeyFlag(cmd, &l.key)
	flags.StringVar(&l.policy, "policy", "", "add the rules behind those of this `file`; else to a policy that asks")
	flags.StringVar(&l.output, "output", "", "write the policy to this new `file`, not to stdout")
	flags.IntVar(&l.least, "least", 3, "propose a rule only if it gives at least this `number` of your answers")
	flags.BoolVar(&l.json, "json", false, "print JSON with policy and proof")
	return cmd
}

func (l *learn) run(cmd *cobra.Command, names []string) (err error) {
	if l.least < 1 {
		return fmt.Errorf("--least is %d; give 1 or more, because a rule without an answer of yours proves nothing", l.least)
	}
	if len(names) == 0 {
		var dir string
		if dir, names, err = journals.Kept(); err != nil {
			return err
		}
		if len(names) == 0 {
			return fmt.Errorf("there is no journal in %s yet; give a file", cli.ShortPath(dir))
		}
	}
	l.base = cli.Document{Name: "the policy", Text: []byte(`{"version":1,"approval_policy":"on-request"}`)}
	if l.policy != "" {
		if l.base, err = cli.ReadDocument(cmd, l.policy); err != nil {
			return err
		}
		_, problems := policy.Parse(policy.User, l.base.Text)
		if err := l.base.Refuse(cmd, problems); err != nil {
			return err
		}
	}
	l.past = map[pastAnswer]int{}
	if err = l.walk(cmd, names, policy.NewStack(), l.take, new(int)); err != nil {
		return err
	}
	search := newLearnSearch(l.past)
	search.fixed = gjson.GetBytes(l.base.Text, "findings").Exists() // the policy says itself which findings decline
	rules := search.rules(l.least)
	text, proof, err := l.prove(cmd, names, learned{rules, search.threshold})
	if err != nil {
		return err
	}
	if l.json {
		fmt.Fprintf(cli.JSONTo(cmd), "{\"policy\":%s,\"proof\":%s}\n", strings.TrimSpace(string(text)), proof.AppendJSON(nil))
	} else {
		proof.print(cmd.ErrOrStderr())
	}
	switch {
	case proof.rules == 0 && proof.threshold == "":
		return cli.Exit(cli.Differs, nil)
	case l.output != "":
		return cli.WriteNew(l.output, text, 0o600)
	case !l.json:
		_, err = cmd.OutOrStdout().Write(text)
	}
	return err
}

// walk walks through all journals under one policy.
func (l *learn) walk(cmd *cobra.Command, names []string, stack policy.Stack, each func(*askedPerson),
	otherwise *int) error {
	for _, name := range names {
		if name == "-" {
			return errors.New("journals are read more than once, so standard input cannot be one; give a file")
		}
		in, err := journals.Open(cmd, name, l.key)
		if err != nil {
			return err
		}
		in.ShowProgress(cmd.ErrOrStderr())
		n, err := walkAsked(in, stack, each)
		*otherwise += n
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// take keeps an answer for the search.
func (l *learn) take(q *askedPerson) {
	a := pastAnswer{server: q.request.Server, tool: q.request.Tool, kind: q.kind,
		severalTools: len(q.request.Candidates) > 0 || q.request.CandidatesCut,
		danger:       harmless, severity: q.severity}
	if q.dangerous {
		a.danger = dangerous
	}
	switch {
	case q.cause == elicit.ByUser && q.outcome != "":
		a.answer = q.outcome
	case q.cause != elicit.ByTimeout:
		return // nobody's decision
	}
	a.text = q.request.Message
	if a.more = len(a.text) > maxLearnedText; a.more {
		a.text = strings.TrimSuffix(plain.Cut(a.text, maxLearnedText), "…")
	}
	for i, size := range []int{shortLearnedText, 0} {
		if _, known := l.past[a]; !known && len(l.past) >= (i+1)*maxPastAnswers && len(a.text) > size {
			a.text, a.more = strings.TrimSuffix(plain.Cut(a.text, size), "…"), true
		}
	}
	a.forbidsYes = q.warned || a.answer == "" || a.severalTools || a.text == ""
	if q.kind != "" {
		l.past[a]++
	}
}

// document is the policy with the learned rules behind its own.
func (l *learn) document(new learned) []byte {
	own := each.Of(gjson.GetBytes(l.base.Text, "rules").Array(), func(r gjson.Result) string { return r.Raw })
	taken, _ := rules.Names(l.base.Text)
	for i := range new.rules {
		own = append(own, new.rules[i].json(ruleName(i, taken)))
	}
	members := cli.MembersOf(gjson.ParseBytes(l.base.Text), "rules")
	if new.threshold != "" {
		members = append(members, elicit.Raw("findings", `{"decline":"`+string(new.threshold)+`"}`))
	}
	members = append(members, elicit.Raw("rules", "["+strings.Join(own, ",")+"]"))
	return cli.EscapeInvisible(layout.Policy(cli.AppendObject(nil, members)))
}

// json is the rule as a policy file has it.
func (r *learnedRule) json(name string) string {
	when := []elicit.Arg{elicit.Str("server", patternOf(r.about.server))}
	if r.about.ofTool {
		when = append(when, elicit.Str("tool", patternOf(r.about.tool)))
	}
	if r.about.kind != "" {
		when = append(when, elicit.Str("kind", string(r.about.kind)))
	}
	switch {
	case r.about.begins:
		when = append(when, elicit.Str("message", patternOf(r.about.text)+"*"))
	case r.about.whole:
		when = append(when, elicit.Str("message", patternOf(r.about.text)))
	}
	when = append(when, r.about.danger.json()...)
	did := map[elicit.Outcome]string{elicit.Accepted: "accepted", elicit.Declined: "declined",
		elicit.Cancelled: "cancelled"}[r.then]
	why := "learned: you " + did + " this each time, " + cli.Counted(r.answers, "time", "times")
	return string(cli.AppendObject(nil, []elicit.Arg{elicit.Str("name", name),
		elicit.Raw("when", string(cli.AppendObject(nil, when))), elicit.Str("then", string(r.then)), elicit.Str("why", why)}))
}

// patternOf is a pattern that matches a text and nothing else.
func patternOf(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(text)
}

// ruleName is the name of a learned rule that no rule of the policy has.
func ruleName(i int, taken []string) string {
	for n := i + 1; ; n += maxLearned {
		if name := fmt.Sprintf("learned-%d", n); !slices.Contains(taken, name) {
			return name
		}
	}
}

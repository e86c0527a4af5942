package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
)

// simulation is `elicit replay` with another policy: it lists the recorded decisions that would differ.
type simulation struct {
	out    io.Writer
	json   bool
	groups changeGroups
	counts map[string]int // of differences, by old and new decision: "ask → decline"
}

func simulate(cmd *cobra.Command, in *journals.Input, l *rules.Layers, asJSON bool) error {
	l.Governed = l.Files[slices.Index(policy.Layers(), policy.Managed)] == "" // else it may be the administrator's draft
	right, err := l.Read(cmd, rules.OpenAnyPolicy(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	l.SayMachine(cmd.ErrOrStderr())
	if !right {
		return cli.Exit(cli.Invalid,
			errors.New("the policy has the problems above; correct them before you compare with it"))
	}
	s := simulation{out: cmd.OutOrStdout(), json: asJSON, counts: map[string]int{}}
	if asJSON {
		s.out = cli.JSONTo(cmd)
	}
	s.begin()
	result, err := in.Simulate(l.Stack(), s.decided, nil)
	s.end(result)
	if err == nil && result.Changed > 0 {
		return cli.Exit(cli.Differs, nil)
	}
	return err
}

func (s *simulation) begin() {
	if s.json {
		fmt.Fprint(s.out, `{"differences":[`)
	}
}

func (s *simulation) decided(d *engine.Decided) {
	if !d.Changed() {
		return
	}
	if s.json {
		if len(s.counts) > 0 {
			fmt.Fprint(s.out, ",")
		}
		fmt.Fprintf(s.out, "\n%s", d.AppendJSON(nil))
	} else {
		s.groups.add(d)
	}
	s.counts[d.Then.Outcome.String()+" → "+d.Now.Outcome.String()]++
}

// because returns the reason that decided.
func because(d policy.Decision) string {
	if len(d.Reasons) == 0 {
		return "not recorded"
	}
	return cli.Cell(english.Reason(d.Reasons[d.By()]))
}

func (s *simulation) end(out engine.Simulated) {
	if s.json {
		problem := ""
		if out.Problem != nil {
			problem = `,"problem":` + string(out.Problem.AppendJSON(nil))
		}
		fmt.Fprintf(s.out, "],\"records\":%d,\"asked\":%d,\"decided\":%d,\"changed\":%d%s}\n",
			out.Records, out.Asked, out.Decided, out.Changed, problem)
		return
	}
	s.groups.print(s.out)
	fmt.Fprintf(s.out, "%d records, %d questions, %d decided by policy: %d would differ%s\n",
		out.Records, out.Asked, out.Decided, out.Changed, s.summary())
}

func (s *simulation) summary() string {
	if len(s.counts) == 0 {
		return ""
	}
	var list []string
	for turn, n := range s.counts {
		list = append(list, fmt.Sprintf("%d %s", n, turn))
	}
	slices.Sort(list)
	return " (" + strings.Join(list, ", ") + ")"
}

// changeGroup is every question of one server and tool that another policy decides otherwise for the same reasons.
type changeGroup struct {
	server, tool      string
	change, now, then string
	count             int
	record, at        int64 // of the first question
	first             string
}

// changeGroups are the groups in the order in which they came up.
type changeGroups struct {
	list []*changeGroup
	of   map[changeGroup]*changeGroup // by the members that all questions of a group share
}

func (g *changeGroups) add(d *engine.Decided) {
	key := changeGroup{server: cli.Cell(d.Request.Server), tool: cli.Cell(d.Request.Tool),
		change: d.Then.Outcome.String() + " → " + d.Now.Outcome.String(), now: because(d.Now), then: because(d.Then)}
	group := g.of[key]
	if group == nil {
		if g.of == nil {
			g.of = map[changeGroup]*changeGroup{}
		}
		first := key
		first.record, first.at, first.first = d.Record, d.At, cli.Abridged(d.Request)
		group = &first
		g.of[key], g.list = group, append(g.list, group)
	}
	group.count++
}

// print writes the groups, the largest first.
func (g *changeGroups) print(w io.Writer) {
	slices.SortStableFunc(g.list, func(a, b *changeGroup) int { return cmp.Compare(b.count, a.count) })
	for _, group := range g.list {
		from, questions := group.server, "questions"
		if group.tool != "" {
			from += ", tool " + group.tool
		}
		if group.count == 1 {
			questions = "question"
		}
		fmt.Fprintf(w, "%d %s of %s: %s\n", group.count, questions, from, group.change)
		fmt.Fprintf(w, "  now    %s\n  then   %s\n", group.now, group.then)
		fmt.Fprintf(w, "  first  record %d, %s UTC: %s\n", group.record,
			time.UnixMilli(group.at).UTC().Format("2006-01-02 15:04:05"), group.first)
	}
}

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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

func simulate(cmd *cobra.Command, in *journalInput, l *layers, asJSON bool) error {
	l.governed = l.files[slices.Index(policy.Layers(), policy.Managed)] == "" // else it may be the administrator's draft
	right, err := l.read(cmd, openAnyPolicy(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	l.sayMachine(cmd.ErrOrStderr())
	if !right {
		return exitWith(exitInvalid,
			errors.New("the policy has the problems above; correct them before you compare with it"))

	}
	s := simulation{out: cmd.OutOrStdout(), json: asJSON, counts: map[string]int{}}
	if asJSON {
		s.out = jsonTo(cmd)
	}
	s.begin()
	result, err := in.simulate(l.stack(), s.decided, nil)
	s.end(result)
	if err == nil && result.Changed > 0 {
		return exitWith(exitDiffers, nil)
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
	return cell(english.Reason(d.Reasons[d.By()]))
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

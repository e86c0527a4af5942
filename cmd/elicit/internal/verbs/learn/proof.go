package learn

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

// learnProof is what the engine decides under a proposed policy, compared with what the person answered.
type learnProof struct {
	rules     int             // learned
	answered  int             // questions by the person
	same      int             // answered by the policy as by the person
	differs   int             // answered otherwise
	unasked   int             // questions that the person did not answer, and the policy would
	otherwise int             // questions that policy decided then, and now decides otherwise
	wrong     map[string]bool // the rules that answered otherwise, or accepted what they must not

	compared compare.Result // with the policy before

	threshold      elicit.Severity // learned, "" for none
	wrongThreshold bool            // it declined what the person did not
}

// learned is what a search adds to a policy.
type learned struct {
	rules     []learnedRule
	threshold elicit.Severity
}

// prove lets the engine decide all journals again. It drops each rule that the engine reads more widely than the search
// did, until none answers otherwise than the person. It drops the threshold if that declines what a policy decided.
func (l *learn) prove(cmd *cobra.Command, names []string, new learned) ([]byte, *learnProof, error) {
	for {
		text := l.document(new)
		p, problems := policy.Parse(policy.User, text)
		if problems != nil {
			return nil, nil, cli.Document{Name: "the learned policy", Text: text}.Refuse(cmd, problems)
		}
		proof := &learnProof{rules: len(new.rules), threshold: new.threshold, wrong: map[string]bool{}}
		if err := l.walk(cmd, names, policy.NewStack(p), proof.take, &proof.otherwise); err != nil {
			return nil, nil, err
		}
		taken, _ := rules.Names(l.base.Text)
		right := learned{threshold: new.threshold}
		for i := range new.rules {
			if !proof.wrong[ruleName(i, taken)] {
				right.rules = append(right.rules, new.rules[i])
			}
		}
		if new.threshold != "" && (proof.wrongThreshold || proof.otherwise > 0) {
			// The rules that came after it counted on it, so the search begins again without it.
			search := newLearnSearch(l.past)
			search.fixed = true
			right = learned{rules: search.rules(l.least)}
		} else if len(right.rules) == len(new.rules) {
			before, _ := policy.Parse(policy.User, l.base.Text)
			proof.compared = compare.Stacks(policy.NewStack(before), policy.NewStack(p))
			return text, proof, nil
		}
		new = right
	}
}

func (p *learnProof) take(q *askedPerson) {
	now := map[policy.Outcome]elicit.Outcome{policy.Accept: elicit.Accepted, policy.Decline: elicit.Declined,
		policy.Cancel: elicit.Cancelled}[q.now.Outcome]
	byPerson := q.cause == elicit.ByUser && q.outcome != ""
	if byPerson {
		p.answered++
	}
	wrong := false
	switch {
	case now == "": // stays with the person
	case !byPerson:
		p.unasked++
		wrong = now == elicit.Accepted && q.cause == elicit.ByTimeout
	case now == q.outcome:
		p.same++
	default:
		p.differs++
		wrong = true
	}
	mustAsk := q.warned || q.kind != elicit.KindConfirm && q.kind != elicit.KindApproval
	if wrong || now == elicit.Accepted && mustAsk {
		by := q.now.Reasons[q.now.By()]
		p.wrong[by.Rule] = true
		p.wrongThreshold = p.wrongThreshold || by.Code == "finding_declined"
	}
}

func (p *learnProof) print(w io.Writer) {
	if p.answered == 0 {
		fmt.Fprintln(w, "the person answered no question")
		return
	}
	if p.rules == 0 && p.threshold == "" {
		fmt.Fprintf(w, "no rule was found that answers as you did; all %d questions stay with you\n", p.answered)
		return
	}
	verb, what := "answer", cli.Counted(p.rules, "rule", "rules")
	switch {
	case p.threshold != "":
		what += " and the threshold for findings"
	case p.rules == 1:
		verb = "answers"
	}
	fmt.Fprintf(w, "%s %s %d of %d exactly as you did, %d otherwise; %d stay with you\n", what, verb,
		p.same, p.answered, p.differs, p.answered-p.same-p.differs)
	if p.unasked > 0 {
		fmt.Fprintf(w, "%s that you did not answer would be answered\n", cli.Counted(p.unasked, "question", "questions"))
	}
	if p.otherwise > 0 {
		fmt.Fprintf(w, "%s that a policy decided then would be decided otherwise; give that policy with --policy\n",
			cli.Counted(p.otherwise, "question", "questions"))
	}
	p.printCompared(w)
}

// printCompared tells what the proposal loosens: what it accepts was asked before.
func (p *learnProof) printCompared(w io.Writer) {
	switch r := &p.compared; {
	case r.Facts != nil:
		fmt.Fprintf(w, "it loosens requests; %s becomes %s, such as %s\n", r.Before.Outcome, r.After.Outcome,
			ui.Plain(string(r.Facts.AppendJSON(nil))))
	case r.Verdict == compare.Undecided:
		fmt.Fprintf(w, "whether it loosens more is undecided: %s\n", r.Why)
	default:
		fmt.Fprintln(w, "it loosens no request")
	}
}

// AppendJSON appends {"rules","findings"?,"answered","same","otherwise","yours","unasked","policy_otherwise",
// "compared"}.
func (p *learnProof) AppendJSON(dst []byte) []byte {
	members := []elicit.Arg{elicit.Num("rules", p.rules)}
	if p.threshold != "" {
		members = append(members, elicit.Str("findings", string(p.threshold)))
	}
	return cli.AppendObject(dst, append(members, elicit.Num("answered", p.answered),
		elicit.Num("same", p.same), elicit.Num("otherwise", p.differs),
		elicit.Num("yours", p.answered-p.same-p.differs), elicit.Num("unasked", p.unasked),
		elicit.Num("policy_otherwise", p.otherwise), elicit.Str("compared", string(p.compared.Verdict))))
}

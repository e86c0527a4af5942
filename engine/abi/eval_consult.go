package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// evalConsult reads the results of guardians and combines them:
//
//	{"phase"?,"on_failure"?:"ask","results":[{"guardian","output"|"fault","audit"?,"fuel"?,"digest"?}…]}
//	→ {"decision","determining":[…],"reasons":[…],"findings":[…],"redact"?:[…],"second_person"?:[…]}
//
// With {"review":"text","seed"?} it reads a reviewer's answer: {"outcome","risk","authorization","rationale","within"},
// or {"problems"} if the text has no answer. An output is the guardian's bytes as a string. It shows guardians without
// an engine: what a guest's output means, and what several of them come to. The phase matters for obligations alone.
func evalConsult(in gjson.Result, dst []byte) []byte {
	if review := member(in, "review"); review.Exists() {
		return evalReview(review.String(), text(in, "seed"), dst)
	}
	list := member(in, "results")
	phase := guardian.Phase(text(in, "phase"))
	switch {
	case !list.IsArray():
		return missing(dst, "results")
	case phase == "":
		phase = guardian.BeforeShow
	case phase != guardian.BeforeShow && phase != guardian.BeforeSend:
		return missing(dst, "phase")
	}
	// The stricter choice for any other text, as for a policy that cannot be read.
	onFault := guardian.Deny
	if text(in, "on_failure") == "ask" {
		onFault = guardian.Ask
	}
	var results []guardian.Result
	for _, v := range list.Array() {
		r := guardian.Result{Guardian: text(v, "guardian"), Phase: phase, Digest: text(v, "digest"),
			Audit: member(v, "audit").Bool(), Fuel: member(v, "fuel").Int()}
		if fault := member(v, "fault"); fault.Exists() {
			r.Fault = guardian.ReadFault(fault.String())
		} else if r.Verdict, r.Problem = guardian.ReadVerdict([]byte(text(v, "output")), phase); r.Problem != nil {
			r.Fault = guardian.FaultBadVerdict
		}
		// A verdict that cannot be read is the fault bad_verdict here as in an engine, with its problem in the reason.
		results = append(results, r)
	}
	return appendCombined(dst, results, guardian.Combine(results, onFault))
}

// appendCombined names guardians where Combined has indexes. The lists keep the order of the results.
func appendCombined(dst []byte, results []guardian.Result, said guardian.Combined) []byte {
	of := func(indexes []int) (list []string) {
		for _, i := range indexes {
			list = append(list, results[i].Guardian)
		}
		return list
	}
	o := jsontext.With(dst, "decision", said.Decision.String())
	jsontext.Strings(&o, "determining", of(said.Determining))
	jsontext.List(&o, "reasons", said.Reasons)
	jsontext.List(&o, "findings", said.Findings)
	if len(said.Redact) > 0 {
		jsontext.Strings(&o, "redact", said.Redact)
	}
	if len(said.Second) > 0 {
		jsontext.Strings(&o, "second_person", of(said.Second))
	}
	return o.End()
}

// within says whether an allow is one that a reviewer may give. It is for the caller to combine with outcome.
func evalReview(review, seed string, dst []byte) []byte {
	r, ok := guardian.ReadReview(review, seed)
	if !ok {
		return appendProblem(dst, elicit.Problem{Code: "review_unreadable", Pointer: "/review"})
	}
	o := jsontext.Begin(dst)
	o.Strs("outcome", r.Outcome.String(), "risk", string(r.Risk), "authorization", r.Authorization,
		"rationale", r.Rationale)
	o.Bool("within", r.Within())
	return o.End()
}

package policy

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends the JSON object that ReadFacts reads. It omits empty members. Reading the result gives equal
// facts, except Impacts, which follow from the others. So a journal can hold the facts of a decision and replay it.
func (f *Facts) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.OptStrs("server", f.Server, "tool", f.Tool, "side", string(f.Side), "mode", string(f.Mode), "kind", string(f.Kind),
		"message", f.Message, "claim", string(f.Claim), "granted", f.Granted, "host", f.Host, "scheme", f.Scheme,
		"does", string(f.Does), "command", f.Command, "command_candidate", f.CommandCandidate, "cwd", f.Cwd)
	if f.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", f.Annotations.AppendJSON)
	}
	jsontext.OptList(&o, "candidates", f.Candidates)
	jsontext.OptStrings(&o, "paths", f.Paths)
	jsontext.OptStrings(&o, "hosts", f.Hosts)
	if f.Outside != elicit.Unsaid {
		o.Bool("outside", f.Outside == elicit.SaidYes)
	}
	jsontext.OptList(&o, "fields", f.Fields)
	o.OptInt("at", f.At)
	o.OptTrue("fillable", f.Fillable)
	o.OptTrue("strict_review", f.StrictReview)
	o.OptTrue("persistable", f.Persistable)
	o.OptTrue("candidates_cut", f.CandidatesCut)
	o.OptTrue("host_shows_forms", f.HostShowsForms)
	o.OptTrue("root_thread", f.RootThread)
	o.OptTrue("auto_review_allowed", f.AutoReviewAllowed)
	o.OptTrue("reach_cut", f.ReachCut)
	o.OptTrue("message_cut", f.MessageCut)
	o.OptTrue("dangerous", f.Dangerous)
	jsontext.OptStrings(&o, "labels", f.Labels)
	o.OptTrue("hasty", f.Hasty)
	return o.End()
}

// AppendJSON appends {"name","sensitive"?}.
func (f FieldFact) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "name", f.Name)
	o.OptTrue("sensitive", f.Sensitive)
	return o.End()
}

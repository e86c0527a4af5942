package policy

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends the JSON object that ReadFacts reads. It omits empty members.
func (f *Facts) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.OptStr("server", f.Server)
	o.OptStr("tool", f.Tool)
	o.OptStr("side", string(f.Side))
	o.OptStr("mode", string(f.Mode))
	o.OptStr("kind", string(f.Kind))
	o.OptStr("message", f.Message)
	o.OptStr("claim", string(f.Claim))
	o.OptStr("granted", f.Granted)
	o.OptStr("host", f.Host)
	o.OptStr("scheme", f.Scheme)
	o.OptStr("does", string(f.Does))
	o.OptStr("command", f.Command)
	o.OptStr("command_candidate", f.CommandCandidate)
	o.OptStr("cwd", f.Cwd)
	if f.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", f.Annotations.AppendJSON)
	}
	if len(f.Candidates) > 0 {
		o.Name("candidates", func(dst []byte) []byte { return elicit.AppendList(dst, f.Candidates) })
	}
	jsontext.OptStrings(&o, "paths", f.Paths)
	jsontext.OptStrings(&o, "hosts", f.Hosts)
	if f.Outside != elicit.Unsaid {
		o.Bool("outside", f.Outside == elicit.SaidYes)
	}
	if len(f.Fields) > 0 {
		o.Name("fields", func(dst []byte) []byte { return elicit.AppendList(dst, f.Fields) })
	}
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
	o := jsontext.Begin(dst)
	o.Str("name", f.Name)
	o.OptTrue("sensitive", f.Sensitive)
	return o.End()
}

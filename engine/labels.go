package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// labels are what a session has done, oldest first: that it read a secret, that it fetched from a host. A deed adds its
// labels when nobody refused it: policy or a person accepted it, or it was left to the peer, which may have done it. A
// label stays as long as the session, so the labels that a question came with are the first few.
type labels []string

// maxFetched bounds the hosts that a session remembers. The first stay, so nobody can push one out. A session with more
// of them has fetched from hosts that are not told.
const maxFetched = 64

// add adds a label. One that is not known here may mean anything.
func (l *labels) add(label string) {
	if host, is := strings.CutPrefix(label, policy.FetchedFrom); is {
		u, ok := risk.ParseURL("https://" + host + "/")
		fetched := func(l string) bool { return strings.HasPrefix(l, policy.FetchedFrom) }
		switch {
		case !ok || len(u.Host) > maxHostName:
			label = policy.FetchedAny
		case slices.Contains(*l, policy.FetchedFrom+u.Host):
			return
		case len(*l) >= maxFetched && len(slices.DeleteFunc(slices.Clone(*l), fetched))+maxFetched <= len(*l):
			label = policy.FetchedAny
		default:
			label = policy.FetchedFrom + u.Host
		}
	} else if label != policy.ReadSecret && label != policy.ChangedSettings {
		label = policy.AnyLabel
	}
	if !slices.Contains(*l, label) {
		*l = append(*l, label)
	}
}

// isDeed reports whether a request would do something.
func isDeed(r *elicit.Request) bool {
	return r.Does != elicit.DeedNone || r.Command != "" || r.CommandCandidate != ""
}

// impactsOf is what a request would do, as JSON, or nil.
func impactsOf(r *elicit.Request) []byte {
	if !isDeed(r) {
		return nil
	}
	return elicit.AppendList(nil, impact.Of(r).Impacts)
}

// learn adds the labels of a deed.
func (l *labels) learn(r *elicit.Request) {
	if !isDeed(r) {
		return
	}
	report := impact.Of(r)
	for i := range report.Impacts {
		in := &report.Impacts[i]
		switch what := risk.LabelOf(in); {
		case what == "":
		case in.Kind == impact.Fetches && in.Open:
			l.add(policy.FetchedAny)
		case in.Kind == impact.Fetches:
			l.add(policy.FetchedFrom + in.Target)
		default:
			l.add(what)
		}
	}
}

// labelsOf are the labels that a host or a saved session tells.
func labelsOf(told []string) (l labels) {
	for _, label := range told {
		l.add(label)
	}
	return l
}

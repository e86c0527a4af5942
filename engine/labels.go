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
// label stays as long as the session, so the labels that a question came with are the first few. Spelled read_secret,
// changed_settings, fetched:HOST, fetched:* and * (package policy). Rules that tighten look at them: a session that has
// read a secret and then sends something to a host is the pattern of an exfiltration.
type labels []string

// maxFetched bounds the hosts that a session remembers. The first stay, so nobody can push one out. A session with more
// of them has fetched from hosts that are not told.
const maxFetched = 64

// add adds a label. One that is not known here may mean anything. A host or a saved state may tell any text. It becomes
// one of the five spellings, the vaguer one in doubt: * for an unknown label, fetched:* for a host that cannot be read.
// So a misspelt label tightens and never loosens.
func (l *labels) add(label string) {
	if host, is := strings.CutPrefix(label, policy.FetchedFrom); is {
		u, ok := risk.ParseURL("https://" + host + "/")
		fetched := func(l string) bool { return strings.HasPrefix(l, policy.FetchedFrom) }
		switch {
		case !ok || len(u.Host) > maxHostName:
			label = policy.FetchedAny
		case slices.Contains(*l, policy.FetchedFrom+u.Host):
			return
		// The length in front saves the copy in nearly all calls: without 64 labels there are no 64 hosts.
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

// learn adds the labels of a deed. A command line can hold many programs, and each impact may add a label: cat
// ~/.ssh/id_rsa; curl https://a.example adds read_secret and fetched:a.example.
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

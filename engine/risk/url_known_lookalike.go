package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// The comparison with each known host makes two skeletons, so a host should pass the hosts of a person and not a list
// of the world. In a command the well-known hosts of code are compared first by the length of their names.
var urlKnownLookalike = check{
	Doc: Doc{
		Code: "url_known_lookalike", Title: "Host resembles one approved before", Severity: elicit.High,
		About: "No person agreed to this host before, but one agreed to a host that looks like it. High for look " +
			"(the same to the eye: paypa1.com, rn for m, letters of other alphabets); medium for slip (one letter " +
			"added, dropped, changed or swapped, in names of five letters or more) and for word (the known name with " +
			"something attached: github-login.com, github.com.evil.example); low for ending (the same name under " +
			"another ending), which companies use too. No finding for hosts of an owner approved before. In a " +
			"command, known are also the hosts that most code comes from: github.com, pypi.org.",
		Spec: "MCP, Safe URL Handling (R22, C5, C6); UTS 39 §4, skeletons",
	},
	url: func(h *hits, a *address) {
		if len(a.known) == 0 && !a.inCommand || a.isIP || a.host.empty() || a.host.to-a.host.from > maxHost {
			return
		}
		best, severity, like := "", elicit.Info, ""
		visited := newSeen(a.unicode)
		for _, host := range a.known {
			known := newSeen(hostname.Unicode(host[:min(len(host), maxHost)]))
			// A person who agreed to a.example.com knows the owner of b.example.com.
			if known.name == "" || known.owner() == visited.owner() {
				if known.name != "" {
					return
				}
				continue
			}
			if how, s := visited.resembles(&known); s.Rank() > severity.Rank() {
				best, severity, like = how, s, known.host
			}
		}
		if impact.HasReader && a.inCommand && best == "" {
			best, severity, like = visited.resemblesCode()
		}
		if best != "" {
			h.addAs(severity, a.raw, a.host.from, a.host.to, elicit.Str("known", evidence(like)), elicit.Str("how", best))
		}
	},
}

const maxHost = 1024

// seen is a host as a person reads it. For a.b.example.co.uk, the owner is example.co.uk and the name is example. There
// is no list of public suffixes here. The label before a country belongs to the ending if it is one of a few common
// words.
type seen struct {
	host      string
	name      string // "" for a bare ending, an IP address, and localhost
	ending    string
	shape     string // skeleton of name
	ownership string // skeleton of the owner
}

// Without the list of public suffixes the owner may be wrong: for a.github.io it is github.io. Then two owners count as
// one, and a finding is missed; the list is larger than the whole engine.
func newSeen(host string) seen {
	host = strings.TrimSuffix(lowerASCII(host), ".")
	if _, isIP := hostname.ParseIP(host); isIP {
		return seen{host: host}
	}
	labels := strings.Split(host, ".")
	n := len(labels) - 2
	if n >= 1 && len(labels[n+1]) == 2 && secondLevel[labels[n]] {
		n--
	}
	if n < 0 {
		return seen{host: host}
	}
	s := seen{host: host, name: labels[n], ending: strings.Join(labels[n+1:], ".")}
	s.shape = skeleton(s.name)
	s.ownership = s.shape + "." + skeleton(s.ending)
	return s
}

func (s *seen) owner() string { return s.name + "." + s.ending }

// shortName is the shortest name that is compared for slips. Shorter names are one slip apart by chance.
const shortName = 5

// The cases go from the surest to the weakest. Both hosts have different owners, which the caller has checked.
func (s *seen) resembles(known *seen) (how string, severity elicit.Severity) {
	switch {
	// The owners differ, so an equal skeleton means that one letter looks like another.
	case s.ownership == known.ownership:
		return "look", elicit.High
	case len(known.shape) >= shortName && s.ending == known.ending && oneSlip(s.shape, known.shape):
		return "slip", elicit.Medium
	case len(known.shape) >= shortName && s.shape != known.shape &&
		standsIn(strings.ReplaceAll(skeleton(s.host), "_", "-"), known.shape):
		return "word", elicit.Medium
	// The same name under another ending: example.com and example.org may be one company.
	case s.shape == known.shape && s.name == known.name:
		return "ending", elicit.Low
	case s.shape == known.shape:
		return "look", elicit.High
	}
	return "", elicit.Info
}

// resemblesCode compares a host with those that most code comes from: one that looks like them is disguised. It looks
// for "look" and "slip" alone, because any host may have the word github in it.
func (s *seen) resemblesCode() (how string, severity elicit.Severity, like string) {
	for host := range strings.FieldsSeq(codeHosts) {
		name, ending, _ := strings.Cut(host, ".")
		switch near := len(name) - len(s.shape); {
		case name == s.name && ending == s.ending:
			return "", elicit.Info, ""
		case how != "" || near < -3 || near > 3:
			continue
		}
		known := newSeen(host)
		found, worse := s.resembles(&known)
		if s.shape == known.shape && oneSlip(s.ending, known.ending) {
			found, worse = "slip", elicit.Medium
		}
		if found == "look" || found == "slip" {
			how, severity, like = found, worse, host
		}
	}
	return how, severity, like
}

const codeHosts = "github.com githubusercontent.com gitlab.com bitbucket.org pypi.org " +
	"pythonhosted.org python.org npmjs.org npmjs.com nodejs.org yarnpkg.com crates.io rust-lang.org rustup.rs " +
	"golang.org rubygems.org docker.com docker.io quay.io gcr.io debian.org ubuntu.com fedoraproject.org " +
	"archlinux.org alpinelinux.org kernel.org apache.org maven.org gradle.org packagist.org getcomposer.org " +
	"nuget.org microsoft.com visualstudio.com azure.com amazonaws.com googleapis.com google.com cloudflare.com " +
	"huggingface.co openai.com anthropic.com claude.ai kubernetes.io hashicorp.com terraform.io brew.sh " +
	"sourceforge.net mozilla.org jsdelivr.net unpkg.com astral.sh conda.io anaconda.com anaconda.org deno.land " +
	"gnu.org launchpad.net slack.com postgresql.org"

// secondLevel are the labels under which many countries register names.
var secondLevel = map[string]bool{"co": true, "com": true, "net": true, "org": true, "gov": true, "ac": true,
	"edu": true, "or": true, "ne": true, "go": true}

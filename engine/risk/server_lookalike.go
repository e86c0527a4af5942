package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var serverLookalike = check{
	Doc: Doc{
		Code: "server_lookalike", Title: "Server named like another", Severity: elicit.High,
		About: "The name of the server that asks looks like the name of one the host has known for longer; the argument how says in what way. High for " +
			"look (the same to the eye, but for capitals, separators and letters of other alphabets), medium for slip (one letter added, dropped, " +
			"changed or swapped, in names of five letters or more). Silent about a name that is itself known.",
		Spec: "MCP client/elicitation, User Interaction Model (R9): make clear which server asks; UTS 39 §4",
	},
	request: func(h *hits, s *Subject) {
		if len(s.KnownServers) == 0 {
			return
		}
		if len(s.KnownServers) == 0 {
			return
		}
		name := s.Server[:min(len(s.Server), maxHost)]
		shape := serverShape(name)
		if shape == "" {
			return
		}
		best, severity, like := "", elicit.Info, ""
		for _, known := range s.KnownServers {
			if known == s.Server {
				return
			}
			how, rank := "", elicit.Info
			switch other := serverShape(known[:min(len(known), maxHost)]); {
			case other == shape:
				how, rank = "look", elicit.High
			case len(other) >= shortName && oneSlip(shape, other):
				how, rank = "slip", elicit.Medium
			}
			if rank.Rank() > severity.Rank() {
				best, severity, like = how, rank, known
			}
		}
		if best != "" {
			h.at = place{root: "/server"}
			h.addAs(severity, s.Server, 0, len(s.Server), elicit.Str("known", evidence(like)), elicit.Str("how", best))
		}
	},
}

// serverShape is the skeleton of a server's name without what people leave out or change when they write it.
func serverShape(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '_', '.', '/', ':':
			return -1
		}
		return r
	}, skeleton(name))
}

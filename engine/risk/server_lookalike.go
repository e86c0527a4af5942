package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// The name is the host's own for the server, chosen when it was added. A second server that looks like the first one
// could get the answers that were meant for it.
var serverLookalike = check{
	Doc: Doc{
		Code: "server_lookalike", Title: "Server named like another", Severity: elicit.High,
		About: "The name of the server looks like the name of a server that the host met earlier. As in " +
			"url_known_lookalike, look (also with other capitals or separators) is high and slip is medium, unless the letter " +
			"counts: server-1, server-2, server b. No finding for a name that is itself known.",
		Spec: "MCP client/elicitation, User Interaction Model (R9): make clear which server asks; UTS 39 §4",
	},
	request: func(h *hits, s *Subject) {
		if len(s.KnownServers) == 0 {
			return
		}
		if like := resembled(s.Server, s.KnownServers); like.how != "" {
			h.at = place{root: "/server"}
			h.addAs(like.severity, s.Server, 0, len(s.Server),
				elicit.Str("known", evidence(like.known)), elicit.Str("how", like.how))
		}
	},
}

// LikeServer returns the known server whose name the check of server names would report name to resemble, or nil when
// there is none. A host that asks once for a session need not pass all known servers with every request.
func LikeServer(name string, known []string) []string {
	if like := resembled(name, known); like.how != "" {
		return []string{like.known}
	}
	return nil
}

// likeness says which known name a name resembles, and how. how is "" when it resembles none or is known itself.
type likeness struct {
	known, how string
	severity   elicit.Severity
}

// Only the first maxHost bytes are compared, so a long name does not cost more. A name that is known ends the search:
// the host has met this server before.
func resembled(server string, servers []string) (best likeness) {
	name := server[:min(len(server), maxHost)]
	shape := serverShape(name)
	if shape == "" {
		return likeness{}
	}
	for _, known := range servers {
		if known == server {
			return likeness{}
		}
		one := likeness{known: known}
		other := known[:min(len(known), maxHost)]
		switch otherShape := serverShape(other); {
		case otherShape == shape:
			one.how, one.severity = "look", elicit.High
		case len(otherShape) >= shortName && oneSlip(shape, otherShape) && uncounted(name) != uncounted(other):
			one.how, one.severity = "slip", elicit.Medium
		}
		if one.how != "" && (best.how == "" || one.severity.Rank() > best.severity.Rank()) {
			best = one
		}
	}
	return best
}

// uncounted is a name without its counter: digits at the end, or a letter that stands alone. server-1 and server-2 are
// two of one kind. Without their counters they are equal, so the slip between them is no sign of a disguise.
func uncounted(name string) string {
	short := strings.TrimRight(name, "0123456789")
	if n := len(short); n > 1 && isLetter(short[n-1]) && strings.IndexByte(separators, short[n-2]) >= 0 {
		short = short[:n-1]
	}
	return strings.TrimRight(short, separators)
}

// separators are characters that people leave out or change when they write a name.
const separators = " -_./:"

// serverShape is the skeleton of a server's name without separators.
func serverShape(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, skeleton(name))
}

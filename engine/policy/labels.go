package policy

import (
	"slices"
	"strings"
)

// These are the labels of a session: what it did before this request. The criterion label looks at their names, and
// fetched_from at the hosts. A label is added and never taken away within a session. Names that an older engine does
// not know count as any label, so a rule that declines by a label asks then.
const (
	ReadSecret      = "read_secret"      // it read a file of secrets, or the whole environment
	ChangedSettings = "changed_settings" // it changed the settings of an agent or of Elicit
	FetchedFrom     = "fetched:"         // it fetched from the host whose name follows
	FetchedAny      = "fetched:*"        // it fetched from hosts that are not told
	AnyLabel        = "*"                // what it did is not known

	fetched = "fetched"
)

var labelNames = []string{ReadSecret, ChangedSettings, fetched}

// LooksAtLabels reports whether some rule looks at labels. Otherwise Facts.Labels changes no decision.
func (s Stack) LooksAtLabels() bool { return s.labels }

// labelHolds reports whether the session surely has one of the labels.
func (t *tally) labelHolds(c *criterion) bool {
	for _, label := range t.facts.Labels {
		switch name, host, known := cutLabel(label); {
		case !known:
		case c.on == onLabel:
			if c.any(name) {
				return true
			}
		case name == fetched:
			s := spelledHost{}
			if host == "" && c.everything() || host != "" && s.of(host).match(c) {
				return true
			}
		}
	}
	return false
}

// labelResembles reports whether the session fetched from a host that the rule spells otherwise.
func (t *tally) labelResembles(c *criterion) bool {
	for _, label := range t.facts.Labels {
		s := spelledHost{}
		if name, host, known := cutLabel(label); known && name == fetched && host != "" && s.of(host).resembles(c) {
			return true
		}
	}
	return false
}

// labelMayHold reports whether the session may have one of the labels. A label that this engine does not know may mean
// any of those that a rule names.
func (t *tally) labelMayHold(c *criterion) bool {
	for _, label := range t.facts.Labels {
		if name, host, known := cutLabel(label); !known || c.on == onFetchedFrom && name == fetched && host == "" {
			return true
		}
	}
	return false
}

// mayFetch reports whether a label says that the session fetched, or may say so.
func mayFetch(label string) bool {
	name, _, known := cutLabel(label)
	return name == fetched || !known
}

// cutLabel returns the name of a label, and the host if it is told. A label that is not known may mean anything.
// "fetched:a.example" gives fetched and a.example; "fetched:*" gives fetched and no host.
func cutLabel(label string) (name, host string, known bool) {
	name, host, _ = strings.Cut(label, ":")
	if host == "*" {
		host = ""
	}
	return name, host, slices.Contains(labelNames, name)
}

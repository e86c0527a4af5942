package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/risk"
)

// visitedHosts holds, by principal, the hosts a person agreed to visit, oldest first, so that a later address can be
// held against them. A prepared answer is nobody's agreement and is not in it. Example: the person agreed to visit
// pay.paypal.com. A later page at pay.paypa1.com is found to resemble it.
type visitedHosts struct{ few.Map[string, []string] }

const (
	maxVisited = 64 // hosts of one principal; the oldest goes first
	// For good: nothing forgets a principal. A host with more of them has no comparison for the later ones.
	maxPrincipals = 1024 // with hosts
	maxHostName   = 255
)

// add remembers the host of an address as the newest.
func (v *visitedHosts) add(principal, address string) {
	if u, ok := risk.ParseURL(address); ok {
		v.keep(principal, u.Host)
	}
}

// keep remembers a host as the newest. A crowd of new principals cannot push out the hosts of the others.
func (v *visitedHosts) keep(principal, host string) {
	if !isHost(host) {
		return
	}
	hosts, known := v.Find(principal)
	if !known && v.Len() >= maxPrincipals {
		return
	}
	// The list is copied, because Known may have the old one. A host that is visited again becomes the newest.
	hosts = append(slices.DeleteFunc(slices.Clone(hosts), func(q string) bool { return q == host }), host)
	v.Set(principal, hosts[max(0, len(hosts)-maxVisited):])
}

// readHosts takes the hosts of a saved session. Each must be spelled as the host of an address is.
func readHosts(r *strict.Reader, name string) (list []string) {
	names := r.Strs(name)
	if len(names) > maxVisited {
		r.Report("state_unreadable", name)
	}
	for _, host := range names {
		if isHost(host) {
			list = append(list, host)
		} else {
			r.Report("state_unreadable", name)
		}
	}
	return list
}

// isHost reports whether a host is spelled as ParseURL spells it, so that it can be saved and read again.
func isHost(host string) bool {
	if len(host) > maxHostName {
		return false
	}
	u, ok := risk.ParseURL("https://" + host + "/")
	return ok && u.Host == host
}

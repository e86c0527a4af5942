package engine

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/risk"
)

// visited holds, by principal, the hosts a person agreed to visit, oldest first, so that a later address can be held
// against them. A prepared answer is nobody's agreement and is not in it.
type visited map[string][]string

const (
	maxVisited    = 64   // hosts of one principal; the oldest goes first
	maxPrincipals = 1024 // with hosts
	maxHostName   = 255
)

// add remembers the host of an address as the newest.
func (v visited) add(principal, address string) {
	if u, ok := risk.ParseURL(address); ok {
		v.remember(principal, u.Host)
	}
}

func (v visited) remember(principal, host string) {
	if host == "" || len(host) > maxHostName {
		return
	}
	hosts, known := v[principal]
	if !known && len(v) >= maxPrincipals {
		return
	}
	hosts = append(slices.DeleteFunc(slices.Clone(hosts), func(h string) bool { return h == host }), host)
	v[principal] = hosts[max(0, len(hosts)-maxVisited):]
}

// restore adds the hosts of a saved session to what is known here.
func (v visited) restore(principal string, hosts gjson.Result) {
	hosts.ForEach(func(_, host gjson.Result) bool {
		if _, ok := risk.ParseURL("https://" + host.String() + "/"); ok {
			v.remember(principal, host.String())
		}
		return true
	})
}

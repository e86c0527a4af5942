package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// knownServers holds, by principal, the names of the servers whose sessions were opened here, in the order in which
// they were met first. A name is held against those before it, so that opening a session twice does not make an
// impostor known. It belongs to a principal because the name of one person's server is nothing to tell another.
type knownServers struct{ few.Map[string, []string] }

// maxKnownServers bounds the names of one principal. The oldest stay: a crowd of names must not push out the real ones.
const maxKnownServers = 64

// add remembers a name, unless it is known already.
func (f *knownServers) add(principal, server string) {
	names, known := f.Find(principal)
	if server == "" || len(server) > maxLabel || len(names) >= maxKnownServers || !known && f.Len() >= maxPrincipals ||
		slices.Contains(names, server) {
		return
	}
	f.Set(principal, append(slices.Clip(names), server))
}

// before lists the names that were met before a server's. Example: "github" was met, then "gıthub" connects. The second
// is held against the first, and never the first against the second. A server that was not met yet is held against all
// names.
func (f *knownServers) before(principal, server string) []string {
	names := f.At(principal)
	if i := slices.Index(names, server); i >= 0 {
		return names[:i]
	}
	return names
}

// readKnownServers takes the servers of a saved session, which its own came after.
func readKnownServers(r *strict.Reader, name string) []string {
	list := r.Strs(name)
	if len(list) > maxKnownServers || labelProblem(list...) != "" || slices.Contains(list, "") {
		r.Report("state_unreadable", name)
	}
	return list
}

// readServers takes the names of servers that are known before any session is opened. Longer lists would slow down each
// first question of a session, which is compared with every name.
func readServers(r *strict.Reader, name string) []string {
	list := r.Strs(name)
	if len(list) > maxServers || labelProblem(list...) != "" {
		r.Report("too_many_names", name, elicit.Num("limit", maxServers))
		return nil
	}
	return list
}

const maxServers = 1024

package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Deed is what an approval would let a program do. A wire reads it from a protocol in which an agent says what it is
// about to do, or from a call that our host holds. The tag of an MCP server is only a Claim.
type Deed string

// These are the deeds. DeedNone is every other question. Any other value is refused.
const (
	DeedNone        Deed = ""
	DeedCommand     Deed = "command"     // run Request.Command
	DeedPatch       Deed = "patch"       // change the files in Request.Paths
	DeedTool        Deed = "tool"        // call the tool Request.Tool; a server's own tag is only a Claim
	DeedPermissions Deed = "permissions" // open what is at and below Request.Paths, and Request.Hosts
)

// Valid reports whether d is one of the deeds, or none.
func (d Deed) Valid() bool {
	return d == DeedNone || d == DeedTool || d == DeedCommand || d == DeedPatch || d == DeedPermissions
}

// These are the limits of Request.Paths and Request.Hosts together. MaxReachBytes counts their text. A patch of 10,000
// files has ReachCut. A rule that accepts it by its paths does not hold then, since some are not known.
const (
	MaxReach      = 256
	MaxReachBytes = 32 << 10
)

// AnyHost in Request.Hosts says that every host would be reached. A permission that names no host has it, such as the
// network access of a sandbox of Codex.
const AnyHost = "*"

// AddPath adds a path that the deed would touch. A path beyond the limits sets ReachCut.
func (r *Request) AddPath(path string) { r.Paths = r.reach(r.Paths, path) }

// AddHost adds a host that the deed would reach, without its port, or AnyHost. A host beyond the limits sets ReachCut.
func (r *Request) AddHost(host string) { r.Hosts = r.reach(r.Hosts, host) }

// reach adds a path or a host to its list while both lists together have room. One that does not fit is left out, and a
// shorter one after it may still be added. So lists with ReachCut may have gaps.
func (r *Request) reach(list []string, one string) []string {
	if n, bytes := r.ReachSize(); n >= MaxReach || bytes+len(one) > MaxReachBytes {
		r.ReachCut = true
		return list
	}
	return append(list, one)
}

// ReachSize returns the number of paths and hosts, and the length of their text.
func (r *Request) ReachSize() (n, bytes int) {
	for _, path := range r.Paths {
		bytes += len(path)
	}
	for _, host := range r.Hosts {
		bytes += len(host)
	}
	return len(r.Paths) + len(r.Hosts), bytes
}

// AppendDeed appends the members of a request that say what an approval would do: "does"?, "command"?,
// "command_candidate"?, "cwd"?, "paths"?, "hosts"?, "reach_cut"? and "outside"?.
func (r *Request) AppendDeed(o *jsontext.Object) {
	o.OptStrs("does", string(r.Does), "command", r.Command, "command_candidate", r.CommandCandidate, "cwd", r.Cwd)
	jsontext.OptStrings(o, "paths", r.Paths)
	jsontext.OptStrings(o, "hosts", r.Hosts)
	o.OptTrue("reach_cut", r.ReachCut)
	if r.Outside != Unsaid {
		o.Bool("outside", r.Outside == SaidYes)
	}
}

package policy

import (
	"path"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A deed touches paths and reaches hosts, often several. A rule that accepts matches only if all of them match and the
// list is complete. A rule that tightens matches if any of them does, or if one that does may be missing. Only the
// peer says what a command touches, so no rule accepts a command by its paths or hosts.

// spelledPath is a path of a request in the spellings that rules compare. "/srv/a/../b" has the clean spelling /srv/b
// and is unclear: the kernel follows a link "a" first, so nobody knows where it leads. No rule that accepts matches an
// unclear path.
type spelledPath struct {
	text    string // with slashes
	clean   string // text without ".", ".." and doubled slashes; each backslash is a slash
	folded  string // clean in one case, because some disks know no case
	unclear bool   // text names another place than it seems to, or the place depends on where it is read
}

// spellPath makes the spellings of a path. It knows no disk, so it can follow no link and cannot tell a directory. It
// does not know whether a backslash separates, so a path with one is unclear.
func spellPath(text string) spelledPath {
	text = slashed(text)
	p := spelledPath{text: text, clean: cleaned(strings.ReplaceAll(text, `\`, "/"))}
	p.folded = fold(p.clean)
	p.unclear = p.clean != text && p.clean+"/" != text
	return p
}

// slashed spells a path of Windows with slashes. In a path of POSIX a backslash is a plain character, so only a path
// that can be of Windows is changed.
func slashed(text string) string {
	if onDrive(text) || strings.HasPrefix(text, `\\`) {
		return strings.ReplaceAll(text, `\`, "/")
	}
	return text
}

// cleaned is path.Clean for a path that may begin with a drive: nothing is above its root.
func cleaned(text string) string {
	if onDrive(text) && len(text) > 2 && text[2] == '/' {
		return text[:2] + path.Clean(text[2:])
	}
	return path.Clean(text)
}

func onDrive(text string) bool { return len(text) > 1 && text[1] == ':' }

func (t *tally) paths() []spelledPath {
	if len(t.facts.Paths) == 0 {
		return nil
	}
	x := t.texts()
	if len(x.paths) == 0 {
		x.paths = make([]spelledPath, len(t.facts.Paths))
		for i, text := range t.facts.Paths {
			x.paths[i] = spellPath(text)
		}
	}
	return x.paths
}

func (t *tally) reachedHosts() []spelledHost {
	if len(t.facts.Hosts) == 0 {
		return nil
	}
	x := t.texts()
	if len(x.hosts) == 0 {
		x.hosts = make([]spelledHost, len(t.facts.Hosts))
		for i, host := range t.facts.Hosts {
			x.hosts[i].of(host)
		}
	}
	return x.hosts
}

// complete reports whether paths and hosts are all that the deed touches.
func (f *Facts) complete() bool { return !f.ReachCut && f.deed() != elicit.DeedCommand }

// touches reports whether the deed touches paths, known or not.
func (f *Facts) touches() bool {
	return len(f.Paths) > 0 || f.deed() == elicit.DeedPatch || f.deed() == elicit.DeedPermissions
}

// addRoot notes what a pattern of paths has before its first wildcard, and the pattern for a disk that knows no case.
func (c *criterion) addRoot(pattern string) {
	look, _ := compileGlob(pattern, anyCase)
	c.looks = append(c.looks, look)
	root := pattern
	if at := strings.IndexAny(pattern, `*?[\`); at >= 0 {
		root = pattern[:at]
	}
	c.roots = append(c.roots, fold(root))
}

// below stands for a file that is not known, below a directory that is. Only a wildcard covers a NUL, so "*.md" does
// not match what a permission for a directory opens, and "/srv/*" does.
const below = "/\x00/\x00"

// A list that is cut, or the list of a command, proves nothing for a rule that accepts: the missing path may be the one
// that matters.
func (t *tally) pathHolds(c *criterion) bool {
	f := t.facts
	// c.alone: the rule names paths and no hosts, and the permission opens hosts too.
	if len(f.Paths) == 0 || !f.complete() || c.alone && len(f.Hosts) > 0 {
		return false
	}
	tree := f.deed() == elicit.DeedPermissions
	for _, p := range t.paths() {
		if !c.pathHolds(&p, tree) {
			return false
		}
	}
	return true
}

// pathHolds reports whether one path surely matches. A permission for a directory opens all that is below it, so a
// pattern with wildcards must match that too.
func (c *criterion) pathHolds(p *spelledPath, tree bool) bool {
	if p.unclear {
		return false
	}
	for i := range c.globs {
		g := &c.globs[i]
		if g.match(p.text) && (!tree || g.sort == globExact || g.match(p.clean+below)) {
			return true
		}
	}
	return false
}

// pathResembles reports whether any path matches in some spelling. For a permission, a pattern for something below the
// directory counts too.
func (t *tally) pathResembles(c *criterion) bool {
	f := t.facts
	for _, p := range t.paths() {
		if c.any(p.text) || c.any(p.clean) || anyOf(c.looks, p.folded) {
			return true
		}
		if f.deed() == elicit.DeedPermissions && c.rootBelow(p.folded) {
			return true
		}
	}
	return false
}

// rootBelow reports whether a pattern names something below the directory.
func (c *criterion) rootBelow(directory string) bool {
	directory = strings.TrimSuffix(directory, "/") + "/"
	for _, root := range c.roots {
		if strings.HasPrefix(root, directory) {
			return true
		}
	}
	return false
}

// outsideHolds reports whether it is surely known on which side of the writable places the deed stays. "outside": false
// must hold for all paths, so it needs the whole list. One path outside is enough for true.
func (f *Facts) outsideHolds(want bool) bool {
	return f.Outside == elicit.Say(want) && (want || f.complete())
}

// hostHolds reports whether the host of the URL matches, or all hosts that the deed would reach. A request with neither
// has no host. If the host of a URL cannot be read, the URL still matches "*".
func (t *tally) hostHolds(c *criterion) bool {
	f := t.facts
	if f.url() {
		return t.texts().host.of(f.Host).match(c)
	}
	if len(f.Hosts) == 0 || !f.complete() || c.alone && len(f.Paths) > 0 {
		return false
	}
	for i, h := range t.reachedHosts() {
		// "*" as a host of the deed means any host, so only the pattern "*" covers it.
		if f.Hosts[i] == elicit.AnyHost && !c.everything() || !h.match(c) {
			return false
		}
	}
	return true
}

// everything reports a criterion that has the pattern "*": it needs no text to compare with.
func (c *criterion) everything() bool {
	for i := range c.globs {
		if c.globs[i].sort == globAny {
			return true
		}
	}
	return false
}

// hostResembles reports whether any host matches in some spelling. A deed that opens any host matches every pattern.
func (t *tally) hostResembles(c *criterion) bool {
	f := t.facts
	if f.url() {
		return t.texts().host.of(f.Host).resembles(c)
	}
	for i, h := range t.reachedHosts() {
		if f.Hosts[i] == elicit.AnyHost || h.resembles(c) {
			return true
		}
	}
	return false
}

func (s *spelledHost) resembles(c *criterion) bool {
	return c.any(s.host) || s.other != "" && c.any(s.other)
}

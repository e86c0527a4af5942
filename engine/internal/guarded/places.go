package guarded

import (
	"math/bits"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// Place is one row of the table of files that others run or trust, or that hold secrets. An empty Kind is a row of
// exceptions: a file in it is nothing, and no later row is looked at.
type Place struct {
	Kind  string
	Write elicit.Severity // of a change, "" for none
	Read  elicit.Severity // of reading it, "" if it holds no secret
	paths [][]string      // in segments; the last is "" for a directory with all that is below
}

// agentKind is the row of Elicit's own files and of the settings that load it.
const agentKind = "agent"

// links are where Elicit's sockets are, and for a minute the link to its page. Who reads it can answer. "#" is a
// number. The sockets have the same names where a person's variables put them elsewhere.
const links = "/run/user/*/elicit/ /run/user/*/elicit-#/ /tmp/elicit-#/ elicit/desk-* elicit/page-* " +
	"elicit-#/desk-* elicit-#/page-* /var/folders/*/*/T/elicit-#/ /private/var/folders/*/*/T/elicit-#/ "

// programs are where Elicit's own program is. A copy under another name is Elicit too.
const programs = "/usr/bin/elicit /usr/local/bin/elicit ~/go/bin/elicit ~/.local/bin/elicit ~/bin/elicit " +
	"/opt/homebrew/bin/elicit /usr/local/sbin/elicit .bin/elicit Programs/elicit/ "

var program = placeRow(agentKind, "", "", programs)

// answering are the places where who reads can answer for the person.
var answering = placeRow(agentKind, "", elicit.High, links+"/proc/*/mem")

// places is the table, for patches and for commands. The first row that fits counts. A path begins anywhere, or at "/",
// or at "~", the home directory of anybody. One "*" in a segment is any text, and "+" is a blank. It has at most 32
// rows, because rowsOf gives a bit to each. The order matters within a file: exceptions first, then the exact places,
// and the wide ones, such as /etc/ and ~/.*, at the end.
var places = []Place{
	// Templates without values, and public keys.
	placeRow("", "", "", ".env.example .env.sample .env.template .env.dist .ssh/*.pub"),
	// A changed entry lets another host pass for a known one.
	placeRow("keys", elicit.Medium, "", ".ssh/known_hosts*"),
	// These say who may log in, and who may act as root.
	placeRow("keys", elicit.High, "", "authorized_keys .ssh/authorized_keys* /etc/sudoers /etc/sudoers.d/ "+
		"/etc/pam.d/ /etc/ssh/"),
	// ProxyCommand in it runs a program at each ssh.
	placeRow("keys", elicit.High, elicit.Low, ".ssh/config .ssh/config.d/"),
	placeRow("keys", elicit.Medium, elicit.Medium, ".env .env.* .credentials.json oauth_creds.json .codex/auth.json "+
		"opencode/auth.json containers/auth.json .composer/auth.json"),
	// Private keys and passwords: reading one is as grave as changing it.
	placeRow("keys", elicit.High, elicit.High, ".ssh/ .gnupg/ id_rsa id_dsa id_ecdsa id_ed25519 /etc/shadow "+
		"/etc/gshadow .aws/ .azure/ .config/gcloud/ .git-credentials .vault-token wallet.dat login.keychain-db "+
		"/proc/*/environ .password-store/ logins.json key4.db"),
	placeRow("keys", elicit.High, elicit.Medium, ".kube/config .docker/config.json .config/gh/ .netrc _netrc .npmrc "+
		".pypirc .pgpass .my.cnf .bash_history .zsh_history master.key .htpasswd .config/op/ .config/rclone/ "+
		".cargo/credentials* .terraform.d/credentials*"),
	placeRow("keys", elicit.High, elicit.Low, "/etc/passwd"),
	placeRow("keys", elicit.Medium, elicit.Medium, ".claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json "+
		".qwen/oauth_creds.json opencode/auth.json github-copilot/hosts.json github-copilot/apps.json"),
	placeRow("keys", elicit.High, elicit.Medium, ".config/hub .config/doctl/ .config/heroku/ .config/stripe/ "+
		".config/fly/ .fly/config.yml .vercel/auth.json .netlify/config.json .m2/settings.xml .m2/settings-security.xml "+
		".gradle/gradle.properties .gem/credentials .composer/auth.json pypoetry/auth.toml .terraformrc .dockercfg .boto "+
		".s3cfg .vault_pass* .vault-pass* kubeconfig /etc/kubernetes/ /etc/ssl/private/ /run/secrets/ /var/run/secrets/ "+
		"cookies.sqlite .config/google-chrome/ .config/chromium/ Google/Chrome/ BraveSoftware/ .local/share/keyrings/ "+
		".config/Signal/"),
	placeRow("keys", elicit.Medium, elicit.Medium, "*.key *key.pem *.p12 *.pfx *.jks *.keystore *.ppk *.kdbx *.tfstate "+
		"secrets.yml secrets.yaml secrets.json secrets.toml credentials.json client_secret*.json service-account*.json"),
	// Memory, disks and keyboards, past the permissions of any file.
	placeRow("system", elicit.High, elicit.High, "/dev/mem /dev/kmem /proc/kcore /dev/sd* /dev/nvme* /dev/vd* /dev/hd* "+
		"/dev/xvd* /dev/disk/ /dev/mapper/ /dev/input/ /dev/uinput"),
	// Programs that git runs at a commit, a checkout or a push, and the settings that name them.
	placeRow("hook", elicit.High, "", ".git/hooks/ .git/config* .husky/ .githooks/"),
	// The system or a login starts what stands here, without a command of anybody.
	placeRow("autostart", elicit.High, "", "/etc/cron* /etc/cron*/ /etc/anacrontab /var/spool/cron/ "+
		"/etc/rc.local /etc/init.d/ /etc/inittab systemd/system/ systemd/user/ LaunchAgents/ LaunchDaemons/ "+
		".config/autostart/ /etc/xdg/autostart/ Start+Menu/Programs/Startup/ "+
		"/etc/udev/rules.d/ /etc/ld.so.preload /etc/ld.so.conf*"),
	// Each start of a shell, an editor, a debugger or Python reads one of these, and git at each command.
	placeRow("profile", elicit.High, "", "/etc/profile /etc/profile.d/ /etc/environment /etc/bash.bashrc /etc/zsh/ "+
		"/etc/zshrc /etc/zshenv .config/fish/ .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile "+
		".zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .xinitrc .xsession .xprofile .inputrc "+
		".config/environment.d/ .pam_environment "+
		".envrc profile.ps1 Microsoft.PowerShell_profile.ps1 .gitconfig .config/git/config .pre-commit-config.yaml "+
		"sitecustomize.py usercustomize.py .gdbinit .lldbinit .vimrc .emacs .tmux.conf"),
	placeRow(agentKind, elicit.High, "", "elicit/policy.json elicit/grants.json elicit/managed.json elicit/journal/ "+
		"elicit/installed/ elicit/compiled/ elicit/guardians/ elicit/reviewers/ elicit/labels/ elicit/pause.json "+
		".config/elicit/ .local/state/elicit/ "+
		"/etc/elicit/ Application+Support/elicit/ "+
		"AppData/*/elicit/ ProgramData/elicit/ "+links+
		programs+
		".claude/settings* .claude/hooks/ .claude/plugins/ .claude/managed-settings.json .claude.json "+
		"/etc/claude-code/ Application+Support/ClaudeCode/ Claude/claude_desktop_config.json .mcp.json "+
		".codex/config.toml .codex/hooks.json .codex/hooks/ .codex/rules/ .codex/requirements.toml /etc/codex/ "+
		".cursor/mcp.json .cursor/hooks.json .cursor/hooks/ .cursor/cli-config.json .cursor/permissions.json "+
		".copilot/hooks/ .copilot/config.json .copilot/mcp-config.json .github/hooks/ github-copilot/ "+
		".gemini/settings.json .gemini/hooks/ .gemini/policies/ .gemini/trustedFolders.json /etc/gemini-cli/ "+
		".qwen/settings.json .qwen/hooks/ .vscode/mcp.json Code/User/mcp.json Code/User/profiles/*/mcp.json "+
		"Code/User/settings.json Code+-+Insiders/User/mcp.json Code+-+Insiders/User/profiles/*/mcp.json "+
		"Code+-+Insiders/User/settings.json VSCodium/User/mcp.json VSCodium/User/settings.json zed/settings.json "+
		".zed/settings.json goose/config.yaml .junie/mcp/mcp.json .codeium/windsurf/mcp_config.json "+
		".windsurf/hooks.json .config/opencode/ .opencode/ opencode.json opencode.jsonc"),
	// These run at the next push, with the secrets of the project.
	placeRow("ci", elicit.Medium, "", ".github/workflows/ .github/actions/ .circleci/ .buildkite/ .gitea/workflows/ "+
		".forgejo/workflows/ .woodpecker/ .gitlab-ci.yml jenkinsfile .travis.yml azure-pipelines.yml "+
		"bitbucket-pipelines.yml .drone.yml appveyor.yml cloudbuild.yaml buildspec.yml codeowners dependabot.yml "+
		"renovate.json"),
	placeRow("editor", elicit.Medium, "", ".vscode/tasks.json .vscode/settings.json .vscode/launch.json "+
		".idea/runConfigurations/ .devcontainer/"),
	// They say which code a package manager downloads.
	placeRow("lockfile", elicit.Low, "", "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock "+
		"bun.lockb cargo.lock go.sum poetry.lock pipfile.lock uv.lock pdm.lock gemfile.lock composer.lock mix.lock "+
		"flake.lock pubspec.lock packages.lock.json gradle.lockfile deno.lock"),
	placeRow("system", elicit.Medium, "", "/etc/ /boot/ /bin/ /sbin/ /lib/ /lib64/ /usr/bin/ /usr/sbin/ /usr/lib/ "+
		"/sys/ /proc/sys/ /System/ /Library/ C:/Windows/"),
	// Any other hidden file of a home: programs look there for their settings.
	placeRow("dotfile", elicit.Medium, "", "~/.*"),
}

// A mistake in a row, such as an empty segment in the middle, would match nothing, and no error would tell.
func placeRow(kind string, write, read elicit.Severity, paths string) Place {
	row := Place{Kind: kind, Write: write, Read: read}
	for _, p := range strings.Fields(hostname.Lower(paths)) {
		row.paths = append(row.paths, strings.Split(strings.ReplaceAll(p, "+", " "), "/"))
	}
	return row
}

// PlaceOf finds the row of a path, or nil. With tree, all below the path counts too, and the worst of it. With open,
// the path is a pattern of a shell. Examples: ~/.ssh/id_rsa is keys. ~/.ssh/id_rsa.pub is nothing. ~ with tree is the
// gravest row of all that may lie below.
func PlaceOf(path string, tree, open bool) (found *Place) {
	for fit := rowsOf(placeSegments(path), tree, open); fit != 0; fit &= fit - 1 {
		row := &places[bits.TrailingZeros32(fit)]
		switch {
		case !tree && row.Kind == "":
			return nil
		case !tree:
			return row
		case row.Kind == "":
		case found == nil || graver(row.Write, found.Write) ||
			row.Write == found.Write && graver(row.Read, found.Read):
			found = row
		}
	}
	return found
}

// SettingsOf reports whether a change of a path changes Elicit's own files, or settings of an agent.
func SettingsOf(in *impact.Impact) bool {
	for fit := rowsOf(placeSegments(in.Target), in.How == impact.Tree, in.Open); fit != 0; fit &= fit - 1 {
		if places[bits.TrailingZeros32(fit)].Kind == agentKind {
			return true
		}
	}
	return false
}

// graver reports whether a severity is above another. "" is below all.
func graver(a, b elicit.Severity) bool { return a != "" && (b == "" || a.Rank() > b.Rank()) }

// SecretFile reports whether a path names a file or a directory that usually holds secrets.
func SecretFile(path string) bool {
	place := PlaceOf(path, true, false)
	return place != nil && place.Read != ""
}

// SecretOf finds the row of a file that an impact reads, if it holds more than a little secret, and the program may
// show it or copy it. cat ~/.aws/credentials shows a secret. ssh -i ~/.ssh/id_rsa host uses one.
func SecretOf(in *impact.Impact) *Place {
	if in.Kind != impact.Reads || usesKeys.Has(in.Program) {
		return nil
	}
	var found *Place
	for fit := rowsOf(placeSegments(in.Target), in.How == impact.Tree, in.Open); fit != 0; fit &= fit - 1 {
		row := &places[bits.TrailingZeros32(fit)]
		if graver(row.Read, elicit.Low) && (found == nil || graver(row.Read, found.Read)) {
			found = row
		}
		if in.How != impact.Tree { // the first row counts
			break
		}
	}
	return found
}

// usesKeys are programs that read keys and do not show them.
var usesKeys = Words("ls test [ [[ stat find file du wc sha256sum realpath readlink ln ssh ssh-add ssh-keygen " +
	"ssh-copy-id kubectl helm gpg docker docker-compose curl wget scp sftp aws gcloud gh openssl rm")

// maxPlaceSegments is how much of the end of a long path is looked at.
const maxPlaceSegments = 32

// placeSegments splits a path. The first segment is "" for a path from the root, and "~" for one in a home directory.
// /home/me/.ssh, /Users/me/.ssh, C:\Users\me\.ssh, /root/.ssh and ~me/.ssh are all "~", ".ssh": whose home it is does
// not matter. Case is ignored, since two of three systems ignore it. ".." is resolved as text.
func placeSegments(path string) []string {
	list := make([]string, 0, 8)
	i := -1
	for s := range strings.SplitSeq(strings.ReplaceAll(hostname.Lower(path), `\`, "/"), "/") {
		i++
		switch n := len(list); {
		case s == "." || s == "" && i > 0:
		case s == ".." && n == 1 && list[0] == "":
		case s == ".." && n > 0 && list[n-1] != "..":
			list = list[:n-1]
		default:
			list = append(list, s)
		}
	}
	home := 0
	switch {
	case len(list) == 0:
	case strings.HasPrefix(list[0], "~"):
		home = 1
	case len(list) > 1 && list[0] == "" && list[1] == "root":
		home = 2
	case len(list) > 2 && (list[0] == "" && (list[1] == "home" || list[1] == "users") ||
		strings.HasSuffix(list[0], ":") && list[1] == "users"):
		home = 3
	case len(list) > 3 && list[0] == "" && (list[1] == "var" || list[1] == "export" || list[1] == "usr") &&
		list[2] == "home":
		home = 4
	}
	if home > 0 {
		list = append([]string{"~"}, list[home:]...)
	}
	return list[max(0, len(list)-maxPlaceSegments):]
}

// indexed is a path of the table without the "" at its end.
type indexed struct {
	want  []string
	row   int
	below bool
}

// index has the paths of the table by a name: those from "/" and "~" by these and the second name, the others by the
// first. Under "" are those whose name is a pattern. Without it each path would be compared with some 300 patterns at
// each of its segments.
type index struct{ anywhere, root, home map[string][]indexed }

var byName = func() (x index) {
	x = index{map[string][]indexed{}, map[string][]indexed{}, map[string][]indexed{}}
	for row := range places {
		for _, want := range places[row].paths {
			one := indexed{want: want, row: row, below: want[len(want)-1] == ""}
			if one.below {
				one.want = want[:len(want)-1]
			}
			list, name := x.anywhere, want[0]
			switch name {
			case "":
				list, name = x.root, want[1]
			case "~":
				list, name = x.home, want[1]
			}
			if strings.ContainsAny(name, "*#") {
				name = ""
			}
			list[name] = append(list[name], one)
		}
	}
	return x
}()

// rowsOf has a bit for each row of the table that a path stands in. A path of the table may begin at any segment of
// have, so each segment is looked up. Cost: segments × the few entries of one name; with a pattern of a shell, segments
// × all entries.
func rowsOf(have []string, tree, open bool) (fit uint32) {
	look := func(list map[string][]indexed, name string, at int) {
		if open && strings.ContainsAny(name, "*?[") {
			for _, all := range list {
				fit |= rowsAt(all, have[at:], tree, open)
			}
			return
		}
		fit |= rowsAt(list[name], have[at:], tree, open) | rowsAt(list[""], have[at:], tree, open)
	}
	for at, name := range have {
		look(byName.anywhere, name, at)
	}
	if len(have) > 1 {
		switch have[0] {
		case "":
			look(byName.root, have[1], 0)
		case "~":
			look(byName.home, have[1], 0)
		}
	}
	return fit
}

// rowsAt has a bit for each row with a path of the list that stands at the beginning of a path. Three fits, with n
// equal segments: the place itself, something below a directory, and with tree a directory above that is the program's
// own.
func rowsAt(list []indexed, have []string, tree, open bool) (fit uint32) {
	for i := range list {
		one := &list[i]
		n := 0
		for n < len(one.want) && n < len(have) && segmentFits(one.want[n], have[n], open) {
			n++
		}
		if n == len(one.want) && (one.below && n < len(have) || n == len(have) && (!one.below || tree)) ||
			tree && n > 0 && n < len(one.want) && n == len(have) && ownTree(one.want[:n]) {
			fit |= 1 << one.row
		}
	}
	return fit
}

// ownTree reports whether the directory above a place belongs to the same program, as .codex does, and holds little
// else. rm -r ~/.codex takes the settings of Codex. rm -r .vscode takes those of an editor, in which a project keeps
// much else.
func ownTree(head []string) bool {
	switch head[len(head)-1] {
	case ".config", ".local", "state", ".git", ".github", ".vscode", ".idea", ".cargo":
		return false
	}
	return strings.HasPrefix(head[0], ".")
}

// segmentFits reports whether a name is, or with open may be, one of the table. Both sides may have wildcards: want
// those of the table (*, #), and have, with open, those of a shell.
func segmentFits(want, have string, open bool) bool {
	if open && strings.ContainsAny(have, "*?[") {
		// A pattern names a hidden file only with its dot, and one that begins with "*" tells too little.
		want, number := strings.CutSuffix(want, "#")
		return want != "" && (number && strings.HasPrefix(have, want) ||
			(have[0] == want[0] || want[0] != '.' && have[0] != '*' && have[0] != '.') &&
				globFits(have, want))
	}
	if before, number := strings.CutSuffix(want, "#"); number {
		rest, is := strings.CutPrefix(have, before)
		return is && strings.Trim(rest, "0123456789") == ""
	}
	before, after, any := strings.Cut(want, "*")
	if !any {
		return want == have
	}
	return len(have) >= len(before)+len(after) && strings.HasPrefix(have, before) && strings.HasSuffix(have, after)
}

// globFits reports whether a pattern of a shell with two letters or more may be a name of the table. A long one may be
// any.
func globFits(pattern, want string) bool {
	fit, letters := globLetters(pattern, want)
	return fit && letters > 1
}

// globLetters reports whether a pattern may be a name, and how many of its letters are those of the name. Behind a star
// at the end of want, the rest of the pattern may be any. The usual two pointers with one place to return to: at most
// len(pattern) × len(want) steps, with 256 bytes of pattern.
func globLetters(pattern, want string) (fit bool, letters int) {
	if len(pattern) > 256 {
		return true, len(pattern)
	}
	name, more := strings.CutSuffix(want, "*")
	name = strings.Replace(name, "*", "", 1)
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) || p < len(pattern) && !more {
		end, one := 0, true
		if p < len(pattern) && pattern[p] == '[' {
			end, one = SetEnd(pattern[p:])
		}
		switch {
		case p < len(pattern) && (pattern[p] == '*' || !one):
			star, from = p+max(end, 1)-1, n
			p = star + 1
			continue
		case p < len(pattern) && n < len(name):
			if pattern[p] == name[n] {
				letters++
			}
			if end > 0 || pattern[p] == '?' || pattern[p] == name[n] {
				p += max(end, 1)
				n++
				continue
			}
		}
		if star < 0 || from >= len(name) {
			return false, 0
		}
		from++
		p, n = star+1, from
	}
	return true, letters
}

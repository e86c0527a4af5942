package risk

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var patchSensitive = check{
	Doc: Doc{
		Code: "patch_sensitive", Title: "A file that runs or decides", Severity: elicit.High,
		About: "The agent would change a file that somebody else runs or trusts later; the argument kind says which. " +
			"High for hook (git hooks), profile (.bashrc and others that a shell runs), autostart (cron, systemd, " +
			"LaunchAgents), keys (authorized_keys and files that hold secrets), agent (the settings of an agent itself). " +
			"Medium for ci (workflows that run with the secrets of a repository), editor (tasks that an editor runs) and " +
			"dotfile (any other hidden file of the home directory). Low for lockfile: it chooses code that nobody reads.",
		Spec: "MITRE ATT&CK T1546, T1053, T1195; CWE-829",
	},
	request: func(h *hits, s *Subject) {
		if s.Does != elicit.DeedPatch && s.Does != elicit.DeedPermissions {
			return
		}
		for i, path := range s.Paths {
			if kind, severity := sensitiveFile(path, s.Does == elicit.DeedPermissions); kind != "" {
				h.at = place{root: "/paths/" + strconv.Itoa(i)}
				h.addAs(severity, path, 0, len(path), elicit.Str("kind", kind))
			}
		}
	},
}

var patchOutside = check{
	Doc: Doc{
		Code: "patch_outside", Title: "Outside of the workspace", Severity: elicit.Low,
		About: "The agent says that a file lies outside of the places that it may write to, or that the command would " +
			"leave its sandbox. Low, because that is why many agents ask at all.",
		Spec: "Codex app-server, command and file change approvals",
	},
	request: func(h *hits, s *Subject) {
		if s.Outside != elicit.SaidYes {
			return
		}
		switch {
		case len(s.Paths) > 0:
			h.at = place{root: "/paths/0"}
			h.add(s.Paths[0], 0, len(s.Paths[0]))
		case s.Command != "":
			h.at = place{root: "/command"}
			h.add(s.Command, 0, len(s.Command))
		}
	},
}

// sensitiveFile says why a changed file matters. A directory that is opened counts like the files in it.
func sensitiveFile(path string, tree bool) (kind string, severity elicit.Severity) {
	path = "/" + strings.TrimLeft(strings.ReplaceAll(lowerASCII(path), `\`, "/"), "/")
	if tree {
		path = strings.TrimRight(path, "/") + "/"
	}
	for _, p := range sensitivePlaces {
		if strings.Contains(path, p.part) {
			return p.kind, p.severity
		}
	}
	path = strings.TrimRight(path, "/")
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case secretFile(path) || base == "authorized_keys":
		return "keys", elicit.High
	case profiles[base]:
		return "profile", elicit.High
	case ciFiles[base]:
		return "ci", elicit.Medium
	case lockfiles[base]:
		return "lockfile", elicit.Low
	case strings.HasPrefix(base, ".") && homeDirectory(path[:len(path)-len(base)]):
		return "dotfile", elicit.Medium
	}
	return "", ""
}

// homeDirectory reports whether a path, with its slash, is somebody's home directory.
func homeDirectory(path string) bool {
	switch parts := strings.Split(strings.Trim(path, "/"), "/"); {
	case len(parts) == 1:
		return parts[0] == "root" || parts[0] == "~"
	case len(parts) == 2:
		return parts[0] == "home" || parts[0] == "users"
	case len(parts) == 3:
		return strings.HasSuffix(parts[0], ":") && parts[1] == "users"
	}
	return false
}

// sensitivePlaces are parts of paths. The first match counts.
var sensitivePlaces = []struct {
	part, kind string
	severity   elicit.Severity
}{
	{"/.git/hooks/", "hook", elicit.High}, {"/.git/config", "hook", elicit.High}, {"/.husky/", "hook", elicit.High},
	{"/.githooks/", "hook", elicit.High}, {"/.ssh/", "keys", elicit.High}, {"/.gnupg/", "keys", elicit.High},
	{"/etc/cron", "autostart", elicit.High}, {"/var/spool/cron", "autostart", elicit.High},
	{"/systemd/system/", "autostart", elicit.High}, {"/systemd/user/", "autostart", elicit.High},
	{"/launchagents/", "autostart", elicit.High}, {"/launchdaemons/", "autostart", elicit.High},
	{"/.config/autostart/", "autostart", elicit.High}, {"/etc/profile.d/", "profile", elicit.High},
	{"/.config/fish/", "profile", elicit.High}, {"/etc/sudoers", "keys", elicit.High},
	{"/.claude/settings", "agent", elicit.High}, {"/.codex/config.toml", "agent", elicit.High},
	{"/.codex/rules/", "agent", elicit.High}, {"/.cursor/mcp.json", "agent", elicit.High},
	{"/.config/elicit/", "agent", elicit.High}, {"/.mcp.json", "agent", elicit.High},
	{"/.github/workflows/", "ci", elicit.Medium}, {"/.github/actions/", "ci", elicit.Medium},
	{"/.circleci/", "ci", elicit.Medium}, {"/.buildkite/", "ci", elicit.Medium},
	{"/.gitea/workflows/", "ci", elicit.Medium},
	{"/.forgejo/workflows/", "ci", elicit.Medium}, {"/.woodpecker/", "ci", elicit.Medium},
	{"/.vscode/tasks.json", "editor", elicit.Medium}, {"/.vscode/settings.json", "editor", elicit.Medium},
	{"/.vscode/launch.json", "editor", elicit.Medium}, {"/.idea/runconfigurations/", "editor", elicit.Medium},
	{"/.devcontainer/", "editor", elicit.Medium},
}

var profiles = setOf(".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin " +
	".kshrc .cshrc .tcshrc .xinitrc .xprofile .inputrc .envrc profile.ps1 microsoft.powershell_profile.ps1 .gitconfig " +
	".pre-commit-config.yaml sitecustomize.py .gdbinit .lldbinit .vimrc .emacs")

var ciFiles = setOf(".gitlab-ci.yml jenkinsfile .travis.yml azure-pipelines.yml bitbucket-pipelines.yml .drone.yml " +
	"appveyor.yml cloudbuild.yaml buildspec.yml codeowners dependabot.yml renovate.json")

var lockfiles = setOf("package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb cargo.lock " +
	"go.sum poetry.lock pipfile.lock uv.lock pdm.lock gemfile.lock composer.lock mix.lock flake.lock pubspec.lock " +
	"packages.lock.json gradle.lockfile deno.lock")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

var commandSensitive = check{
	Doc: Doc{
		Code: "command_sensitive", Title: "A command at a sensitive place", Severity: elicit.High,
		About: "The command changes or deletes what patch_sensitive names, with its kinds, or the schedule (autostart). " +
			"secret: it reads secrets, which reach the model; high for private keys, else medium. guard: it ends or removes " +
			"Elicit, changes its policy or grants, or starts an agent that asks nobody. endless: code names over 512 files. " +
			"No finding for --dry-run and --help, or for a program that only uses a key.",
		Spec: "MITRE ATT&CK T1546, T1053, T1552, T1562; CWE-829",
	},
	command: func(h *hits, l *shellLine) {
		d := dangers{line: l}
		leaks, destroys := h.has("command_exfiltrates", elicit.High), h.has("command_destructive", elicit.Medium)
		for i := range l.commands {
			if impact.HasReader && l.endsGuard(&l.commands[i]) {
				d.add(elicit.High, "guard", &l.commands[i])
			}
			d.code(&l.commands[i])
		}
		for i := range l.impacts {
			in := &l.impacts[i]
			severity, kind := sensitiveImpact(in)
			if kind == "" || kind == "secret" && leaks || kind == "system" && destroys {
				continue // or that says more
			}
			d.add(severity, kind, l.of(in))
		}
		h.dangers(&d)
	},
}

// sensitiveImpact says why an impact matters.
func sensitiveImpact(in *impact.Impact) (elicit.Severity, string) {
	tree := in.How == impact.Tree
	switch in.Kind {
	case impact.Changes:
		if in.Target == "schedule" {
			return elicit.High, "autostart"
		}
	case impact.Reads:
		if known := placeOf(in.Target, tree, in.Open); known != nil && known.read != "" && known.read != elicit.Low &&
			!usesKeys[in.Program] {
			return known.read, "secret"
		}
	case impact.Writes, impact.Deletes:
		known := placeOf(in.Target, tree, in.Open)
		switch {
		case known == nil || known.write == "", known.kind == "dotfile" && (tree || in.Program == "mkdir"),
			known.kind == "profile" && in.Program == "git", // its own settings
			known.kind == "keys" && (in.How == impact.Mode || in.Program == "ssh-keygen"):
		case in.How == impact.Mode:
			return elicit.Medium, known.kind
		default:
			return known.write, known.kind
		}
	}
	return "", ""
}

// LabelOf names the label that a session gets when it does this, or "": "read_secret", "changed_settings", "fetched".
func LabelOf(in *impact.Impact) string {
	switch in.Kind {
	case impact.Fetches:
		return "fetched"
	case impact.Reads:
		if _, kind := sensitiveImpact(in); kind == "secret" || in.Target == "env:*" {
			return "read_secret"
		}
	case impact.Writes, impact.Deletes:
		if known := placeOf(in.Target, in.How == impact.Tree, in.Open); known != nil && known.kind == "agent" {
			return "changed_settings"
		}
	}
	return ""
}

// usesKeys are programs that read keys and do not show them.
var usesKeys = setOf("ls test [ [[ stat find file du wc sha256sum realpath readlink ln ssh ssh-add ssh-keygen " +
	"ssh-copy-id kubectl helm gpg docker docker-compose curl wget scp sftp rsync aws gcloud gh openssl rm")

// of is the innermost command that has an impact.
func (l *shellLine) of(in *impact.Impact) *shellCommand {
	found := &shellCommand{start: in.At, end: in.End, at: -1}
	for i := range l.commands {
		c := &l.commands[i]
		if c.start <= in.At && in.End <= c.end && (found.end <= in.End || c.end-c.start <= found.end-found.start) {
			found = c
		}
	}
	return found
}

// endsGuard reports whether a command ends, removes or goes around what asks the person.
func (l *shellLine) endsGuard(c *shellCommand) bool {
	if c.has("--help", "-h", "--dry-run", "--version") && c.program != "pkill" {
		return false
	}
	switch c.program {
	case "elicit":
		return c.starts("uninstall") || c.starts("unwrap") || c.starts("grants", "revoke") ||
			c.starts("policy", "init") || c.starts("policy", "import")
	case "pkill", "killall", "skill", "killall5", "taskkill", "stop-process", "systemctl", "service", "launchctl":
		return c.names("elicit") && !c.has("status", "list", "is-active", "--help", "start", "restart")
	case "kill", "rm", "mv":
		found := func(in *shellCommand) bool { return locates[in.program] && in.names("elicit") }
		return l.inside(c, found) || l.upstream(c, found)
	case "git":
		return c.starts("config") && c.names("core.hookspath") && !c.has("--get", "--unset")
	}
	agent, args := c.agent()
	return unasked(agent, args)
}

// names reports whether an argument holds a word.
func (c *shellCommand) names(word string) bool {
	for i := range c.args {
		if strings.Contains(lowerASCII(c.args[i].text), word) {
			return true
		}
	}
	return false
}

// locates are programs that tell where a program or its processes are.
var locates = setOf("pgrep pidof ps which type command whereis grep lsof")

// agent is the agent that a command starts, also by the name of its package.
func (c *shellCommand) agent() (string, []shellWord) {
	switch c.program {
	case "npx", "bunx", "pnpx", "uvx":
		for i := range c.args {
			if text := c.args[i].text; !strings.HasPrefix(text, "-") {
				text = programName(text)
				text, _, _ = strings.Cut(text, "@")
				return packaged[text], c.args[i+1:]
			}
		}
	}
	return c.program, c.args
}

var packaged = map[string]string{"claude-code": "claude", "codex": "codex", "gemini-cli": "gemini",
	"qwen-code": "qwen", "copilot": "copilot", "aider-chat": "aider"}

// unasked reports whether an agent is told not to ask.
func unasked(agent string, args []shellWord) bool {
	flags := agentFlags[agent]
	if flags == "" {
		return false
	}
	for i := range args {
		text := args[i].text
		if i+1 < len(args) && strings.Contains(flags, " "+text+"="+args[i+1].text+" ") {
			return true
		}
		if text != "" && strings.Contains(flags, " "+text+" ") {
			return true
		}
	}
	return false
}

// agentFlags are the options of agents after which they ask nobody.
var agentFlags = map[string]string{
	"claude": " --dangerously-skip-permissions --allow-dangerously-skip-permissions " +
		"--permission-mode=bypassPermissions ",
	"codex": " --yolo --dangerously-bypass-approvals-and-sandbox --ask-for-approval=never -a=never " +
		"--sandbox=danger-full-access -s=danger-full-access ",
	"gemini":       " --yolo -y --approval-mode=yolo ",
	"qwen":         " --yolo -y --approval-mode=yolo ",
	"copilot":      " --allow-all-tools --allow-all --yolo ",
	"cursor-agent": " --force -f --yolo ",
	"aider":        " --yes-always --yes ",
	"amp":          " --dangerously-allow-all ",
}

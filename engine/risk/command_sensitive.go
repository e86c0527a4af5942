package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// It stands behind the checks of leaks and destruction in the list, because their finding says more about the same
// bytes.
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
			// The guard comes first, because it is the worst: it ends what asks the person.
			if impact.HasReader && guarded.Command(l.report, i).What != "" {
				d.add(elicit.High, "guard", &l.commands[i])
			}
		}
		// A program whose impacts are known needs no search for names in its text.
		read := map[*shellCommand]bool{} // what its program does is known
		for i := range l.impacts {
			in := &l.impacts[i]
			severity, kind := sensitiveImpact(in)
			if kind == "" || kind == "secret" && leaks || kind == "system" && destroys {
				continue // or that says more
			}
			at := l.of(in)
			read[at] = true
			d.add(severity, kind, at)
		}
		for i := range l.commands {
			if !read[&l.commands[i]] {
				d.code(&l.commands[i])
			}
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
		// A named variable is a secret here; the whole environment ("env:*") is only a label, since many programs print
		// it.
		if strings.HasPrefix(in.Target, "env:") && !in.Open {
			return elicit.Medium, "secret"
		}
		if known := guarded.SecretOf(in); known != nil {
			return known.Read, "secret"
		}
	case impact.Writes, impact.Deletes:
		known := guarded.PlaceOf(in.Target, tree, in.Open)
		switch {
		// These write at such a place and change nothing that runs: a new directory, the settings of git by git itself,
		// and the permissions of a key.
		case known == nil || known.Write == "", known.Kind == "dotfile" && (tree || in.Program == "mkdir"),
			known.Kind == "profile" && in.Program == "git", // its own settings
			known.Kind == "keys" && (in.How == impact.Mode || in.Program == "ssh-keygen"):
		case in.How == impact.Mode:
			return elicit.Medium, known.Kind
		default:
			return known.Write, known.Kind
		}
	}
	return "", ""
}

// LabelOf names the label that a session gets when it does this, or "": "read_secret", "changed_settings", "fetched".
// Labels serve rules about two deeds: one that reads a secret, and a later one that sends (package policy, labels.go).
func LabelOf(in *impact.Impact) string {
	switch in.Kind {
	case impact.Fetches:
		return "fetched"
	case impact.Reads:
		if _, kind := sensitiveImpact(in); kind == "secret" || in.Target == "env:*" {
			return "read_secret"
		}
	case impact.Writes, impact.Deletes:
		if guarded.SettingsOf(in) {
			return "changed_settings"
		}
	}
	return ""
}

// of is the innermost command that has an impact. Of nested commands the smallest one that encloses the impact is
// taken. An impact of the shell itself, such as a redirection without a command, gets a command with at -1.
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

package risk

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// The places are those of internal/guarded, which command_sensitive and self-protection use as well. So one file has
// one judgement by whatever way it is changed.
var patchSensitive = check{
	Doc: Doc{
		Code: "patch_sensitive", Title: "A file that runs or decides", Severity: elicit.High,
		About: "The agent would change a file that others run or trust; kind says which. " +
			"High for hook (git hooks), profile (.bashrc and others that a program runs), autostart (cron, systemd, " +
			"LaunchAgents), keys (authorized_keys and files that hold secrets; medium for .env), agent (the settings and " +
			"hooks of agents, and Elicit's own files). Medium for ci (workflows)" +
			", editor (its tasks), system (its directories) and dotfile (of the home " +
			"directory). Low for lockfile.",
		Spec: "MITRE ATT&CK T1546, T1053, T1195; CWE-829",
	},
	// A patch is looked at by its paths, before anyone reads what it changes: a line in .git/hooks/pre-commit runs at
	// the next commit, whatever the line says.
	request: func(h *hits, s *Subject) {
		if s.Does != elicit.DeedPatch && s.Does != elicit.DeedPermissions {
			return
		}
		// A permission for /usr is common, and what it opens is for patch_outside, so system directories do not count
		// here.
		opened := s.Does == elicit.DeedPermissions // a directory that is opened counts like the files in it
		for i, path := range s.Paths {
			if known := guarded.PlaceOf(path, opened, false); known != nil && !(opened && known.Kind == "system") {
				h.at = place{root: "/paths/" + strconv.Itoa(i)}
				h.addAs(known.Write, path, 0, len(path), elicit.Str("kind", known.Kind))
			}
		}
	},
}

// The word of the agent is enough for a finding, and never for an accept: an agent that lies says "inside".
var patchOutside = check{
	Doc: Doc{
		Code: "patch_outside", Title: "Outside of the workspace", Severity: elicit.Low,
		About: "The agent says that a file lies outside of the places that it may write to, or that the command would " +
			"leave its sandbox.",
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

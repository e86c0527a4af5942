package risk

import (
	_ "embed"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// The table is searched as text, as those of package impact are. A command has few packages, so that is cheap.
var commandPackage = check{
	Doc: Doc{
		Code: "command_package", Title: "A package that resembles a well-known one", Severity: elicit.Medium,
		About: "The command installs a package, or runs an image, one letter away from a well-known name: reqeusts. High " +
			"if it looks the same (0 for o). packages.txt has the known names, and established ones beside them. Names below " +
			"five letters are not compared.",
		Spec: "MITRE ATT&CK T1195.002; CWE-1357: typosquatting",
	},
	command: func(h *hits, l *shellLine) {
		for i := 0; impact.HasReader && i < len(l.report.Packages); i++ {
			p := &l.report.Packages[i]
			name := packageName(p.Registry, p.Name.Text)
			if known, looks := wellKnown(p.Registry, name); known != "" {
				severity, how := elicit.Medium, "slip"
				if looks {
					severity, how = elicit.High, "look"
				}
				h.addAs(severity, l.text, p.Name.At, p.Name.End, elicit.Str("package", evidence(name)),
					elicit.Str("known", known), elicit.Str("how", how))
			}
		}
	},
}

//go:embed packages.txt
var packages string

// packageName is the bare name of a package, "" for a path, a URL or a name that the line does not tell. For npm a
// scope is compared alone: @bable/core resembles @babel/core by its scope. For pypi "_", "-" and "." are one (PEP 503).
func packageName(registry, text string) string {
	scope := ""
	switch registry {
	case "npm":
		// An alias, a@npm:b, installs b.
		if _, real, is := strings.Cut(text, "@npm:"); is {
			text = real
		}
		if strings.HasPrefix(text, "@") {
			scope, _, _ = strings.Cut(text, "/")
			return lowerASCII(scope)
		}
		text, _, _ = strings.Cut(text, "@")
	case "module":
		text, _, _ = strings.Cut(text, "@")
		return text
	case "image":
		text, _, _ = strings.Cut(text, "@")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "docker.io/"), "library/")
		text, _, _ = strings.Cut(text, ":")
	case "gem":
		text, _, _ = strings.Cut(text, ":")
	default:
		if at := strings.IndexAny(text, "=<>!~;@[ "); at >= 0 {
			text = text[:at]
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "_", "-"), ".", "-")
	}
	// A path or a URL is no name of the registry, and a hole may be any name.
	if strings.ContainsAny(text, "/:\\\x00\x01") {
		return ""
	}
	return lowerASCII(text)
}

// wellKnown is the well-known name that a name resembles, and whether it looks the same. A name on the list is itself
// known, so it never resembles another one. Rows with "-" have established names that happen to be near a known one:
// they are spared, and nothing is compared with them.
func wellKnown(registry, name string) (known string, looks bool) {
	if len(name) < shortName-1 || len(name) > 128 || strings.HasPrefix(name, "-") {
		return "", false
	}
	scoped, shape := name[0] == '@', skeleton(name)
	mine, spared := false, false
	for row := range strings.SplitSeq(packages, "\n") {
		if row == "" || row[0] == '#' {
			continue
		}
		head, names, _ := strings.Cut(row, " ")
		if head != "" {
			spared = strings.HasPrefix(head, "-")
			mine = strings.TrimPrefix(head, "-") == registry
		}
		if !mine {
			continue
		}
		for one := range strings.FieldsSeq(names) {
			near := len(one) - len(name)
			switch {
			case one == name:
				return "", false
			// Skeletons of names with very different lengths are different, so most names need no skeleton.
			case (one[0] == '@') != scoped || near < -4 || near > 4 || spared:
			case shape == skeleton(one):
				known, looks = one, true
			case known == "" && near > -2 && near < 2 && oneSlip(name, one):
				known = one
			}
		}
	}
	return known, looks
}

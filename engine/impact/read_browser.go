//go:build browser

package impact

const HasReader = false

// StartsShell knows no programs in a browser.
func StartsShell(string) bool { return false }

// Read tells nothing: a page in a browser sees no commands, so its build has no parser. Any command is Unknown.
func Read(command string, _ Options) Report {
	if command == "" {
		return Report{}
	}
	return Report{Unknown: true, Impacts: []Impact{{Kind: Unknown, How: Syntax, End: len(command)}}}
}

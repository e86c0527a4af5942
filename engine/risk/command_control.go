package risk

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A command is stricter than a text: a joiner that an emoji needs has no place in a command.
var commandControl = check{
	Doc: Doc{
		Code: "command_control", Title: "Invisible characters in a command", Severity: elicit.High,
		About: "The command contains control characters (terminal escape sequences among them), characters that turn " +
			"the direction of text, or characters of no width. Line breaks and tabs are fine; a carriage return is " +
			"not. Medium for blanks at which no shell splits, such as U+00A0.",
		Spec: "ECMA-48; UAX 9; CWE-451: user interface misrepresentation",
	},
	command: func(h *hits, l *shellLine) {
		first, count, end, blank := -1, 0, 0, false
		for i, r := range l.text {
			hides := r != '\n' && r != '\t' && (isControl(r) || isBidi(r) || isZeroWidth(r) || isPrivate(r))
			if !hides && (r < 0x80 || !isSpace(r)) {
				continue
			}
			if count++; first < 0 || hides && blank {
				first, end, blank = i, i+utf8.RuneLen(r), !hides
			}
		}
		severity := h.doc.Severity
		if blank {
			severity = elicit.Medium
		}
		if first >= 0 {
			h.addAs(severity, l.text, first, end, elicit.Num("count", count))
		}
	},
}

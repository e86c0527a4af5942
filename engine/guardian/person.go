package guardian

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// Person returns the name by which two principals are compared if they must be two people. It has no case, accents,
// white space or invisible characters, and it has Latin letters in place of look-alikes. Two principals with one name
// may be one person. "" names no one. Example: "Alice@Example.com", "alice@example.com" and "аlice@example.com" with a
// Cyrillic а are one person here. One person with two unlike accounts is still two: only the host can know that.
func Person(principal string) string { return strings.Join(strings.Fields(fold.Text(principal)), "") }

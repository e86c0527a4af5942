package guardian

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// Person returns the name by which two principals are compared if they must be two people. It has no case, accents,
// white space or invisible characters, and it has Latin letters in place of look-alikes. Two principals with one name
// may be one person. "" names no one.
func Person(principal string) string { return strings.Join(strings.Fields(fold.Text(principal)), "") }

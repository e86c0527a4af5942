package guardian

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// Person is the name by which two principals are compared where they must be two people: without case, accents, white
// space and characters that show nothing, and with Latin letters for those that only look Latin. Two principals of one
// name may be one person. "" is nobody's name.
func Person(principal string) string {
	return strings.Join(strings.Fields(fold.Text(principal)), "")
}

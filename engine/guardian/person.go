package guardian

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// Person is the name by which two principals are compared where they must be two people. It has no case, accents, white
// space or characters that show nothing, and a Latin letter in place of each letter that looks like it. Two principals of
// one name may be one person. "" is nobody's name.
func Person(principal string) string {
	return strings.Join(strings.Fields(fold.Text(principal)), "")
}

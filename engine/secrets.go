package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// withoutSecrets is content without what nobody but the peer may read.
type withoutSecrets struct {
	// Invariant: no field of the form has a finding of severity high or above in content.
	content []byte           // canonical, less the hidden members
	hidden  []string         // members that are sensitive, and those that hold a secret by its form
	secrets []elicit.Finding // in hidden members that are not sensitive
	found   []elicit.Finding // in content
}

// secretPointer is where the pointers of risk.InspectAnswer begin.
const secretPointer = "/content"

// withholdSecrets takes the hidden members out of content, and every other that holds a secret by its form. Inspecting
// again until nothing is found makes the outcome the same however many findings one inspection yields. The loop ends:
// each round but the last hides one more field of the form. A finding that lies in no field hides nothing, and stays
// among secrets.
func withholdSecrets(form *schema.Form, fields []risk.Field, content []byte, hidden []string) withoutSecrets {
	s := withoutSecrets{hidden: hidden}
	for {
		s.content = without(content, s.hidden)
		s.found = risk.InspectAnswer(fields, s.content)
		more := false
		// Findings come with the most severe first, so the loop ends at the first that is no secret.
		for len(s.found) > 0 && s.found[0].Severity.Rank() >= elicit.High.Rank() {
			f := s.found[0]
			s.secrets, s.found = append(s.secrets, f), s.found[1:]
			if name, ok := fieldAt(form, f.Pointer[len(secretPointer):]); ok && !slices.Contains(s.hidden, name) {
				s.hidden, more = append(s.hidden, name), true
			}
		}
		if !more {
			return s
		}
	}
}

// secretRoot is the pointer, into content, of the field that a finding is about.
func secretRoot(form *schema.Form, f elicit.Finding) string {
	name, _ := fieldAt(form, f.Pointer[len(secretPointer):])
	return string(jsontext.AppendToken(nil, name))
}

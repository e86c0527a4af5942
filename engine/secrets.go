package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// withoutSecrets is content without what nobody but the peer may read.
type withoutSecrets struct {
	content []byte           // canonical, less the hidden members
	hidden  []string         // members that are sensitive, and those that hold a secret by its form
	secrets []elicit.Finding // in hidden members that are not sensitive
	found   []elicit.Finding // in content
}

// secretPointer is where the pointers of risk.InspectAnswer begin.
const secretPointer = "/content"

// withholdSecrets takes the hidden members out of content, and every other that holds a secret by its form. Inspecting
// again until nothing is found makes the outcome the same however many findings one inspection yields.
func withholdSecrets(form *schema.Form, fields []risk.Field, content []byte, hidden []string) withoutSecrets {
	s := withoutSecrets{hidden: hidden}
	for {
		s.content = without(content, s.hidden)
		s.found = risk.InspectAnswer(fields, s.content)
		more := false
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

// unsentSecrets says why an answer that fits may not be sent: it holds a secret that the person was not warned of, or
// that policy forbids to send. A warning is remembered by field, so that the same answer passes when it comes again.
func (s *step) unsentSecrets(h *held, v *checkedAnswer) (problems []elicit.Problem) {
	if len(v.secrets) == 0 {
		return nil
	}
	say, code := s.secretsAre(h), "secret_unconfirmed"
	switch say {
	case policy.SecretsNote:
		v.reasons = append(v.reasons, elicit.Reason{Code: "secret_noted"})
		return nil
	case policy.SecretsConfirm:
	default:
		code = "secret_refused"
	}
	told := len(h.warnedFields)
	for _, f := range v.secrets {
		root := secretRoot(h.form, f)
		if say == policy.SecretsConfirm && slices.Contains(h.warnedFields[:told], root) {
			continue
		}
		problems = append(problems, elicit.Problem{Code: code, Pointer: f.Pointer[len(secretPointer):],
			Args: append(slices.Clip(f.Args), elicit.Str("shown", f.Evidence))})
		if !slices.Contains(h.warnedFields, root) {
			h.warnedFields = append(h.warnedFields, root)
		}
	}
	if len(problems) == 0 {
		v.reasons = append(v.reasons, elicit.Reason{Code: "secret_confirmed"})
	}
	return problems
}

// canAnswerAgain reports that whoever answered can be asked once more for an answer that is not taken. On the asking
// side that is always so, because the caller counts the attempts.
func (s *step) canAnswerAgain(h *held, via event.Via, secret bool) bool {
	if h.request.Side == elicit.Asking {
		return true
	}
	switch via {
	case event.ViaPerson:
		return true
	case event.ViaClient:
		return secret && s.config.stack.Secrets() == policy.SecretsConfirm
	}
	return false
}

package ask

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Submission is what a model passes on with the fallback tool.
type Submission struct {
	ID      string          `json:"id"`
	Action  elicit.Action   `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// Submit takes what a model passes on. It returns the call to run again, whose result is the result of the fallback
// tool. Otherwise the text says why there is none, for the model to read.
func (a *Asker) Submit(ctx context.Context, c Client, said Submission) (again *Call, text string) {
	name, id, _ := strings.Cut(said.ID, separator)
	s, err := a.find(ctx, name)
	if err != nil {
		return nil, err.Error() + ". Try again."
	}
	if s != nil {
		defer a.release(s)
	}
	if s == nil || s.client.Principal != c.Principal || c.Session != "" && s.name != a.sessionName(c.Session) {
		return nil, "There is no open question with this id. Its time may be up: call the tool that asked again."
	}
	if said.Action == elicit.Accept && said.Content == nil {
		said.Content = json.RawMessage("{}")
	}
	t := s.step(ctx, asking.Submitted{ID: elicit.ID(id), Principal: c.Principal, Action: said.Action,
		Content: said.Content, Via: event.ViaModel})
	if t.resume != nil {
		return &Call{Client: c, Method: t.resume.Method, Target: t.resume.Target, Arguments: t.resume.Arguments,
			session: s.name}, ""
	}
	if t.err != nil {
		return nil, t.err.Error()
	}
	return nil, "The answer was not taken: " + problemsError(t.problems).Error()
}

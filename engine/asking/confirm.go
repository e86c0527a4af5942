package asking

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// choice is how a confirmation stands in a client's form. Some clients draw a form without fields as an empty window,
// whose button does nothing.
const choice = `{"type":"object","properties":{"answer":{"type":"string","title":"Your answer","oneOf":[` +
	`{"const":"yes","title":"Yes"},{"const":"no","title":"No"}]}},"required":["answer"]}`

// chooses reports whether a client's form puts a question as a choice between yes and no. A page has buttons of its
// own, and a client that consents to it says nothing more.
func (q *question) chooses() bool {
	return q.show != nil && q.show.Kind == elicit.KindConfirm && q.show.Form != nil && len(q.show.Form.Fields) == 0
}

// chosen turns the choice of an accepted answer into an answer to the confirmation. A client that shows its own buttons
// accepts without a choice.
//
//	no content, or {}      stays: the client has its own buttons
//	{"answer":"yes"}       becomes an accept of {}
//	{"answer":"no"}        becomes a decline
//	anything else          problems, and the question is put again
func chosen(a *mcp.Answer) []elicit.Problem {
	if o, ok := wire.ReadObject(a.Content); a.Action != elicit.Accept || a.Content == nil || ok && len(o.Members) == 0 {
		return nil
	}
	form, problems := schema.Compile([]byte(choice), schema.Options{Profile: schema.Strict20251125})
	if form == nil {
		return problems
	}
	if problems = form.Check(a.Content); len(problems) > 0 {
		return problems
	}
	o, _ := wire.ReadObject(a.Content)
	if answer, _ := wire.Text(o.Get("answer")); answer == "yes" {
		a.Content = []byte("{}")
		return nil
	}
	a.Action, a.Content = elicit.Decline, nil
	return nil
}

// atOnce is how fast a client cancels when nobody is there, in milliseconds. No person reads a question in that time.
const atOnce = 500

// nobodyThere reports whether a client has cancelled a form at once, so that the question goes to a page: nobody was
// asked.
func (c *client) nobodyThere(q *question, of *call, action elicit.Action, now int64) bool {
	return action == elicit.Cancel && q.offer == ByRequest && !q.page && !q.absent && q.Mode == elicit.Form &&
		c.config.Page != "" && q.put != 0 && now-q.put < atOnce &&
		(c.config.Fallback != "" && of.readByModel() || c.config.Declared.URL && c.dialect.URL)
}

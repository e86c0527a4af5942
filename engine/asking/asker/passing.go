package asker

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// passing is a call of the fallback tool, with which a model passes on an answer. The call that waits for the answer
// runs in its place.
//
// called makes it, and passed drops it with the last reply. Between them the name belongs to two calls one after the
// other.
type passing struct {
	called Called
	resume *asking.Resume // what runs in its place, nil while that is not known
}

// passes reports whether a call is one of the fallback tool.
func (m *Machine) passes(ev Called) bool {
	return ev.Session == "" && ev.Method == "tools/call" && ev.Target != "" &&
		ev.Target == m.sessions.config.Asking.Fallback
}

// passOn takes what a model passes on.
func (m *Machine) passOn(ev Called) {
	said, problems := strict.Document(ev.Arguments, eventLimits)
	act := Submitted{Ref: ev.Call, ID: said.Opt("id"), Client: ev.Client, Action: elicit.Action(said.Opt("action")),
		Content: said.Raw("content")}
	m.passing[ev.Call] = &passing{called: ev}
	if problems = append(problems, said.Problems...); len(problems) > 0 {
		m.sessions.reply(ev.Call, Reply{Failed: Refused, Problems: problems})
		return
	}
	m.submitted(act)
}

// passed lets calls run whose answer was taken, and answers the other calls of the fallback tool. It reports whether a
// call has begun.
//
// It rewrites the effects of the step. A reply with a Resume is taken out, and begins the call that is resumed. A reply
// of that call that lets its handler run gets the Resume, so that the host knows which handler.
func (m *Machine) passed() (began bool) {
	for i := 0; i < len(m.sessions.out); i++ {
		r, replies := m.sessions.out[i].(Reply)
		p := m.passing[r.To]
		if !replies || p == nil {
			continue
		}
		if p.resume == nil && r.Resume != nil {
			p.resume = r.Resume
			m.sessions.out = slices.Delete(m.sessions.out, i, i+1)
			i--
			m.called(Called{Call: r.To, Client: p.called.Client, Method: p.resume.Method, Target: p.resume.Target,
				Arguments: p.resume.Arguments, Session: r.Session, Token: p.called.Token})
			began = true
			continue
		}
		delete(m.passing, r.To)
		if p.resume == nil {
			m.sessions.out[i] = Reply{To: r.To, Result: textResult(p.called.Client.Version, Untaken(r))}
		} else if r.Failed == "" && r.Result == nil && r.Error == nil {
			r.Resume = p.resume
			m.sessions.out[i] = r
		}
	}
	return began
}

// Untaken says to a model why the answer that it has passed on lets no call run.
//
// The text must not tell an unknown id from one of another caller.
func Untaken(r Reply) string {
	switch r.Failed {
	case Refused:
		return "The answer was not taken: " + r.Text()
	case "", NoSession:
		return "This connection has no open question with this id. Its time may be up, or it belongs to an earlier " +
			"connection: call the tool that asked again."
	}
	return r.Text() + ". Try again."
}

// textResult is the result of a tool that tells a model why there is no other.
func textResult(version, text string) []byte {
	o := jsontext.Begin(nil)
	if version >= Rounds {
		o.Str("resultType", "complete")
	}
	o.Name("content", func(dst []byte) []byte { return mcp.AppendText(dst, text) })
	o.OptTrue("isError", true)
	return o.End()
}

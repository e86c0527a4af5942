package hooks

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// opencode asks its person by events with an id, and takes the answers by POST /permission/ID/reply and
// /question/ID/reply (opencode 1.18). A plugin gives each event to the hook as hook_event_name, cwd and the properties
// of the event, and posts the answer, if it has a member, as the body.

// askedByOpencode is the event of a question, and questionOfOpencode the tool by which the model asks it.
const (
	askedByOpencode    = "question.asked"
	questionOfOpencode = "question"
)

// readOpencodePermission reads what opencode wants to be allowed. The permission is the kind of the tool, and the
// metadata have its arguments. Without metadata, the patterns say what it is about.
//
// Example: {"id":"p1","permission":"bash","metadata":{"command":"ls"},"patterns":["ls"]}. Patterns are globs of
// opencode. They count as paths for a tool of files only.
func readOpencodePermission(r *reading, hook *Hook) {
	c := call{server: string(Opencode), tool: r.filled("permission"), own: true, input: r.Get("metadata"), at: "/metadata",
		cwd: r.optional("cwd")}
	if o, ok := wire.ReadObject(c.input); ok && len(o.Members) == 0 {
		patterns := jsontext.Begin(nil)
		patterns.OptRaw("patterns", r.Get("patterns"))
		c.input = patterns.End()
	}
	r.shellDirectory(&c, "workdir")
	hook.Request.Ref = r.filled("id")
	r.approval(hook, c)
	if r.host.files[c.tool] != "" { // a patch of several files has them as patterns
		input, _ := wire.ReadObject(c.input)
		diff, _ := wire.Text(input.Get("diff"))
		addDiff(&hook.Request, diff)
		patterns, _ := wire.Texts(r.Get("patterns"), limits.Members)
		for _, place := range patterns {
			if place != "*" {
				hook.Request.AddPath(pathIn(hook.Request.Cwd, place))
			}
		}
	}
}

func readOpencodeQuestion(r *reading, hook *Hook) {
	r.asked(hook, r.Object, "", elicit.Request{Ref: r.filled("id"), Server: string(Opencode), Tool: questionOfOpencode})
}

// opencodeAnswers are the labels and words for each question, an empty list for one that nobody answered.
func opencodeAnswers(h *Hook, given wire.Object) []byte {
	out, some := []byte(`{"answers":[`), false
	for i := range h.asked {
		out = jsontext.Comma(out)
		chosen, beside := h.asked.Chosen(i, given)
		if beside != "" {
			chosen = append(chosen, beside)
		}
		out = append(out, '[')
		for _, said := range chosen {
			out, some = jsontext.AppendString(jsontext.Comma(out), said), true
		}
		out = append(out, ']')
	}
	if !some {
		return nil
	}
	return append(out, ']', '}')
}

// writeOpencodePermission writes {"reply":"once"} or {"reply":"reject"}. It never writes "always": opencode would then
// not ask the hook again. Ask and silence have no member, and the plugin posts nothing.
func writeOpencodePermission(dst []byte, _ string, v Verdict) ([]byte, bool) {
	o := jsontext.Begin(dst)
	switch v.Decision {
	case Allow:
		o.Str("reply", "once")
	case Deny, Cancel:
		o.Str("reply", "reject")
		o.OptStr("message", v.Reason)
	}
	return o.End(), true
}

// writeOpencodeQuestion writes the answers. A question that is not answered is rejected, for which opencode has no
// words of ours.
func writeOpencodeQuestion(dst []byte, _ string, v Verdict) ([]byte, bool) {
	switch v.Decision {
	case Allow:
		return append(dst, v.Arguments...), v.Arguments != nil
	case Ask:
		return append(dst, "{}"...), true
	}
	return append(dst, `{"reject":true}`...), true
}

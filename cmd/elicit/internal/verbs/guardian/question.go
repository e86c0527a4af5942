package guardian

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// guardianQuestion holds the flags of `elicit guardian question`.
type guardianQuestion struct {
	schema, url, message, server, tool string
	phase, answer, settings            string
	shown, permit                      string
}

func newGuardianQuestionCommand() *cobra.Command {
	var q guardianQuestion
	cmd := cli.Verb("question", cli.Args(0, 0, "this command takes no arguments; give the form with --schema"),
		func(cmd *cobra.Command, _ []string) error { return q.run(cmd) })
	f := cmd.Flags()
	f.StringVar(&q.schema, "schema", "", "requested schema of the form: `file`, or -")
	f.StringVar(&q.url, "url", "", "`address` of a page to open instead of a form")
	f.StringVar(&q.message, "message", "Please fill in this form.", "the server's message")
	f.StringVar(&q.server, "server", "a-server", "`name` of the server that asks")
	f.StringVar(&q.tool, "tool", "", "`name` of the tool that asks")
	f.StringVar(&q.phase, "phase", string(guardian.BeforeShow),
		"`phase` in which the guardian is asked: before_show or before_send")
	f.StringVar(&q.answer, "answer", "", "answer to the form, for before_send: a `file`, or the JSON object itself")
	f.StringVar(&q.settings, "settings", "", "settings of the guardian: a `file`, or the JSON object itself; "+
		"by default those of --permit")
	f.StringVar(&q.shown, "for", "", "print only what this `module` is shown")
	addPermitFlag(cmd, &q.permit)
	cli.CompleteFlag(cmd, "phase", string(guardian.BeforeShow), string(guardian.BeforeSend))
	_ = cmd.MarkFlagFilename("schema", "json")
	_ = cmd.MarkFlagFilename("answer", "json")
	_ = cmd.MarkFlagFilename("settings", "json")
	_ = cmd.MarkFlagFilename("for", "wasm")
	cmd.MarkFlagsMutuallyExclusive("schema", "url")
	return cmd
}

func (q *guardianQuestion) run(cmd *cobra.Command) error {
	if p := guardian.Phase(q.phase); p != guardian.BeforeShow && p != guardian.BeforeSend {
		return fmt.Errorf("--phase is %q; give before_show or before_send", q.phase)
	}
	if q.permit != "" && q.shown == "" {
		return errors.New("--permit limits what a module is shown; give the module with --for")
	}
	request, err := cli.QuestionOf(cmd, q.message, q.url, q.schema)
	if err != nil {
		return err
	}
	request.Session, request.Ref, request.Tool = "s", "1", q.tool
	otherwise := "{}"
	var shown *guardian.Permit
	if q.shown != "" {
		if shown, err = q.permitFor(cmd); err != nil {
			return err
		}
		if shown.Settings != nil {
			otherwise = string(shown.Settings)
		}
	}
	settings, err := q.document(cmd, q.settings, otherwise)
	if err != nil {
		return err
	}
	all, err := permitAll(settings)
	if err != nil {
		return errors.New("--settings is not a JSON object; give one, or a file that holds one")
	}
	text, err := q.ask(cmd, request, all)
	if err != nil {
		return err
	}
	if shown != nil {
		text = shown.Narrow(text)
	}
	var out bytes.Buffer
	_ = json.Indent(&out, text, "", "  ") // cannot fail: the engine wrote it
	fmt.Fprintf(cli.JSONTo(cmd), "%s\n", out.Bytes())
	return nil
}

// permitFor returns the permit of the module that the question is for.
func (q *guardianQuestion) permitFor(cmd *cobra.Command) (*guardian.Permit, error) {
	_, m, err := readGuest(cmd, q.shown)
	if err != nil {
		return nil, err
	}
	permit, _, err := permitOf(cmd, m, q.permit)
	if err != nil {
		return nil, err
	}
	if !permit.Due(guardian.Phase(q.phase)) {
		fmt.Fprintf(cmd.ErrOrStderr(),
			"elicit: %s is not asked in the phase %s, which the manifest or the permit leaves out\n",
			m.Manifest.Name, q.phase)
	}
	return &permit, nil
}

// document reads a file, or an argument that is JSON itself, and checks that it is JSON. For name "" it returns
// otherwise.
func (q *guardianQuestion) document(cmd *cobra.Command, name, otherwise string) (string, error) {
	if name == "" {
		return otherwise, nil
	}
	doc, err := cli.ReadJSON(cmd, name)
	return string(doc.Text), err
}

// questionTime is the time of the question, in milliseconds since 1970. It never changes, and neither does the seed of
// the question, so that the command prints the same bytes every time.
const questionTime = 1_700_000_000_000

// ask runs an engine with one guardian until it asks that guardian in the wanted phase. For before_send it answers the
// question that a person would get.
func (q *guardianQuestion) ask(cmd *cobra.Command, r elicit.Request, all guardian.Permit) ([]byte, error) {
	e := engine.New()
	both := elicit.Modes{Form: true, URL: true}
	permit := cli.AppendObject(nil, []elicit.Arg{elicit.Str("name", all.Name), elicit.Raw("host", "true"),
		elicit.Raw("reads", string(all.Reads.AppendJSON(nil))), elicit.Raw("settings", string(all.Settings))})
	var asked []byte
	var problems []elicit.Problem
	queue := []event.Event{event.Configured{Config: []byte(`{"guardians":[` + string(permit) + `]}`)},
		event.Opened{Session: "s", Server: q.server, Side: elicit.Answering, Declared: both, Shown: both},
		event.Asked{Request: r}}
	for len(queue) > 0 {
		ev := queue[0]
		queue = queue[1:]
		for _, next := range e.Step(engine.Input{At: questionTime, Event: ev}) {
			switch ef := next.(type) {
			case effect.Consult:
				if string(ef.Phase) == q.phase {
					return ef.Question, nil
				}
				asked = ef.Question
				queue = append(queue, ef.Answer(event.Consulted{Output: string(passResult().Output)}))
			case effect.Show:
				content, err := q.document(cmd, q.answer, sampleAnswer(gjson.GetBytes(asked, "request.form")))
				if err != nil {
					return nil, err
				}
				answered := event.Answered{Session: "s", ID: ef.ID, Action: elicit.Accept}
				if r.Mode == elicit.Form {
					answered.Content = []byte(content)
				}
				queue = append(queue, answered)
			case effect.Problem:
				problems = append(problems, ef.Problems...)
			case effect.Reply:
				problems = append(problems, ef.Problems...)
			}
		}
	}
	for _, p := range problems {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s\n", cli.OneLine(strings.TrimSpace(p.Pointer+" "+english.Problem(p))))
	}
	if q.phase == string(guardian.BeforeSend) && q.answer == "" && asked != nil {
		return nil, cli.Exit(cli.Invalid, errors.New("the command cannot make an answer that fits the form; "+
			"give one with --answer"))
	}
	return nil, cli.Exit(cli.Invalid, errors.New("the engine asks no guardian about this question, "+
		"because it refuses the question itself"))

}

// sampleAnswer makes an answer that fits a form, which it reads in the JSON of a guardian's question. It does not
// follow patterns, so an answer to a form with a pattern may be refused.
func sampleAnswer(form gjson.Result) string {
	return string(cli.AppendObject(nil, each.Of(form.Get("fields").Array(), func(field gjson.Result) elicit.Arg {
		return elicit.Raw(field.Get("name").String(), sampleValue(field))
	})))
}

func sampleValue(field gjson.Result) string {
	limit := field.Get("constraints")
	if initial := field.Get("initial"); initial.Exists() {
		return initial.Raw
	}
	switch field.Get("kind").String() {
	case "boolean":
		return "true"
	case "number", "integer":
		for _, name := range []string{"minimum", "maximum", "multipleOf"} {
			if v := limit.Get(name); v.Exists() {
				return v.Raw
			}
		}
		if v := limit.Get("exclusiveMinimum"); v.Exists() {
			return fmt.Sprint(v.Int() + 1)
		}
		return "1"
	case "choice":
		return field.Get("choices.0.value").Raw
	case "choices":
		list := each.Of(field.Get("choices").Array(), func(c gjson.Result) string { return c.Get("value").Raw })
		return "[" + strings.Join(list[:min(len(list), max(1, int(limit.Get("minItems").Int())))], ",") + "]"
	}
	text := map[string]string{"email": "somebody@example.com", "uri": "https://example.com/", "date": "2026-01-31",
		"date-time": "2026-01-31T12:00:00Z"}[limit.Get("format").String()]
	if text == "" {
		text = "text"
		for int64(len(text)) < limit.Get("minLength").Int() {
			text += " text"
		}
		if most := limit.Get("maxLength"); most.Exists() {
			text = text[:min(int64(len(text)), most.Int())]
		}
	}
	return cli.Quoted(text)
}

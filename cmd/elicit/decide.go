package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// decide is what `elicit decide` was told.
type decide struct {
	layers       layers
	server, tool string
	annotations  string // JSON of what the server says of the tool, "" for nothing
	why, json    bool
}

func newDecideCommand() *cobra.Command {
	var d decide
	cmd := &cobra.Command{
		Use:   "decide REQUEST",
		Short: "Say what policy would do with a request, and why",
		Long: `Decide what would happen to a request, without asking anybody.

REQUEST is a JSON file, or - for standard input: the params of an
elicitation/create (or the whole message), or the facts a policy looks at.
Prints accept, review, ask, cancel or decline. With --why, a line a reason
follows; > marks the one that decided.
Exit codes: 0 decided, 1 failure, 2 the policy or the request has problems.`,
		Example: `  elicit decide --policy policy.json request.json --why
  elicit decide --managed admin.json --project .elicit.json --server demo request.json
  echo '{"kind":"url","mode":"url","host":"evil.example"}' | elicit decide --policy policy.json -`,
		Args: between(1, 1, "give one request, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0]) },
	}
	d.layers.addFlags(cmd)
	cmd.Flags().StringVar(&d.server, "server", "", "`name` of the server that asks")
	cmd.Flags().StringVar(&d.tool, "tool", "", "`name` of the tool that is running")
	cmd.Flags().StringVar(&d.annotations, "annotations", "", "what the server says of the tool, as `JSON`: {\"read_only\":true}")
	cmd.Flags().BoolVar(&d.why, "why", false, "print the reasons")
	cmd.Flags().BoolVar(&d.json, "json", false, "print JSON with outcome, reasons and problems")
	return cmd
}

func (d *decide) run(cmd *cobra.Command, name string) error {
	doc, err := readDocument(cmd, name)
	if err != nil {
		return err
	}
	if d.annotations != "" && !gjson.Valid(d.annotations) {
		return errors.New("--annotations is no JSON; give an object such as {\"read_only\":true}")
	}
	right, err := d.layers.read(cmd, openAnyPolicy(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	request, err := d.request(cmd, doc)
	if err != nil {
		return err
	}
	in := append([]byte(`{"policy":`), d.layers.AppendJSON(nil)...)
	in = append(append(append(in, ','), request...), '}')
	answer := abi.Eval("decide", in, nil)
	out := gjson.ParseBytes(answer)
	if !out.Get("outcome").Exists() {
		doc.complain(cmd.ErrOrStderr(), unrooted(problemsOf(out.Get("problems"))))
		return invalid
	}
	if d.json {
		fmt.Fprintf(jsonTo(cmd), "%s\n", answer)
	} else {
		d.print(cmd.OutOrStdout(), out, gjson.ParseBytes(in).Get("findings"))
	}
	if !right {
		return ending{exitInvalid, errors.New("the policy has problems; what could not be read fails closed")}
	}
	return nil
}

func (d *decide) print(w io.Writer, out, findings gjson.Result) {
	fmt.Fprintln(w, out.Get("outcome").String())
	if !d.why {
		return
	}
	by := int(out.Get("by").Int())
	for i, r := range reasonsOf(out.Get("reasons")) {
		mark := " "
		if i == by {
			mark = ">"
		}
		fmt.Fprintf(w, "%s %s\n", mark, ui.Plain(english.Reason(r)))
	}
	for _, f := range findingsOf(findings) {
		fmt.Fprintf(w, "! %s: %s\n", f.Severity, ui.Plain(english.Finding(f)))
	}
}

// request is the members facts and findings of the question to the engine.
func (d *decide) request(cmd *cobra.Command, doc document) ([]byte, error) {
	if answer := abi.Eval("parse", append(append([]byte(`{"document_text":`), elicit.Str("", string(doc.text)).Raw...), '}'), nil); !gjson.GetBytes(answer, "ok").Bool() {
		doc.complain(cmd.ErrOrStderr(), problemsOf(gjson.GetBytes(answer, "problems")))
		return nil, invalid
	}
	root := gjson.ParseBytes(doc.text)
	if params := root.Get("params"); params.IsObject() {
		root = params
	}
	switch {
	case !root.IsObject():
		return nil, ending{exitInvalid, fmt.Errorf("%s must hold a JSON object", doc.name)}
	case root.Get("facts").Exists():
		request := `"facts":` + root.Get("facts").Raw
		if findings := root.Get("findings"); findings.Exists() {
			request += `,"findings":` + findings.Raw
		}
		return []byte(request), nil
	case root.Get("requestedSchema").Exists() || root.Get("url").Exists():
		return d.params(cmd, document{doc.name, doc.text}, root)
	}
	return []byte(`"facts":` + root.Raw), nil
}

// params derives the facts of an elicitation/create as the engine does.
func (d *decide) params(cmd *cobra.Command, doc document, params gjson.Result) ([]byte, error) {
	subject := risk.Subject{Server: d.server, Mode: elicit.Form, Message: params.Get("message").String()}
	facts := []elicit.Arg{elicit.Str("server", d.server), elicit.Str("tool", d.tool), elicit.Str("side", string(elicit.Answering)),
		elicit.Str("message", subject.Message)}
	if d.annotations != "" {
		facts = append(facts, elicit.Raw("annotations", d.annotations))
	}
	if raw := params.Get("requestedSchema"); raw.Exists() {
		form, problems := schema.Compile([]byte(raw.Raw), schema.Options{})
		if problems != nil {
			document{doc.name + ": requestedSchema", []byte(raw.Raw)}.complain(cmd.ErrOrStderr(), problems)
			return nil, invalid
		}
		var fields []byte
		fields, subject.Fields = formFacts(form)
		fillable := len(form.Check(form.Fill(nil, nil))) == 0
		facts = append(facts, elicit.Str("kind", string(form.Kind())), elicit.Raw("fields", string(fields)), elicit.Bool("fillable", fillable))
	} else {
		subject.Mode, subject.URL = elicit.URL, params.Get("url").String()
		facts = append(facts, elicit.Str("kind", string(elicit.KindURL)))
		if u, ok := risk.ParseURL(subject.URL); ok {
			facts = append(facts, elicit.Str("host", u.Host), elicit.Str("scheme", u.Scheme))
		}
	}
	if mode := params.Get("mode"); mode.Exists() {
		subject.Mode = elicit.Mode(mode.String())
	}
	facts = append(facts, elicit.Str("mode", string(subject.Mode)))
	return append(appendObject([]byte(`"facts":`), facts), findingsMember(&subject)...), nil
}

func findingsMember(s *risk.Subject) []byte {
	return elicit.AppendList([]byte(`,"findings":`), risk.Inspect(s))
}

// formFacts is what policy and inspection look at of a form's fields.
func formFacts(form *schema.Form) (facts []byte, fields []risk.Field) {
	facts = append(facts, '[')
	for i := range form.Fields {
		f := &form.Fields[i]
		if i > 0 {
			facts = append(facts, ',')
		}
		facts = appendObject(facts, []elicit.Arg{elicit.Str("name", f.Name), elicit.Bool("sensitive", f.Sensitive)})
		closed := f.Kind == schema.Boolean || f.Choices != nil
		fields = append(fields, risk.Field{Name: f.Name, Title: f.Label, Description: f.Help, Closed: closed})
	}
	return append(facts, ']'), fields
}

// appendObject appends a JSON object; a later member of the same name would be a mistake of the caller.
func appendObject(dst []byte, members []elicit.Arg) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, elicit.Str("", m.Name).Raw+":"+m.Raw...)
	}
	return append(dst, '}')
}

// unrooted drops the place inside the question to the engine, which the person never wrote.
func unrooted(problems []elicit.Problem) []elicit.Problem {
	for i := range problems {
		if p := &problems[i]; len(p.Pointer) >= len("/facts") && p.Pointer[:len("/facts")] == "/facts" {
			p.Pointer = p.Pointer[len("/facts"):]
		}
	}
	return problems
}

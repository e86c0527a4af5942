package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	front "github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// decide holds the flags of `elicit decide`.
type decide struct {
	layers       rules.Layers
	server, tool string
	annotations  elicit.Annotations // what the server says about the tool
	said         string             // --annotations, the JSON of annotations; "" when not given
	why, json    bool
}

// NewDecide makes `elicit decide`.
func NewDecide() *cobra.Command {
	var d decide
	cmd := cli.Verb("decide", cli.Args(1, 1, "give one request, or - for standard input"),
		func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0]) })
	d.layers.AddFlags(cmd)
	cmd.Flags().StringVar(&d.server, "server", "", "`name` of the server that asks")
	cmd.Flags().StringVar(&d.tool, "tool", "", "`name` of the tool that asks")
	cmd.Flags().StringVar(&d.said, "annotations", "",
		"what the server says about the tool, as `JSON` such as {\"read_only\":true}")
	cmd.Flags().BoolVar(&d.why, "why", false, "print the reasons")
	cmd.Flags().BoolVar(&d.json, "json", false, "print JSON with outcome, reasons and problems")
	return cmd
}

func (d *decide) run(cmd *cobra.Command, name string) error {
	doc, err := cli.ReadDocument(cmd, name)
	if err != nil {
		return err
	}
	if d.said != "" {
		var bad *elicit.Problem
		if d.annotations, bad = annotationsOf(d.said); bad != nil {
			return fmt.Errorf("--annotations%s: %s; give an object such as {\"read_only\":true}",
				bad.Pointer, english.Problem(*bad))
		}
	}
	d.layers.UseDefaultPlaces()
	right, err := d.layers.Read(cmd, rules.OpenAnyPolicy(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	d.layers.SayMachine(cmd.ErrOrStderr())
	request, err := d.request(cmd, doc)
	if err != nil {
		return err
	}
	in, err := policyQuestion(d.layers.Policies(), request)
	if err != nil {
		return err
	}
	answer := abi.Eval("decide", in, nil)
	out := gjson.ParseBytes(answer)
	if !out.Get("outcome").Exists() {
		return doc.Refuse(cmd, withoutFactsPrefix(ui.Problems(out.Get("problems"))))
	}
	if d.json {
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", answer)
	} else {
		d.print(cmd.OutOrStdout(), cmd.ErrOrStderr(), out, gjson.ParseBytes(in).Get("findings"))
	}
	if !right {
		return cli.Exit(cli.Invalid, errors.New("the policy has the problems above; "+
			"this decision treats each part that could not be read as the strictest"))
	}
	return nil
}

func (d *decide) print(w, notes io.Writer, out, findings gjson.Result) {
	fmt.Fprintln(w, out.Get("outcome").String())
	by := int(out.Get("by").Int())
	reasons := cli.ReasonsOf(out.Get("reasons"))
	if !d.why {
		// The outcome alone is on stdout, because scripts compare it.
		fmt.Fprintf(notes, "because %s; --why lists every reason\n", ui.Plain(english.Reason(reasons[by])))
		return
	}
	printReasons(w, "", reasons, by)
	for _, f := range cli.FindingsOf(findings) {
		fmt.Fprintf(w, "! %s: %s\n", f.Severity, ui.Plain(english.Finding(f)))
	}
}

// printReasons prints a line for each reason, with a mark before the one that decided.
func printReasons(w io.Writer, indent string, reasons []elicit.Reason, by int) {
	for i, r := range reasons {
		fmt.Fprintf(w, "%s%s %s\n", indent, map[bool]string{true: ">", false: " "}[i == by], cli.Cell(english.Reason(r)))
	}
}

// request returns the members "facts" and perhaps "findings" of the input for the engine's operation "decide".
func (d *decide) request(cmd *cobra.Command, doc cli.Document) ([]byte, error) {
	if err := doc.Refuse(cmd, doc.Problems()); err != nil {
		return nil, err
	}
	root := gjson.ParseBytes(doc.Text)
	if params := root.Get("params"); params.IsObject() {
		root = params
	}
	switch {
	case !root.IsObject():
		return nil, cli.Exit(cli.Invalid, fmt.Errorf("%s must hold a JSON object", doc.Name))
	case root.Get("facts").Exists():
		request := `"facts":` + root.Get("facts").Raw
		if findings := root.Get("findings"); findings.Exists() {
			request += `,"findings":` + findings.Raw
		}
		return []byte(request), nil
	case root.Get("requestedSchema").Exists() || root.Get("url").Exists():
		return d.params(cmd, doc, root)
	}
	return []byte(`"facts":` + root.Raw), nil
}

// params reads the params of an elicitation/create in the newest protocol, and lets the engine derive its facts.
func (d *decide) params(cmd *cobra.Command, doc cli.Document, params gjson.Result) ([]byte, error) {
	dialect, _ := mcp.Lookup("2026-07-28")
	request, _, refused := dialect.DecodeCreate([]byte(params.Raw), dialect.AllModes())
	if refused != nil {
		return nil, cli.Document{Name: doc.Name + ": params", Text: []byte(params.Raw)}.Refuse(cmd, refused.Problems)
	}
	request.Server, request.Tool, request.Annotations, request.Side = d.server, d.tool, d.annotations, elicit.Answering
	facts, findings, problems := engine.Consider(request, schema.Options{}, engine.Known{})
	if problems != nil {
		return nil, cli.Document{Name: doc.Name + ": requestedSchema", Text: request.Schema}.Refuse(cmd, problems)
	}
	members := facts.AppendJSON([]byte(`"facts":`))
	return elicit.AppendList(append(members, `,"findings":`...), findings), nil
}

// annotationsOf reads what a server says about a tool. The pointer of the problem is relative to text.
func annotationsOf(text string) (elicit.Annotations, *elicit.Problem) {
	facts, bad := policy.ReadFacts([]byte(`{"annotations":` + text + `}`))
	if bad != nil {
		bad.Pointer = strings.TrimPrefix(bad.Pointer, "/annotations")
	}
	return facts.Annotations, bad
}

// withoutFactsPrefix removes "/facts" from the pointers of problems, because the person's document has no such member.
func withoutFactsPrefix(problems []elicit.Problem) []elicit.Problem {
	for i := range problems {
		problems[i].Pointer = strings.TrimPrefix(problems[i].Pointer, "/facts")
	}
	return problems
}

// policies are the texts of policy files, by layer.
type policies = front.Policies

// policyQuestion makes the input of the engine's operation "decide": the policies, and the members in asked, which are
// "facts" and perhaps "findings" without the braces around them.
func policyQuestion(policies policies, asked []byte) ([]byte, error) {
	doc, err := json.Marshal(policies)
	if err != nil {
		return nil, err
	}
	in := append([]byte(`{"policy":`), doc...)
	return append(append(append(in, ','), asked...), '}'), nil
}

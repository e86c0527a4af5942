package guardian

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianRun holds the flags of `elicit guardian run`.
type guardianRun struct {
	under    guestFlags
	settings bool
	json     bool
}

func newGuardianRunCommand() *cobra.Command {
	var r guardianRun
	cmd := cli.Verb("run", cli.Args(2, 2, "give one module and one question"), r.run)
	cmd.ValidArgsFunction = moduleThen("json")
	r.under.addFuelFlags(cmd)
	cmd.Flags().BoolVar(&r.settings, "settings", false,
		"the file holds settings: give it to elicit_check_settings (this flag takes no value)")
	cmd.Flags().BoolVar(&r.json, "json", false, "print JSON: output or fault, fuel, pages, log, nanoseconds")
	return cmd
}

func (r *guardianRun) run(cmd *cobra.Command, args []string) error {
	guests, err := openGuest(cmd, args[0], r.under)
	if err != nil {
		return err
	}
	defer guests.Close()
	doc, err := cli.ReadDocument(cmd, args[1])
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Compact(&text, doc.Text); err != nil {
		return cli.Exit(cli.Invalid, fmt.Errorf("%s is not JSON: %w", doc.Name, err))
	}
	question := text.Bytes()
	if inner := gjson.GetBytes(question, "question"); inner.IsObject() {
		question = []byte(inner.Raw)
	}
	if !r.settings {
		put := guests.narrow(question)
		if warning := put.warning(); warning != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "elicit: %s\n", cli.OneLine(warning))
		}
		question = put.text
		if guests.permit.Settings == nil {
			settings, own := []byte("{}"), gjson.GetBytes(question, "settings")
			if own.Exists() {
				settings = []byte(own.Raw)
			}
			if err := guests.checkSettings(cmd, doc.Name, "/settings", settings); err != nil {
				return err
			}
		}
	}
	result := guests.evaluate(question, r.settings)
	if r.json {
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", resultJSON(result))
	} else {
		printEvaluation(cmd.ErrOrStderr(), result, guests.budgetOf(r.settings))
		if result.Fault == "" {
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", ui.Plain(string(result.Output)))
		}
	}
	if codes := undeclaredCodes(guests.module, result.Output); codes != nil && !r.settings {
		fmt.Fprintf(cmd.ErrOrStderr(), "elicit: %s\n", cli.OneLine(undeclaredCodesWarning(codes)))
	}
	if result.Fault != "" {
		return cli.Exit(cli.Failed, fmt.Errorf("no verdict: %s", rules.FaultWords(result)))
	}
	if p := outputProblem(question, result.Output, r.settings); p != nil {
		return cli.Exit(cli.Invalid, fmt.Errorf("the output is not a valid verdict, which counts as a fault: %s: %s",
			ui.Plain(p.Pointer), ui.Plain(english.Problem(*p))))
	}
	return nil
}

// printEvaluation writes the log and the cost of an evaluation.
func printEvaluation(w io.Writer, r host.Result, budget int64) {
	for _, line := range r.Log {
		fmt.Fprintf(w, "%s: %s\n", line.Level, cli.OneLine(line.Text))
	}
	fmt.Fprintf(w, "%d of %d fuel, %d pages, %.2f ms\n", r.Fuel, budget, r.Pages, float64(r.Nanoseconds)/1e6)
}

// outputProblem returns why an output is not a verdict, or with settings not an answer of elicit_check_settings. It is
// nil for a valid output.
func outputProblem(question, output []byte, settings bool) *elicit.Problem {
	if settings {
		_, p := guardian.ReadSettingsAnswer(output)
		return p
	}
	_, p := guardian.ReadVerdict(output, guardian.Phase(gjson.GetBytes(question, "phase").String()))
	return p
}

// resultJSON returns {"fuel","pages","nanoseconds","output" or "fault" and "detail","log"}.
func resultJSON(r host.Result) []byte {
	members := []elicit.Arg{elicit.Num("fuel", int(r.Fuel)), elicit.Num("pages", r.Pages),
		elicit.Num("nanoseconds", int(r.Nanoseconds))}
	if r.Fault != "" {
		members = append(members, elicit.Str("fault", string(r.Fault)), elicit.Str("detail", r.Detail))
	} else {
		members = append(members, elicit.Str("output", string(r.Output)))
	}
	return cli.AppendObject(nil, append(members, elicit.Raw("log", cli.Objects(r.Log, func(l host.Line) []elicit.Arg {
		return []elicit.Arg{elicit.Str("level", fmt.Sprint(l.Level)), elicit.Str("text", l.Text)}
	}))))
}

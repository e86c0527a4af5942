package guardian

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/guests"
	"github.com/elicit-engine/elicit/plugins/host"
)

func newGuardianRulesCommand() *cobra.Command {
	return cli.Family("rules", newGuardianRulesTestCommand())
}

func newGuardianRulesTestCommand() *cobra.Command {
	cmd := cli.Verb("test", cli.Args(1, 1, "give one file of rules"), func(cmd *cobra.Command, args []string) error {
		doc, err := cli.ReadDocument(cmd, args[0])
		if err != nil {
			return err
		}
		return testRules(cmd, doc)
	})
	cmd.ValidArgsFunction = cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt)
	return cmd
}

// ruleSettings are settings of cel inside a document.
type ruleSettings struct {
	text []byte
	at   string // what a pointer of a problem begins with in the document
	skip string // what it begins with in the settings and not in the document
}

func testRules(cmd *cobra.Command, doc cli.Document) error {
	list, err := rulesIn(cmd, doc)
	if err != nil {
		return err
	}
	h := host.New(rules.GuestOptions())
	defer h.Close()
	m, _ := h.Load(guests.Module("cel"), guest.Options{}) // cannot fail: a test loads it
	count, wrong := 0, 0
	for _, s := range list {
		r := h.CheckSettings(host.Evaluation{Digest: m.Digest, Question: s.text, Fuel: guest.MaxFuel})
		problems, bad := guardian.ReadSettingsAnswer(r.Output)
		if r.Fault != "" || bad != nil {
			return cli.Exit(cli.Failed, fmt.Errorf("the rules cannot be checked: %s", rules.FaultWords(r)))
		}
		for i, p := range problems {
			problems[i].Pointer = s.at + p.Pointer[min(len(s.skip), len(p.Pointer)):]
			problems[i].Args = append(p.Args, elicit.Str("guardian", m.Manifest.Name))
		}
		doc.PrintProblems(cmd.ErrOrStderr(), problems)
		wrong += len(problems)
		count += len(gjson.GetBytes(s.text, "rules").Array())
	}
	if wrong > 0 {
		return cli.ErrInvalid
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d rules can be evaluated.\n", count)
	return nil
}

// rulesIn finds the settings of cel in a document.
func rulesIn(cmd *cobra.Command, doc cli.Document) (list []ruleSettings, err error) {
	if err := doc.Refuse(cmd, doc.Problems()); err != nil {
		return nil, err
	}
	root := gjson.ParseBytes(doc.Text)
	isRule := func(v gjson.Result) bool { return v.Get("when").Exists() || v.Get("code").Exists() }
	if root.IsArray() && slices.ContainsFunc(root.Array(), isRule) {
		return []ruleSettings{{text: []byte(`{"rules":` + root.Raw + `}`), skip: "/rules"}}, nil
	}
	if root.Get("rules").Exists() {
		return []ruleSettings{{text: doc.Text}}, nil
	}
	entries, err := rules.PermitsIn(cmd, doc)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if settings := e.Get("settings"); settings.Get("rules").Exists() {
			list = append(list, ruleSettings{text: []byte(settings.Raw), at: e.At + "/settings"})
		}
	}
	if len(list) == 0 {
		return nil, cli.Exit(cli.Invalid, errors.New(doc.Name+" holds no rules of the guardian cel; "+
			"give a list of rules, its settings, or a file of permits with \"rules\" in its settings"))
	}
	return list, nil
}

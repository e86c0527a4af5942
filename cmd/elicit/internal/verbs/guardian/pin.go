package guardian

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianPin holds the flags of `elicit guardian pin`.
type guardianPin struct {
	output, settings, data string
	reads                  []string
	engine                 bool
}

func newGuardianPinCommand() *cobra.Command {
	var p guardianPin
	cmd := cli.Verb("pin", cli.Args(1, 1, "give one module"), p.run)
	cmd.ValidArgsFunction = moduleThen("json")
	f := cmd.Flags()
	f.StringVarP(&p.output, "output", "o", "", "write the permit to this `file`, which must not exist yet")
	f.StringArrayVar(&p.reads, "reads", nil, "permit only this `pointer`; may be repeated")
	f.StringVar(&p.settings, "settings", "", "settings of the guardian: a `file`, or the JSON object itself")
	rules.AddDataFlag(cmd, &p.data, "the guardian's data document: a `file`, pinned by its digest")
	f.BoolVar(&p.engine, "engine", false, "print the permit for an engine's configuration, without the module's path")
	_ = cmd.MarkFlagFilename("output", "json")
	_ = cmd.MarkFlagFilename("settings", "json")
	return cmd
}

func (p *guardianPin) run(cmd *cobra.Command, args []string) error {
	doc, m, err := readGuest(cmd, args[0])
	if err != nil {
		return err
	}
	members := []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("module", p.path(args[0])),
		elicit.Str("digest", m.Digest)}
	if p.engine {
		members = append(members[:1], elicit.Str("digest", m.Digest), elicit.Raw("declared", string(rules.Declaration(m))))
	}
	reads := gjson.GetBytes(rules.DefaultPermit(m), "reads").Raw
	if p.reads != nil {
		reads = cli.JSONStrings(p.reads)
	}
	members = append(members, elicit.Raw("reads", reads))
	if p.settings != "" {
		settings, err := cli.ReadJSON(cmd, p.settings)
		if err != nil {
			return err
		}
		var line bytes.Buffer
		_ = json.Compact(&line, settings.Text) // cannot fail: problems has read it
		members = append(members, elicit.Raw("settings", line.String()))
	}
	data := cli.Document{}
	if p.data != "" {
		var digest string
		if data, digest, err = rules.ReadData(cmd, p.data, ""); err != nil {
			return err
		}
		if !p.engine {
			members = append(members, elicit.Str("data", p.path(p.data)))
		}
		members = append(members, elicit.Str("data_digest", digest))
	}
	if m.WASI {
		members = append(members, elicit.Raw("wasi", "true"), elicit.Num("fuel", rules.WasiFuel))
	}
	if err := p.check(cmd, doc, data, m, members); err != nil {
		return err
	}
	text := append(cli.EscapeInvisible(cli.AppendObject(nil, members)), '\n')
	if p.output == "" {
		_, err = cmd.OutOrStdout().Write(text)
		return err
	}
	return cli.WriteNew(p.output, text, 0o666)
}

// path returns the path of a file relative to the file of the permit.
func (p *guardianPin) path(file string) string {
	if p.output == "" || filepath.IsAbs(file) {
		return filepath.ToSlash(file)
	}
	from, err := filepath.Abs(filepath.Dir(p.output))
	to, worse := filepath.Abs(file)
	if err == nil && worse == nil {
		if near, err := filepath.Rel(from, to); err == nil {
			return filepath.ToSlash(near)
		}
	}
	return filepath.ToSlash(file)
}

// check reads the permit and runs the module's check of the settings, as a session does before the first question.
func (p *guardianPin) check(cmd *cobra.Command, doc, data cli.Document, m *guest.Module, members []elicit.Arg) error {
	permit := rules.WithData(rules.WithModule(gjson.ParseBytes(cli.AppendObject(nil, members)), m), "")
	list := "[" + string(permit) + "]"
	permits, problems := guardian.ReadPermits(gjson.Parse(list))
	if len(problems) == 0 {
		guests := host.NewGuests(host.Options{})
		defer guests.Close()
		if _, wrong := guests.Add(doc.Text); wrong != nil {
			rules.PrintModuleProblems(cmd, doc.Name, wrong)
			return cli.ErrInvalid
		}
		if p.data != "" {
			guests.Keep(data.Text) // cannot fail: rules.ReadData has judged its size, and it is alone
		}
		problems = engine.CheckGuests([]byte(`{"guardians":`+list+`}`), guests)
	}
	if len(problems) > 0 {
		for i := range problems {
			problems[i].Pointer = strings.TrimPrefix(strings.TrimPrefix(problems[i].Pointer, "/guardians"), "/0")
		}
		return cli.Document{Name: "the permit", Text: permit}.Refuse(cmd, problems)
	}
	for _, note := range undeclaredReads(permits[0]) {
		fmt.Fprintf(cmd.ErrOrStderr(), "elicit: %s\n", cli.OneLine(note))
	}
	return nil
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/shelf"
)

// guardianPin is `elicit guardian pin`.
type guardianPin struct {
	output, settings string
	reads            []string
	engine           bool
}

func newGuardianPinCommand() *cobra.Command {
	var p guardianPin
	cmd := &cobra.Command{
		Use:   "pin MODULE.wasm",
		Short: "Print a grant for a module, as --guardian takes it",
		Long: `Print a grant that pins this very module by its digest. --guardian takes it as a file:
"module" is the path of the module from where the file is. For an engine's own
configuration, whose "guardians" is a list of grants, --engine prints what the module
declares in place of the path.

It grants all that the module declares, except secrets: a password that was typed is
shown only to a guardian whose grant names its field, as in "/answer/password".
--reads grants only these pointers instead. --settings are put to the module first.
Exit codes: 0 printed, 2 the module cannot be used, or not with these settings or reads.`,
		Example: `  elicit guardian pin links.wasm --output links.json
  elicit guardian pin links.wasm --reads /request/url --settings '{"allow":["example.com"]}'`,
		Args:              between(1, 1, "give one module"),
		ValidArgsFunction: moduleThenJSON,
		RunE:              p.run,
	}
	f := cmd.Flags()
	f.StringVarP(&p.output, "output", "o", "", "write the grant to this `file`, which must not be there yet")
	f.StringArrayVar(&p.reads, "reads", nil, "grant only this `pointer`; may be repeated")
	f.StringVar(&p.settings, "settings", "", "settings of the guardian: a `file`, or the JSON itself")
	f.BoolVar(&p.engine, "engine", false, "print the grant for an engine's configuration, without the path of the module")
	_ = cmd.MarkFlagFilename("output", "json")
	_ = cmd.MarkFlagFilename("settings", "json")
	return cmd
}

func (p *guardianPin) run(cmd *cobra.Command, args []string) error {
	doc, m, err := readGuest(cmd, args[0])
	if err != nil {
		return err
	}
	members := []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("module", p.path(args[0])), elicit.Str("digest", m.Digest)}
	if p.engine {
		members = append(members[:1], elicit.Str("digest", m.Digest), elicit.Raw("declared", string(declaration(m))))
	}
	reads := gjson.GetBytes(suggested(m), "reads").Raw
	if p.reads != nil {
		text, _ := json.Marshal(p.reads) // texts
		reads = string(text)
	}
	members = append(members, elicit.Raw("reads", reads))
	if p.settings != "" {
		settings, err := readDocument(cmd, p.settings)
		if err != nil {
			return err
		}
		if problems := settings.problems(); len(problems) > 0 {
			settings.complain(cmd.ErrOrStderr(), problems)
			return invalid
		}
		var line bytes.Buffer
		_ = json.Compact(&line, settings.text) // it has just been read
		members = append(members, elicit.Raw("settings", line.String()))
	}
	if m.WASI {
		members = append(members, elicit.Raw("wasi", "true"), elicit.Num("fuel", runtimeFuel))
	}
	if err := p.check(cmd, doc, m, members); err != nil {
		return err
	}
	text := append(escaped(appendObject(nil, members)), '\n')
	if p.output == "" {
		_, err = cmd.OutOrStdout().Write(text)
		return err
	}
	return writeNew(p.output, text, 0o666)
}

// path is where the module is, seen from where the grant is.
func (p *guardianPin) path(module string) string {
	if p.output == "" || filepath.IsAbs(module) {
		return filepath.ToSlash(module)
	}
	from, err := filepath.Abs(filepath.Dir(p.output))
	to, worse := filepath.Abs(module)
	if err == nil && worse == nil {
		if near, err := filepath.Rel(from, to); err == nil {
			return filepath.ToSlash(near)
		}
	}
	return filepath.ToSlash(module)
}

// check holds the grant to the module, as a session does before anybody is asked.
func (p *guardianPin) check(cmd *cobra.Command, doc document, m *guest.Module, members []elicit.Arg) error {
	grant := resolved(gjson.ParseBytes(appendObject(nil, members)), m)
	list := "[" + string(grant) + "]"
	grants, problems := guardian.ReadGrants(gjson.Parse(list))
	if len(problems) == 0 {
		guests := shelf.New(host.Options{})
		defer guests.Close()
		if _, wrong := guests.Add(doc.text); wrong != nil {
			complainOf(cmd, doc.name, wrong)
			return invalid
		}
		problems = engine.Unfit([]byte(`{"guardians":`+list+`}`), guests)
	}
	if len(problems) > 0 {
		for i := range problems {
			problems[i].Pointer = strings.TrimPrefix(strings.TrimPrefix(problems[i].Pointer, "/guardians"), "/0")
		}
		document{name: "the grant", text: grant}.complain(cmd.ErrOrStderr(), problems)
		return invalid
	}
	for _, note := range undeclared(grants[0]) {
		fmt.Fprintf(cmd.ErrOrStderr(), "elicit: %s\n", oneLine(note))
	}
	return nil
}

// undeclared notes what a grant allows to no effect, because the module does not declare it.
func undeclared(g guardian.Grant) (notes []string) {
	for _, p := range g.Reads {
		if !slices.ContainsFunc(g.Declared.Reads, func(d guardian.Pattern) bool { return alike(d, p) }) {
			notes = append(notes, fmt.Sprintf("%s is granted to no effect: %s does not declare it", p, g.Name))
		}
	}
	return notes
}

// alike reports whether two patterns can name the same place, or one a place below the other's.
func alike(p, q guardian.Pattern) bool {
	a, b := strings.Split(p.String(), "/"), strings.Split(q.String(), "/")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != "*" && b[i] != "*" {
			return false
		}
	}
	return true
}

// writeNew writes a file that is not there yet.
func writeNew(path string, text []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if os.IsExist(err) {
		return fmt.Errorf("%s is there already; give another name, or remove it", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// suggested is the grant of a module for which nobody has said more, as an engine is configured with it.
func suggested(m *guest.Module) []byte {
	var reads guardian.Reads
	for _, p := range m.Manifest.Reads {
		reads = append(reads, openly(p))
	}
	members := []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest),
		elicit.Raw("declared", string(declaration(m))), elicit.Raw("reads", string(reads.AppendJSON(nil)))}
	if m.WASI {
		members = append(members, elicit.Raw("wasi", "true"), elicit.Num("fuel", runtimeFuel))
	}
	return appendObject(nil, members)
}

// runtimeFuel is a budget for guests that bring a language's runtime along: Go's spends over a million before the guardian
// begins.
const runtimeFuel = 20_000_000

// openly is a pattern without the force to uncover a secret, which takes the exact name of an answer's field: what it
// shows of other fields the declaration takes away again.
func openly(p guardian.Pattern) guardian.Pattern {
	tokens := strings.SplitN(p.String(), "/", 4)
	if len(tokens) < 3 || tokens[1] != "answer" {
		return p
	}
	tokens[2] = "*"
	wide, _ := guardian.ParsePattern(strings.Join(tokens, "/"))
	return wide
}

// declaration is {"phases","reads"} as a grant repeats them.
func declaration(m *guest.Module) []byte {
	var phases []string
	for _, p := range m.Manifest.Phases {
		phases = append(phases, quoted(string(p)))
	}
	members := []elicit.Arg{elicit.Raw("phases", "["+strings.Join(phases, ",")+"]"), elicit.Raw("reads", string(m.Manifest.Reads.AppendJSON(nil)))}
	if len(m.Manifest.Codes) > 0 {
		members = append(members, elicit.Raw("codes", texts(m.Manifest.Codes)))
	}
	return appendObject(nil, members)
}

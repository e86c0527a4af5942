package guardian

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/guests"
)

// guardianAdd holds the flags of `elicit guardian add`.
type guardianAdd struct {
	dir, settings, data string
	update              bool
}

func newGuardianAddCommand() *cobra.Command {
	var a guardianAdd
	cmd := cli.Verb("add", cli.Args(0, 1, "give one name, or none to list them"), a.run)
	cmd.ValidArgsFunction = cobra.FixedCompletions(guests.Names(), cobra.ShellCompDirectiveNoFileComp)
	f := cmd.Flags()
	f.StringVar(&a.dir, "directory", "", "`directory` to put it into, in place of that of your guardians")
	f.StringVar(&a.settings, "settings", "", "settings of the guardian: a `file`, or the JSON object itself")
	f.StringVar(&a.data, "data", "", "the guardian's data document: a `file`, pinned by its digest")
	f.BoolVar(&a.update, "update", false, "replace a module that an earlier version added, and keep the permit's settings")
	_ = cmd.MarkFlagDirname("directory")
	_ = cmd.MarkFlagFilename("settings", "json")
	_ = cmd.MarkFlagFilename("data")
	cmd.MarkFlagsMutuallyExclusive("update", "settings")
	cmd.MarkFlagsMutuallyExclusive("update", "data")
	return cmd
}

func (a *guardianAdd) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		for _, name := range guests.Names() {
			m, _ := guest.Read(guests.Module(name), guest.Options{}) // cannot fail: a test reads each
			fmt.Fprintf(cmd.OutOrStdout(), "%-12s %s\n", name, ui.Plain(m.Manifest.Summary))
		}
		return nil
	}
	name := args[0]
	module := guests.Module(name)
	if module == nil {
		return fmt.Errorf("no ready-made guardian is called %s%s; give one of %s", cli.Quoted(name),
			cli.DidYouMean(name, guests.Names()), strings.Join(guests.Names(), ", "))
	}
	dir, err := guardiansDirectory(a.dir)
	if err != nil {
		return err
	}
	file, permit := filepath.Join(dir, name+".wasm"), filepath.Join(dir, name+".json")
	if a.update {
		if err = cli.Rewrite(file, module); err == nil {
			err = replace(permit, elicit.Str("digest", guardian.Digest(module)))
		}
	} else {
		err = a.write(cmd, name, module, file, permit)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is in %s.\n", name, ui.Plain(dir))
	if a.dir == "" {
		fmt.Fprintln(cmd.OutOrStdout(), "Proxies, hooks and questions of `elicit ask` that begin from now on use it.")
	}
	if name == "cel" {
		fmt.Fprintf(cmd.OutOrStdout(), "Its rules are in %s. Edit them, then run `elicit guardian rules test`.\n",
			ui.Plain(permit))
	}
	return nil
}

// guardiansDirectory makes the directory of guardians, which only this user can enter, or another one that was given.
func guardiansDirectory(given string) (string, error) {
	if given != "" {
		return given, os.MkdirAll(given, 0o777)
	}
	dir, err := places.Guardians()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(dir), 0o700)
	}
	if err == nil {
		err = trustedfile.MakePrivate(dir)
	}
	if errors.Is(err, trustedfile.ErrNoOwners) { // it is made, and the directory of the person protects it
		err = nil
	}
	return dir, err
}

// write writes both files, or none.
func (a *guardianAdd) write(cmd *cobra.Command, name string, module []byte, file, permit string) error {
	if m, _ := guest.Read(module, guest.Options{}); m.Manifest.Data != "" && a.data == "" {
		return fmt.Errorf("%s needs a data document; give it with --data: %s", name, cli.OneLine(m.Manifest.Data))
	}
	pin := guardianPin{output: permit, settings: a.settings, data: a.data}
	if a.settings == "" {
		pin.settings = guests.FirstSettings(name)
	}
	if at, err := filepath.Abs(a.data); a.data != "" && err == nil {
		pin.data = at // the person's own file, wherever the permit is
	}
	if _, err := os.Lstat(permit); err == nil {
		return fmt.Errorf("%s exists already; `elicit guardian add --update %s` replaces the module and keeps the settings",
			ui.Plain(permit), name)
	}
	if err := cli.WriteNew(file, module, 0o600); err != nil {
		return err
	}
	err := pin.run(cmd, []string{file})
	if err == nil {
		err = replace(permit, elicit.Str("module", filepath.Base(file))) // so that the directory can move
	}
	if err != nil {
		_ = os.Remove(file)
		_ = os.Remove(permit)
	}
	return err
}

// replace replaces a member of a permit.
func replace(permit string, member elicit.Arg) error {
	text, err := os.ReadFile(permit)
	if err != nil {
		return err
	}
	v := gjson.ParseBytes(text)
	if !gjson.ValidBytes(text) || !v.IsObject() {
		return fmt.Errorf("%s does not hold one permit; correct it, or remove it and add the guardian again",
			ui.Plain(permit))
	}
	return cli.Rewrite(permit, permitText(append(cli.MembersOf(v, member.Name), member)))
}

// permitText writes a permit for people, who edit it.
func permitText(members []elicit.Arg) []byte {
	var lines bytes.Buffer
	_ = json.Indent(&lines, cli.AppendObject(nil, members), "", "  ") // cannot fail
	return append(lines.Bytes(), '\n')
}

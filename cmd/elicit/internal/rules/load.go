package rules

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// willRead calls beforeRead for a file that is about to be read.
func (g *Guardians) willRead(path string) {
	if g.beforeRead != nil {
		g.beforeRead(path)
	}
}

// add reads one argument of --guardian. In a directory it reads every file of permits, and each module that has no file
// of permits with the same name.
func (g *Guardians) add(cmd *cobra.Command, path string) error {
	g.willRead(path)
	stat, err := os.Stat(path)
	if err != nil || !stat.IsDir() {
		return g.addFile(cmd, path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return cli.CannotRead(path, err)
	}
	stem := func(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) }
	permitted := func(file string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
			return hasExtension(e.Name(), ".json") && stem(e.Name()) == stem(file)
		})
	}
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		g.willRead(file)
		switch {
		case strings.HasPrefix(e.Name(), "."): // a file of the operating system or an editor
			continue
		case hasExtension(e.Name(), ".json"):
		case !hasExtension(e.Name(), ".wasm") && !isModule(file):
			fmt.Fprintf(cmd.ErrOrStderr(), "elicit: ignored %s, which is neither a module nor a file of permits\n",
				ui.Plain(file))
			continue
		case permitted(e.Name()):
			continue
		}
		if err := g.addFile(cmd, file); err != nil {
			return err
		}
	}
	return nil
}

// hasExtension compares the extension of a file's name, and ignores case: a guardian that an operator put into the
// directory as "LINKS.WASM" must not be skipped.
func hasExtension(name, suffix string) bool { return strings.EqualFold(filepath.Ext(name), suffix) }

// wasmMagic is the first four bytes of every module (WebAssembly core specification, section 5.5.16).
const wasmMagic = "\x00asm"

func isModule(path string) bool {
	f, err := trustedfile.OpenRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(wasmMagic))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == wasmMagic
}

func (g *Guardians) addFile(cmd *cobra.Command, path string) error {
	doc, err := cli.ReadRegular(cmd, path)
	if err != nil {
		return err
	}
	if strings.HasPrefix(string(doc.Text), wasmMagic) || hasExtension(path, ".wasm") {
		m, err := g.load(cmd, doc)
		if err != nil {
			return err
		}
		if m.WASI {
			// WASI gives a module more abilities and takes more fuel. Only a permit in a file shows that the operator
			// wants that.
			PrintModuleProblems(cmd, doc.Name, []elicit.Problem{{Code: "wasi_not_granted"}})
			return cli.Exit(cli.Invalid, fmt.Errorf("%s needs a permit in a file; "+
				"write one with `elicit guardian pin`, and give that file to --guardian", doc.Name))
		}
		g.List = append(g.List, PermitSource{doc, "", DefaultPermit(m)})
		return nil
	}
	return g.addPermits(cmd, doc)
}

// load checks a module and makes it ready to run.
func (g *Guardians) load(cmd *cobra.Command, doc cli.Document) (*guest.Module, error) {
	m, problems := g.Modules.Add(doc.Text)
	if len(problems) > 0 {
		PrintModuleProblems(cmd, doc.Name, problems)
		return nil, cli.Exit(cli.Invalid, fmt.Errorf("%s cannot be used as a guardian, for the reasons above; "+
			"give a module that `elicit guardian inspect` accepts", doc.Name))
	}
	return m, nil
}

// PrintModuleProblems prints one line for each problem of a module. A module is binary, so it has no lines or columns.
func PrintModuleProblems(cmd *cobra.Command, name string, problems []elicit.Problem) {
	for _, p := range problems {
		where := name
		if p.Pointer != "" {
			where += ": manifest " + ui.Plain(p.Pointer)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", where, ui.Plain(english.Problem(p)))
	}
}

// addPermits reads a file with one permit, a list of permits, or {"guardians":[…]}. A permit's member "module" is the
// path of its module, relative to the directory of the file. It replaces the members "digest" and "declared". "data" is
// the path of its data document.
func (g *Guardians) addPermits(cmd *cobra.Command, doc cli.Document) error {
	entries, err := PermitsIn(cmd, doc)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := g.addPermit(cmd, doc, e.Result, e.At); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guardians) addPermit(cmd *cobra.Command, doc cli.Document, v gjson.Result, at string) error {
	path := v.Get("module")
	if command := v.Get("command"); v.IsObject() && command.Exists() {
		return g.addProgram(doc, v, at)
	}
	if !v.IsObject() || !path.Exists() {
		g.List = append(g.List, PermitSource{doc, at, []byte(v.Raw)})
		return nil
	}
	file := ResolvePath(doc.Name, path.String())
	g.willRead(file)
	module, err := cli.ReadRegular(cmd, file)
	if err != nil {
		return err
	}
	m, err := g.load(cmd, module)
	if err != nil {
		return err
	}
	switch pinned := v.Get("digest"); {
	case !pinned.Exists() || pinned.String() == m.Digest:
	case strings.EqualFold(pinned.String(), m.Digest):
		return cli.Exit(cli.Invalid, fmt.Errorf("%s%s: the digest of %s has capital letters; write it in lower case: %s",
			doc.Name, at, file, m.Digest))

	default:
		return cli.Exit(cli.Invalid, fmt.Errorf("%s is not the module that %s%s pins; its digest is %s. "+
			"Restore the pinned module, or review this one and pin it with `elicit guardian pin`",
			file, doc.Name, at, m.Digest))
	}
	data, err := g.keepData(cmd, doc.Name, v)
	if err != nil {
		return err
	}
	g.List = append(g.List, PermitSource{doc, at, WithData(WithModule(v, m), data)})
	return nil
}

// addProgram adds a permit whose guardian is a program. Its member "command" is the command line, a list of words.
func (g *Guardians) addProgram(doc cli.Document, v gjson.Result, at string) error {
	var line []string
	for _, word := range v.Get("command").Array() {
		if word.Type == gjson.String {
			line = append(line, word.Str)
		}
	}
	command := v.Get("command")
	isList := command.IsArray() && len(line) > 0 && len(line) == len(command.Array())
	if !isList || v.Get("module").Exists() || v.Get("digest").Exists() {
		return cli.Exit(cli.Invalid, fmt.Errorf("%s%s: a guardian that is a program needs \"command\", "+
			"a list of one string or more, and neither \"module\" nor \"digest\"", doc.Name, at))
	}
	if g.Programs == nil {
		g.Programs = map[string][]string{}
	}
	g.Programs[v.Get("name").String()] = line
	g.List = append(g.List, PermitSource{doc, at, cli.WithoutMember(v, "command")})
	return nil
}

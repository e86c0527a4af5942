package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/shelf"
)

// guardians are those a command was told to hear, with the modules they run from.
type guardians struct {
	paths    []string
	second   string // program that finds a second person
	whose    whose
	shelf    *shelf.Shelf
	programs map[string][]string // command lines by the guardian's name
	seen     func(path string)   // is told of every file before it is read; nil for nobody
	list     []grantSource
}

// grantSource is one grant, and where in which file it stands, for messages about it.
type grantSource struct {
	doc   document
	at    string // pointer into doc
	grant []byte // JSON as an engine is configured with
}

func (g *guardians) addFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&g.paths, "guardian", nil, "guardian to hear: a module `FILE.wasm`, a file of grants, or a directory of both; may be repeated")
	cmd.Flags().StringVar(&g.second, "second-person", "", "`program` that finds another person to approve what a guardian wants approved twice")
	g.whose.addFlag(cmd)
}

// outside is what asks guardians that are programs.
func (g *guardians) outside(notes io.Writer) *program.Runner {
	r := &program.Runner{Guardians: g.programs, Principal: g.whose.principal, Notes: notes}
	if g.second != "" {
		r.Second = []string{g.second}
	}
	return r
}

// require reads modules and grants for a command that must not run without a guardian its operator meant.
func (g *guardians) require(cmd *cobra.Command) error {
	if err := g.whose.require(); err != nil {
		return err
	}
	if len(g.paths) == 0 {
		return nil
	}
	g.shelf = shelf.New(host.Options{})
	for _, path := range g.paths {
		if err := g.add(cmd, path); err != nil {
			return err
		}
	}
	if len(g.list) == 0 {
		return errors.New("--guardian names no guardian; give a module, a file of grants, or a directory that holds some")
	}
	if problems := g.check(); len(problems) > 0 {
		for _, p := range problems {
			at, rest := g.place(p.Pointer)
			p.Pointer = rest
			at.complain(cmd.ErrOrStderr(), []elicit.Problem{p})
		}
		return ending{exitInvalid, errors.New("a guardian has problems; nobody is asked before they are mended")}
	}
	return nil
}

// guests are the modules, nil when there are none.
func (g *guardians) guests() engine.Guests {
	if g.shelf == nil {
		return nil
	}
	return g.shelf
}

// listen writes what is heard of every evaluation, and what the guests log, to an error stream.
func (g *guardians) listen(notes io.Writer, verbose bool) {
	if g.shelf == nil || !verbose {
		return
	}
	g.shelf.Heard = func(c engine.Consult, r host.Result) {
		if c.Withheld() {
			fmt.Fprintf(notes, "elicit: guardian %s, %s: it was shown a secret, so its fuel, its time and its log are not shown\n", c.Guardian, c.Phase)
			return
		}
		said := gjson.GetBytes(r.Output, "decision").String()
		if r.Fault != "" {
			said = "no verdict, " + faultWords(r)
		} else if _, p := guardian.ReadVerdict(r.Output, c.Phase); p != nil {
			said = "no verdict, " + string(guardian.FaultBadVerdict)
			if !c.Withheld() {
				said += ": " + strings.TrimSpace(p.Pointer+" "+english.Problem(*p))
			}
		}
		fmt.Fprintf(notes, "elicit: guardian %s, %s: %s; %d fuel, %.2f ms\n", c.Guardian, c.Phase, oneLine(said), r.Fuel, float64(r.Nanoseconds)/1e6)
		for _, line := range r.Log {
			fmt.Fprintf(notes, "elicit: guardian %s logs (%s): %s\n", c.Guardian, line.Level, oneLine(line.Text))
		}
	}
}

// AppendJSON appends the grants as a configuration lists them.
func (g *guardians) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, e := range g.list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e.grant...)
	}
	return append(dst, ']')
}

// see tells of a file that is about to be read.
func (g *guardians) see(path string) {
	if g.seen != nil {
		g.seen(path)
	}
}

// add takes one argument of --guardian. Of a directory it takes all files of grants, and the modules beside them that
// no file of the same name grants anything.
func (g *guardians) add(cmd *cobra.Command, path string) error {
	g.see(path)
	stat, err := os.Stat(path)
	if err != nil || !stat.IsDir() {
		return g.addFile(cmd, path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return cannotRead(path, err)
	}
	granted := func(file string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
			return suffixed(e.Name(), ".json") && strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())) == strings.TrimSuffix(file, filepath.Ext(file))
		})
	}
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		g.see(file)
		switch {
		case strings.HasPrefix(e.Name(), "."): // of the operating system or an editor
			continue
		case suffixed(e.Name(), ".json"):
		case !suffixed(e.Name(), ".wasm") && !isModule(file):
			fmt.Fprintf(cmd.ErrOrStderr(), "elicit: %s is neither a module nor a file of grants; it is not heard\n", ui.Plain(file))
			continue
		case granted(e.Name()):
			continue
		}
		if err := g.addFile(cmd, file); err != nil {
			return err
		}
	}
	return nil
}

// suffixed reports whether a file's name ends so, in capitals too: what an operator put there must not be passed over.
func suffixed(name, suffix string) bool { return strings.EqualFold(filepath.Ext(name), suffix) }

// wasmMagic is how every module begins.
const wasmMagic = "\x00asm"

func isModule(path string) bool {
	if stat, err := os.Stat(path); err != nil || !stat.Mode().IsRegular() { // a pipe would keep us waiting
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(wasmMagic))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == wasmMagic
}

func (g *guardians) addFile(cmd *cobra.Command, path string) error {
	doc, err := readDocument(cmd, path)
	if err != nil {
		return err
	}
	if strings.HasPrefix(string(doc.text), wasmMagic) || suffixed(path, ".wasm") {
		m, err := g.load(cmd, doc)
		if err != nil {
			return err
		}
		if m.WASI {
			// A module alone says nothing of its operator's will, and WASI brings more of everything along.
			complainOf(cmd, doc.name, []elicit.Problem{{Code: "wasi_not_granted"}})
			return ending{exitInvalid, fmt.Errorf("%s needs a grant in a file; `elicit guardian pin` prints one", doc.name)}
		}
		g.list = append(g.list, grantSource{doc, "", suggested(m)})
		return nil
	}
	return g.addGrants(cmd, doc)
}

// load takes a module.
func (g *guardians) load(cmd *cobra.Command, doc document) (*guest.Module, error) {
	m, problems := g.shelf.Add(doc.text)
	if len(problems) > 0 {
		complainOf(cmd, doc.name, problems)
		return nil, ending{exitInvalid, fmt.Errorf("%s is no guardian; `elicit guardian inspect` says more", doc.name)}
	}
	return m, nil
}

// complainOf writes a line for each problem of a file that is no text.
func complainOf(cmd *cobra.Command, name string, problems []elicit.Problem) {
	for _, p := range problems {
		where := name
		if p.Pointer != "" {
			where += ": manifest " + ui.Plain(p.Pointer)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", where, ui.Plain(english.Problem(p)))
	}
}

// addGrants reads a grant, a list of them, or {"guardians":[…]}. A grant's "module" is the path of its module, from
// where the file is; it stands for the digest and for what the module declares.
func (g *guardians) addGrants(cmd *cobra.Command, doc document) error {
	entries, err := doc.grants(cmd)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := g.addGrant(cmd, doc, e.Result, e.at); err != nil {
			return err
		}
	}
	return nil
}

func (g *guardians) addGrant(cmd *cobra.Command, doc document, v gjson.Result, at string) error {
	path := v.Get("module")
	if command := v.Get("command"); v.IsObject() && command.Exists() {
		return g.addProgram(doc, v, at)
	}
	if !v.IsObject() || !path.Exists() {
		g.list = append(g.list, grantSource{doc, at, []byte(v.Raw)})
		return nil
	}
	file := path.String()
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(doc.name), file)
	}
	g.see(file)
	module, err := readDocument(cmd, file)
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
		return ending{exitInvalid, fmt.Errorf("%s pins %s by a digest with capital letters; write it in lower case: %s", doc.name, file, m.Digest)}
	default:
		return ending{exitInvalid, fmt.Errorf("%s is not the module that %s pins: its digest is %s", file, doc.name, m.Digest)}
	}
	g.list = append(g.list, grantSource{doc, at, resolved(v, m)})
	return nil
}

// addProgram takes a grant whose guardian is a program: "command" is its command line, and the rest as ever.
func (g *guardians) addProgram(doc document, v gjson.Result, at string) error {
	var line []string
	for _, word := range v.Get("command").Array() {
		if word.Type == gjson.String {
			line = append(line, word.Str)
		}
	}
	if len(line) == 0 || len(line) != len(v.Get("command").Array()) || !v.Get("command").IsArray() || v.Get("module").Exists() || v.Get("digest").Exists() {
		return ending{exitInvalid, fmt.Errorf("%s%s: a guardian that is a program has a command of one word or more, and no module and no digest", doc.name, at)}
	}
	if g.programs == nil {
		g.programs = map[string][]string{}
	}
	g.programs[v.Get("name").String()] = line
	g.list = append(g.list, grantSource{doc, at, without(v, "command")})
	return nil
}

// without is an object less one member.
func without(v gjson.Result, name string) []byte {
	var members []elicit.Arg
	v.ForEach(func(k, v gjson.Result) bool {
		if k.String() != name {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	return appendObject(nil, members)
}

// resolved is a grant with its module's digest and declaration in place of the path.
func resolved(v gjson.Result, m *guest.Module) []byte {
	var members []elicit.Arg
	given := map[string]bool{}
	v.ForEach(func(k, v gjson.Result) bool {
		if given[k.String()] = true; k.String() != "module" {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	for _, own := range []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest), elicit.Raw("declared", string(declaration(m)))} {
		if !given[own.Name] {
			members = append(members, own)
		}
	}
	return appendObject(nil, members)
}

// check is what the engine would have against the grants, and that somebody here runs each of them.
func (g *guardians) check() []elicit.Problem {
	list := g.AppendJSON(nil)
	grants, problems := guardian.ReadGrants(gjson.ParseBytes(list))
	for i := range problems {
		problems[i].Pointer = "/guardians" + problems[i].Pointer
	}
	if len(problems) > 0 {
		return problems
	}
	for i, grant := range grants {
		if _, _, held := g.shelf.Manifest(grant.Digest); g.programs[grant.Name] == nil && (!held || grant.Host) {
			problems = append(problems, elicit.Problem{Code: "guardian_nobody_runs", Pointer: fmt.Sprintf("/guardians/%d", i), Args: []elicit.Arg{elicit.Str("guardian", grant.Name)}})
		}
	}
	return append(problems, engine.Unfit([]byte(`{"guardians":`+string(list)+`}`), g.shelf)...)
}

// place finds the file a problem is in, and the pointer into it.
func (g *guardians) place(pointer string) (document, string) {
	index, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/guardians/"), "/")
	n, err := strconv.Atoi(index)
	if err != nil || n >= len(g.list) {
		return document{name: "--guardian"}, ""
	}
	if rest != "" {
		rest = "/" + rest
	}
	return g.list[n].doc, g.list[n].at + rest
}

package install

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/grantfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/pause"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/managed"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

func (d *doctor) checkProgram() {
	own, err := cli.OwnProgram()
	if err != nil {
		d.problem("program", "run `go install github.com/elicit-engine/elicit/cmd/elicit@latest`", "%s", err)
		return
	}
	d.fine("program", "%s, version %s", cli.ShortPath(own), cli.Version())
}

// inherited are the variables that the official SDKs for MCP clients pass on to a server, beside those that the
// configuration of the server names.
var inherited = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP",
	"USERNAME", "USERPROFILE", "PROGRAMFILES"}

// fewVariables is the environment of a server whose client uses an official SDK and passes on nothing else.
func fewVariables(name string) string {
	if slices.Contains(inherited, name) {
		return os.Getenv(name)
	}
	return ""
}

// noSurface is what checkPerson says where Elicit has no surface, and askableRemedy what to do about it.
const (
	noSurface = "there is neither a terminal nor a display here, so a client without forms of its own asks nobody"

	askableRemedy = "start the client in a terminal or on a desktop, add DISPLAY to `env` of the server, " +
		"or use `elicit proxy --ui browser` and open its link"
)

// checkPerson says who would be asked with --ui auto.
func (d *doctor) checkPerson() {
	terminal := ui.NewTerminal()
	hasTerminal := terminal.Modes().Form
	terminal.Close()
	all, few := desktop.HasDisplay(), desktop.DisplayIn(fewVariables)
	switch {
	case hasTerminal:
		d.fine("terminal", "there is one; a client that was started in it, and does not fill its screen, asks there")
	case all:
		d.fine("terminal", "there is none here, so a page in the browser asks")
	default:
		d.warn("terminal", askableRemedy, "%s", noSurface)
	}
	if program := desktop.BrowserCommand()[0]; all {
		if _, err := exec.LookPath(program); err != nil {
			d.problem("browser", "install "+program+", or name a browser in BROWSER",
				"there is a display, but no program %s to open a page", program)
		}
	}
	switch {
	case all && few:
		d.fine("display", "there is one, also for a client that passes on few variables")
	case all:
		d.warn("display", "for such a client, add the variable to `env` of the server in its configuration",
			"there is one (%s), but a client that passes on few variables hides it", displayVariables())
	case hasTerminal:
		d.warn("display", "start the client in a terminal",
			"there is none, so a client without a terminal and without forms of its own asks nobody")
	}
	d.fine("client", "a client that has forms of its own asks with them first; this check cannot see which clients do, "+
		"which variables they pass on, and whether they fill the terminal. `elicit log` tells who was asked")
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		if runtime.GOOS != "windows" && runtime.GOOS != "darwin" && os.Getenv(name) != "" && elsewhere(name) {
			d.warn("places", "add it to `env` of the server in the client's configuration, or keep the files below ~",
				"%s is set here, and a client that passes on few variables hides it; elicit then looks below ~", name)
		}
	}
}

// elsewhere reports whether a variable names another directory than the one that counts without it.
func elsewhere(name string) bool {
	home, err := os.UserHomeDir()
	usual := map[string]string{"XDG_CONFIG_HOME": ".config", "XDG_STATE_HOME": ".local/state"}[name]
	return err != nil || filepath.Clean(os.Getenv(name)) != filepath.Join(home, filepath.FromSlash(usual))
}

func displayVariables() string {
	var names []string
	for _, name := range []string{"WAYLAND_DISPLAY", "DISPLAY"} {
		if os.Getenv(name) != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// checkManaged says whether an administrator wrote a policy for this machine.
func (d *doctor) checkManaged() {
	switch machine := managed.Read(); {
	case machine.Fault != "":
		d.problem("managed", "until then every question is declined", "%s", machine.Fault)
	case machine.Path != "":
		d.fine("managed", "%s is in force, and no flag leaves it out, %s", machine.Path,
			cli.Counted(len(gjson.GetBytes(machine.Text, "rules").Array()), "rule", "rules"))
	default:
		path, _ := managed.Path()
		d.fine("managed", "there is no %s, so no administrator limits you", path)
	}
}

func (d *doctor) checkPolicy() {
	path, err := places.Policy()
	if err != nil {
		d.warn("policy", "set HOME, or give --policy", "%s", err)
		return
	}
	file, err := rules.OpenPolicy(path)
	if errors.Is(err, fs.ErrNotExist) {
		d.fine("policy", "there is none, so you are asked about everything; `elicit policy init` writes one")
		return
	}
	var wrong *trustedfile.Wrong
	if errors.As(err, &wrong) {
		d.problem("policy", wrong.Remedy, "%s %s", cli.ShortPath(wrong.Path), wrong.Reason)
		return
	}
	var doc cli.Document
	if err == nil {
		defer file.Close()
		doc, err = cli.ReadFrom(path, file)
	}
	if err != nil {
		d.problem("policy", "correct it, or move it away; until then no wrapped server starts", "%s", err)
		return
	}
	_, problems := policy.Parse(policy.User, doc.Text)
	if problems != nil {
		d.problem("policy", "correct it: `elicit policy fmt --check "+path+"` names every problem",
			"%s has %s, so no wrapped server starts: %s", cli.ShortPath(path),
			cli.Counted(len(problems), "problem", "problems"), english.Problem(problems[0]))
		return
	}
	approval := cmp.Or(gjson.GetBytes(doc.Text, "approval_policy").String(), "not set")
	d.fine("policy", "%s, approval policy %s, %s", cli.ShortPath(path), approval,
		cli.Counted(len(gjson.GetBytes(doc.Text, "rules").Array()), "rule", "rules"))
}

// checkPause says whether the person's policy rests.
func (d *doctor) checkPause() {
	if until := pause.Until(time.Now()); !until.IsZero() {
		d.warn("pause", "`elicit pause --end` ends that", "your policy rests for hooks until %s", until.Format(time.TimeOnly))
	}
}

func (d *doctor) checkGrants() {
	path, err := places.Grants("")
	if err != nil {
		return // the line about the policy has said so
	}
	_, list, err := grantfile.Open(path)
	if err != nil {
		d.problem("grants", "correct it, or move it away", "%s", err)
		return
	}
	d.fine("grants", "%s; `elicit grants list` shows them", cli.Counted(len(list), "answer for always",
		"answers for always"))
}

// checkJournal makes the directory, as the proxy does, and a file in it.
func (d *doctor) checkJournal() {
	dir, err := places.Journals()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		d.warn("journal", "make the directory writable, or give --journal FILE", "no journal can be kept: %s", err)
		return
	}
	probe, err := journals.Create(filepath.Join(dir, fmt.Sprintf(".doctor-%d", os.Getpid())), "")
	if err != nil {
		d.warn("journal", "make the directory writable for you alone, or give --journal FILE",
			"no journal can be kept: %s", err)
		return
	}
	probe.Close()
	_ = os.Remove(probe.Name()) // an empty file is no harm
	var size int64
	names, _ := os.ReadDir(dir)
	for _, name := range names {
		if at, err := name.Info(); err == nil {
			size += at.Size()
		}
	}
	bounds, err := journals.ReadBounds(os.Getenv)
	if err != nil {
		d.warn("journal", "correct the variable", "old journals are not removed: %s", err)
		return
	}
	d.fine("journal", "%s, %s of %.1f MB, kept %s", cli.ShortPath(dir), cli.Counted(len(names), "file", "files"),
		float64(size)/1e6, bounds)
}

func (d *doctor) checkClients() {
	files, _, err := (&clientFlags{}).read()
	if err != nil {
		d.problem("clients", "", "%s", err)
		return
	}
	wrapped, open := 0, 0
	for _, f := range files {
		if f.err != nil {
			d.problem("clients", "correct the file; the client may not read it either", "%s", f.err)
			continue
		}
		for _, s := range f.doc.Servers {
			switch state, why := serverState(f, s); {
			case state == stateWrapped:
				wrapped++
			case state == stateLost && s.ByHand:
				d.warn("clients", "give the command with its path", "%s: %s: %s", f.title(), s.Title(), why)
			case state == stateLost:
				d.problem("clients", "run `elicit install`", "%s: %s: %s", f.title(), s.Title(), why)
			case state == stateOpen && !f.Project:
				open++
			}
		}
	}
	told := fmt.Sprintf("%s wrapped, in %s", cli.Counted(wrapped, "server is", "servers are"),
		cli.Counted(len(files), "file", "files"))
	if open > 0 {
		d.warn("clients", "run `elicit install`", "%s; %s not", told, cli.Counted(open, "server is", "servers are"))
		return
	}
	d.fine("clients", "%s; `elicit status` lists all servers", told)
}

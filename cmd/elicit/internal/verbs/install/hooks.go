package install

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// hostHooks is a file of hooks that was read, or the reason why it was not.
type hostHooks struct {
	clientconfig.HookFile
	doc *clientconfig.HookDoc
	err error
}

func (h *hostHooks) title() string { return h.Title + " hooks  " + cli.Cell(cli.ShortPath(h.Path)) }

// readHooks finds and reads the files of hooks of the chosen clients. Files that were changed before are read too,
// wherever they are.
func (c *clientFlags) readHooks() (files []hostHooks, records clientconfig.HookRecords, err error) {
	env, err := clientEnv()
	if err != nil {
		return nil, records, err
	}
	installed, err := places.Installed()
	if err != nil {
		return nil, records, err
	}
	records.Dir = filepath.Join(installed, "hooks")
	for _, f := range append(clientconfig.FindHooks(env), records.Files()...) {
		known := slices.ContainsFunc(files, func(other hostHooks) bool { return other.Path == f.Path })
		if known || len(c.clients) > 0 && !slices.Contains(c.clients, f.Host) {
			continue
		}
		doc, err := clientconfig.ReadHooks(f)
		files = append(files, hostHooks{f, doc, err})
	}
	return files, records, nil
}

// programOf is the program that a hook's command starts.
func programOf(h clientconfig.Hook) string {
	quote := h.Command[strings.IndexAny(h.Command, `'"`):]
	name, _, _ := strings.Cut(quote[1:], quote[:1]+" hook ")
	return strings.ReplaceAll(name, `'\''`, "'")
}

// hookState is the state of the hooks of a host, and why it is so.
func hookState(h *hostHooks) (state, why string) {
	if h.doc == nil || len(h.doc.Hooks) == 0 {
		return stateOpen, "`elicit install --hooks` adds them"
	}
	var events []string
	for _, one := range h.doc.Hooks {
		if at, err := os.Stat(programOf(one)); err != nil || at.IsDir() {
			return stateLost, "there is no program " + programOf(one) + "; `elicit install --hooks` corrects that"
		}
		events = append(events, one.Event)
	}
	return stateWrapped, strings.Join(events, ", ")
}

// gates divides the events of the hooks that are there: those before each call, and those before a question.
func (h *hostHooks) gates() (gates, others []string) {
	if h.doc == nil {
		return nil, nil
	}
	for _, one := range h.doc.Hooks {
		to := &others
		if hooks.IsGate(hooks.Host(h.Host), one.Event) {
			to = &gates
		}
		if !slices.Contains(*to, one.Event) {
			*to = append(*to, one.Event)
		}
	}
	return gates, others
}

// gatesTold says which of the events are gates, and which modes skip them.
func (h *hostHooks) gatesTold() (told []string) {
	host := hooks.Host(h.Host)
	gates, others := h.gates()
	var tried, untried []string
	for _, event := range gates {
		to := &untried
		if hooks.HoldsUnattended(host, event) {
			to = &tried
		}
		*to = append(*to, event)
	}
	for _, part := range []struct {
		is     string
		events []string
	}{
		{"gate before each call, also where nobody watches", tried},
		{"gate before each call, not tried where nobody watches", untried},
		{"no gate, so modes that never ask skip it", others},
	} {
		if len(part.events) > 0 {
			told = append(told, strings.Join(part.events, ", ")+": "+part.is)
		}
	}
	skips := cmp.Or(strings.Join(hooks.Skips(host), "; "), "none is known")
	return append(told, "Modes in which it starts no hook: "+skips)
}

// planHooks finds out which files of hooks change, and prints the changes.
func (v *installVerb) planHooks(complain func(error), program string) (plans []planned, err error) {
	if v.undo && len(v.clientFlags.servers) > 0 || !v.undo && !v.hooks {
		return nil, nil
	}
	files, records, err := v.readHooks()
	if err != nil {
		return nil, err
	}
	write := records.Install
	if v.undo {
		write = records.Uninstall
	}
	for _, f := range files {
		if f.err != nil {
			complain(f.err)
			continue
		}
		next, err := v.changedHooks(f.doc, records, program)
		switch {
		case err != nil:
			complain(err)
			continue
		case next == nil || f.doc.Same(next):
			continue
		}
		fmt.Fprintf(v.out, "\n\x1b[1m%s\x1b[m\n", f.title())
		if !next.Exists {
			fmt.Fprintln(v.out, "  the file is removed, because elicit install made it")
		}
		v.printHunks(f.doc.Diff(next))
		plans = append(plans, planned{f.Path, func() error { return write(f.doc, next) }, func() (still bool, err error) {
			if f.doc, err = clientconfig.ReadHooks(f.HookFile); err == nil {
				next, err = v.changedHooks(f.doc, records, program)
			}
			return next != nil, err
		}})
	}
	return plans, nil
}

// changedHooks is what a file of hooks becomes; nil when it is left alone.
func (v *installVerb) changedHooks(d *clientconfig.HookDoc, records clientconfig.HookRecords, program string) (
	*clientconfig.HookDoc, error,
) {
	if v.undo {
		if len(d.Hooks) == 0 {
			return nil, nil
		}
		return records.Restored(d)
	}
	if d.File.Project && !v.project {
		return nil, nil
	}
	host := hooks.Host(d.File.Host)
	setting := clientconfig.HookSetting(host, program, nil, clientconfig.HookWait)
	var entries []clientconfig.HookEntry
	for _, event := range hooks.Events(host) {
		entries = append(entries, clientconfig.HookEntry{Event: event, Entry: setting})
	}
	return d.With(entries, clientconfig.HookVersions[host])
}

// checkHooks tells which hosts start `elicit hook`, and at which gates. A hook whose program is missing may block its
// host.
func (d *doctor) checkHooks() {
	var c clientFlags
	files, _, err := c.readHooks()
	if err != nil {
		return // checkClients tells
	}
	for _, f := range files {
		if f.err != nil {
			d.warn("hooks", "correct the file, then run this again", "%s", f.err)
			continue
		}
		state, why := hookState(&f)
		told := f.Title + ": " + strings.Join(f.gatesTold(), ". ")
		switch gates, _ := f.gates(); {
		case state == stateLost:
			d.problem("hooks", "run `elicit install --hooks`, or `elicit uninstall`", "%s: %s", f.Title, why)
		case state == stateWrapped && len(gates) == 0 && f.Host == string(hooks.Opencode):
			d.warn("hooks", "let opencode ask: \"permission\" in its settings; until then a call that is not asked about "+
				"passes no rule", "%s", told)
		case state == stateWrapped && len(gates) == 0:
			d.warn("hooks", "run `elicit install --hooks`, which adds a gate; until then a call that is not asked about "+
				"passes no rule", "%s", told)
		case state == stateWrapped:
			d.fine("hooks", "%s", told)
		}
	}
}

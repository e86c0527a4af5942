package proxy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/browser"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desk"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/relay"
)

// unbounded returns limits for a client or an answers file. The engine's limits depend on who answers. Its defaults are
// for one person, who sees one question at a time, and no more in a minute than a person can read. A client limits its
// own questions, and a file can answer any number.
func unbounded() elicit.Limits {
	return elicit.Limits{Shown: new(1000), Queue: new(1000), HeldCalls: new(1000), Burst: new(60000),
		PerMinute: new(60000)}
}

// limitFlags set limits in place of those of chooseUI. The defaults in the help are those for a person. A client and an
// answers file have none (unbounded).
var limitFlags = []struct {
	name, usage string
	of          func(*elicit.Limits) **int
}{
	{"per-minute", "how many questions a minute the server may ask a person",
		func(l *elicit.Limits) **int { return &l.PerMinute }},
	{"burst", "how many of them may come at once", func(l *elicit.Limits) **int { return &l.Burst }},
	{"queue", "how many questions may be open", func(l *elicit.Limits) **int { return &l.Queue }},
	{"held-calls", "how many held calls may be open", func(l *elicit.Limits) **int { return &l.HeldCalls }},
	{"shown", "how many questions may be before the person at once", func(l *elicit.Limits) **int { return &l.Shown }},
}

func addLimitFlags(flags *pflag.FlagSet) {
	for _, f := range limitFlags {
		flags.Int(f.name, 0, fmt.Sprintf("%s; %d by default", f.usage, limitOf(f.name).Default))
	}
}

// limitOf returns the engine's limit that a flag sets.
func limitOf(flag string) engine.Limit {
	list, name := engine.Limits(), strings.ReplaceAll(flag, "-", "_")
	return list[slices.IndexFunc(list, func(limit engine.Limit) bool { return limit.Name == name })]
}

// overrideLimits puts the values of the flags that were given into limits. The error names a flag whose value the
// engine would refuse.
func overrideLimits(flags *pflag.FlagSet, limits *elicit.Limits) error {
	for _, f := range limitFlags {
		if !flags.Changed(f.name) {
			continue
		}
		n, err := flags.GetInt(f.name)
		if most := limitOf(f.name).Most; err != nil || n < 0 || n > most {
			return fmt.Errorf("--%s is %d; give something from 0 to %d", f.name, n, most)
		}
		*f.of(limits) = &n
	}
	return nil
}

// chooseUI sets who is asked, and returns the engine's limits for that.
func (v *proxyVerb) chooseUI(cmd *cobra.Command, o *proxy.Options) (limits elicit.Limits, err error) {
	file, answers := strings.CutPrefix(v.ui, "answers=")
	switch {
	case answers:
		return unbounded(), v.askFile(cmd, o, file)
	case v.ui == "auto":
		o.ClientFirst = o.Protocol == relay.MCP
		return limits, v.askAvailable(cmd, o)
	case v.ui == "terminal":
		terminal := ui.NewTerminal().Lasting()
		if m := terminal.Modes(); !m.Form && !m.URL {
			fmt.Fprintln(cmd.ErrOrStderr(), "elicit proxy: there is no terminal to ask on, so the server is told that "+
				"there is no elicitation; see --ui for other ways")
		}
		o.UI, o.Open = terminal, desktop.OpenPage
		return limits, nil
	case v.ui == "popup":
		popups, err := ui.NewPopups(cmd.ErrOrStderr())
		if err != nil {
			return limits, fmt.Errorf("--ui popup: %w", err)
		}
		o.UI, o.Open = popups.Lasting(), desktop.OpenPage
		return limits, nil
	case v.ui == "browser":
		return limits, v.askInBrowser(cmd, o)
	case v.ui == "client":
		o.ForwardToClient = true
		return unbounded(), nil
	case v.ui == "none":
		o.PolicyAlone = v.Layers.Found()
		return limits, nil
	}
	return limits, fmt.Errorf("--ui is %q; give auto, terminal, popup, browser, answers=FILE, client or none", v.ui)
}

// askAvailable finds the surface for the questions that the client does not draw. It is the terminal if there is one,
// else a browser if there is a display. While another program uses the terminal, a popup of tmux or the browser is the
// place. If another program uses the terminal from the start and there is no other place, there is no surface.
func (v *proxyVerb) askAvailable(cmd *cobra.Command, o *proxy.Options) error {
	terminal := ui.NewTerminal().Lasting()
	if m := terminal.Modes(); m.Form || m.URL {
		notes := cmd.ErrOrStderr()
		polite := newPoliteTerminal(terminal, notes, func() (proxy.Audience, error) {
			if popups, err := ui.NewPopups(notes); err == nil {
				return popups.Lasting(), nil
			}
			if !desktop.HasDisplay() {
				return nil, errors.New("neither tmux nor a display")
			}
			return v.page(notes, o.Name)
		})
		why := terminal.Taken()
		if why == "" || desktop.HasDisplay() || ui.InTmux() {
			o.UI, o.Open = polite, polite.openPage
			return nil
		}
		terminal.Close()
		v.askNobody(cmd, o, why+", and there is neither tmux nor a display")
		return nil
	}
	if desktop.HasDisplay() {
		return v.askInBrowser(cmd, o)
	}
	v.askNobody(cmd, o, "there is neither a terminal nor a display to ask on")
	return nil
}

// askNobody leaves the questions to the client and to policy, because there is no surface here.
func (v *proxyVerb) askNobody(cmd *cobra.Command, o *proxy.Options, why string) {
	o.PolicyAlone = v.Layers.Found()
	told := "a client without forms of its own asks nobody, and its server is told so"
	switch {
	case o.PolicyAlone:
		told = "policy alone answers for a client without forms of its own"
	case !o.ClientFirst:
		told = "the server is told that there is no elicitation"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "elicit proxy: %s, so %s; see --ui for other ways\n", why, told)
}

// shareTerminal returns the writer for the server's error stream. When our own error stream is a terminal on which
// questions are drawn, the server must not get it, because it could draw over a question and read the answer. Then the
// server's lines and our own wait until no question is on the screen.
func shareTerminal(o *proxy.Options) (server io.Writer) {
	server = o.Notes
	terminal, asks := o.UI.(interface {
		Beside(to io.Writer, peer bool) io.Writer
	})
	file, ok := server.(*os.File)
	if !asks || !ok {
		return server
	}
	if at, err := file.Stat(); err != nil || at.Mode()&os.ModeCharDevice == 0 {
		return server
	}
	o.Notes = terminal.Beside(file, false)
	return terminal.Beside(file, true)
}

// askInBrowser serves the page. The page itself opens links when the person clicks on them.
func (v *proxyVerb) askInBrowser(cmd *cobra.Command, o *proxy.Options) error {
	page, err := v.page(cmd.ErrOrStderr(), o.Name)
	if err == nil {
		o.UI = page
	}
	return err
}

func (v *proxyVerb) page(notes io.Writer, name string) (proxy.Audience, error) {
	b := browser.Options{Listen: v.listen, Open: desktop.OpenFile, Notes: notes, Name: name}
	if v.noOpen {
		b.Open = nil
	}
	return browser.New(b)
}

func (v *proxyVerb) askFile(cmd *cobra.Command, o *proxy.Options, file string) error {
	script, err := cli.ReadScript(cmd, file)
	if err != nil {
		return err
	}
	o.UI = script
	if !cmd.Flags().Changed("completion-wait") {
		o.CompletionWait = time.Second // no person visits the page
	}
	return nil
}

// asDesk makes a user interface show the questions of hooks too, if a person can see it and it follows its questions.
func asDesk(place proxy.UI) proxy.UI {
	audience, follows := place.(proxy.Audience)
	if !follows || !place.Modes().Form {
		return place
	}
	return desk.New(audience, func() desk.Rank {
		at := place
		if polite, ok := place.(*politeTerminal); ok {
			at = polite.place()
		}
		if page, ok := at.(*browser.Browser); ok && page.Watched() {
			return desk.Watched
		}
		return desk.Beside
	})
}

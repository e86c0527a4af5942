package ask

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/browser"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desk"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/event"
)

// answerVerb holds the flags of `elicit answer`.
type answerVerb struct {
	ui, listen string
	noOpen     bool
}

// NewAnswer makes `elicit answer`.
func NewAnswer() *cobra.Command {
	var v answerVerb
	cmd := cli.Verb("answer", cli.Args(0, 0, "give only flags"),
		func(cmd *cobra.Command, _ []string) error { return v.run(cmd) })
	f := cmd.Flags()
	f.StringVar(&v.ui, "ui", "auto", "`where` to ask: auto, terminal, popup or browser")
	cli.CompleteFlag(cmd, "ui", "auto", "terminal", "popup", "browser")
	f.StringVar(&v.listen, "listen", "",
		"loopback `address` and port of the page of --ui browser; a free port by default")
	f.BoolVar(&v.noOpen, "no-open", false, "open no browser for --ui browser; print the link on stderr")
	return cmd
}

func (v *answerVerb) run(cmd *cobra.Command) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	place, err := v.place(cmd)
	if err != nil {
		return err
	}
	here := desk.New(place, func() desk.Rank { return desk.Dedicated })
	defer here.Close()
	here.Attend(func(event.Event) {})
	if err := here.Deaf(); err != nil {
		return fmt.Errorf("hooks cannot find this program: %w", err)
	}
	fmt.Fprintln(cmd.OutOrStdout(), "Questions of hooks appear here. Ctrl-C ends this.")
	<-signals
	return nil
}

// place opens what the questions are drawn on.
func (v *answerVerb) place(cmd *cobra.Command) (proxy.Audience, error) {
	terminal := v.ui == "terminal" || v.ui == "auto"
	switch {
	case terminal || v.ui == "browser":
	case v.ui == "popup":
		popups, err := ui.NewPopups(cmd.ErrOrStderr())
		if err != nil {
			return nil, cli.Exit(cli.NoTerminal, err)
		}
		return popups.Lasting(), nil
	default:
		return nil, errors.New("--ui is " + cli.Quoted(v.ui) + "; give auto, terminal, popup or browser")
	}
	if terminal {
		if t := ui.NewTerminal().Lasting(); t.Modes().Form {
			return t, nil
		}
		if v.ui == "terminal" || !desktop.HasDisplay() {
			return nil, cli.Exit(cli.NoTerminal, errors.New("there is no place to ask; see --ui for others"))
		}
	}
	o := browser.Options{Listen: v.listen, Open: desktop.OpenFile, Notes: cmd.ErrOrStderr(), Name: "hooks",
		Program: "elicit answer"}
	if v.noOpen {
		o.Open = nil
	}
	return browser.New(o)
}

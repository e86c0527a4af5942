package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/browser"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Limits of the engine by who is asked. One person sees one question at a time, and no more in a minute than can be
// read; a client has a queue of its own; a file is not bothered by any number.
const (
	onePerson = `{}`
	oneClient = `{"shown":1000,"queue":1000}`
	oneFile   = `{"shown":1000,"queue":1000,"burst":60000,"per_minute":60000}`
)

// chooseUI sets who is asked and returns the engine's limits that go with it.
func (v *proxyVerb) chooseUI(cmd *cobra.Command, o *proxy.Options) (limits string, err error) {
	file, answers := strings.CutPrefix(v.ui, "answers=")
	switch {
	case answers:
		return oneFile, v.askFile(cmd, o, file)
	case v.ui == "auto":
		return onePerson, v.askWhoeverIsThere(cmd, o)
	case v.ui == "terminal":
		terminal := ui.NewTerminal().Lasting()
		if m := terminal.Modes(); !m.Form && !m.URL {
			fmt.Fprintln(cmd.ErrOrStderr(), "elicit proxy: there is no terminal to ask on, so the server is told that there is no elicitation; see --ui for other ways")
		}
		o.UI, o.Open = terminal, openPage
		return onePerson, nil
	case v.ui == "browser":
		return onePerson, v.askInBrowser(cmd, o)
	case v.ui == "client":
		o.ForwardToClient = true
		return oneClient, nil
	case v.ui == "none":
		o.PolicyAlone = v.layers.given()
		return onePerson, nil
	}
	return "", fmt.Errorf("--ui is %q; give auto, terminal, browser, answers=FILE, client or none", v.ui)
}

// askWhoeverIsThere takes the terminal where there is one, else a browser where there is a display, else nobody.
func (v *proxyVerb) askWhoeverIsThere(cmd *cobra.Command, o *proxy.Options) error {
	terminal := ui.NewTerminal().Lasting()
	if m := terminal.Modes(); m.Form || m.URL {
		o.UI, o.Open = terminal, openPage
		return nil
	}
	if display() {
		return v.askInBrowser(cmd, o)
	}
	o.PolicyAlone = v.layers.given()
	told := "the server is told that there is no elicitation"
	if o.PolicyAlone {
		told = "policy alone answers"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "elicit proxy: there is neither a terminal nor a display to ask on, so %s; see --ui for other ways\n", told)
	return nil
}

// askInBrowser serves the page. It opens links itself when the person clicks on them.
func (v *proxyVerb) askInBrowser(cmd *cobra.Command, o *proxy.Options) error {
	b := browser.Options{Listen: v.listen, Open: openFile, Notes: cmd.ErrOrStderr()}
	if v.noOpen {
		b.Open = nil
	}
	page, err := browser.New(b)
	if err != nil {
		return err
	}
	o.UI = page
	return nil
}

func (v *proxyVerb) askFile(cmd *cobra.Command, o *proxy.Options, file string) error {
	doc, err := readDocument(cmd, file)
	if err != nil {
		return err
	}
	script, problems := ui.ReadScript(doc.text, cmd.ErrOrStderr())
	if problems != nil {
		doc.complain(cmd.ErrOrStderr(), problems)
		return ending{exitInvalid, errors.New("the answers file has problems")}
	}
	script.OnUnknown(func(p elicit.Problem) { doc.complain(cmd.ErrOrStderr(), []elicit.Problem{p}) })
	o.UI = script
	if !cmd.Flags().Changed("completion-wait") {
		o.CompletionWait = time.Second // nobody is on the page
	}
	return nil
}

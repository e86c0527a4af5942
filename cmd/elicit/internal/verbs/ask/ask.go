// Package ask holds the verbs around a question: `elicit ask` asks the person, `elicit answer` shows the questions of
// hooks, `elicit check` checks a form and an answer, and `elicit page` prints links to open pages.
package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	front "github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// ask holds the flags of `elicit ask`.
type ask struct {
	rules.Files
	schema, message, url, server, script string
	journal, journalKey                  string
	timeout                              time.Duration
	json, verbose                        bool
}

// NewAsk makes `elicit ask`.
func NewAsk() *cobra.Command {
	var a ask
	cmd := cli.Verb("ask", cli.Args(0, 0, "this command takes no arguments; give the question with --message"),
		func(cmd *cobra.Command, _ []string) error { return a.run(cmd) })
	f := cmd.Flags()
	f.StringVar(&a.message, "message", "", "what to ask")
	f.StringVar(&a.schema, "schema", "", "requested schema of the form: `file`, or -")
	f.StringVar(&a.url, "url", "", "ask to open this `address` instead")
	f.StringVar(&a.server, "server", "a script", "`name` of the program that asks, shown to the person")
	f.StringVar(&a.script, "answers", "", "take answers from this `file` instead of the terminal: "+
		"a list like [{\"answer\":{\"action\":\"accept\",\"content\":{…}}}]")
	f.DurationVar(&a.timeout, "timeout", 0, "cancel the question after this `time`, such as 90s")
	f.StringVar(&a.journal, "journal", "", "write a journal to this `file`; when it exists, to FILE.2, FILE.3 and so on")
	f.StringVar(&a.journalKey, "journal-key", "", journals.KeyUsage)
	f.BoolVarP(&a.verbose, "verbose", "v", false,
		"print on stderr each guardian's verdict and log, and why the question ended")
	f.BoolVar(&a.json, "json", false, "print JSON with outcome, cause, content and problems, whatever the outcome")
	a.Layers.AddFlags(cmd)
	a.Guardians.AddFlag(cmd)
	_ = cmd.MarkFlagRequired("message")
	cmd.MarkFlagsMutuallyExclusive("schema", "url")
	return cmd
}

func (a *ask) run(cmd *cobra.Command) error {
	request, err := cli.QuestionOf(cmd, a.message, a.url, a.schema)
	if err != nil {
		return err
	}
	a.Layers.UseDefaultPlaces()
	if err := a.Require(cmd, nil); err != nil {
		return err
	}
	defer a.Close()
	a.Guardians.LogEvaluations(cmd.ErrOrStderr(), a.verbose)
	person, err := a.person(cmd)
	if err != nil {
		return err
	}
	reply, err := a.settle(person, request, cmd.ErrOrStderr())
	if closing := person.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return a.report(cmd, reply)
}

// person is the one who answers: somebody at a terminal, or a file of answers.
func (a *ask) person(cmd *cobra.Command) (proxy.UI, error) {
	if a.script == "" {
		t := ui.NewTerminal()
		if t.Modes() == (elicit.Modes{}) {
			return nil, cli.Exit(cli.NoTerminal, errors.New("there is no terminal to ask on; "+
				"run this in one, name one in ELICIT_TTY, or give --answers FILE"))
		}
		return t, nil
	}
	return cli.ReadScript(cmd, a.script)
}

// askVersion is the protocol date of the message in which the relay gets the question. At this date a page needs no
// elicitationId, and no server is there to report the page as completed.
const askVersion = "2026-07-28"

// settle puts the question through a relay and waits for the reply. A signal cancels the question as the person's own
// Ctrl-C does.
func (a *ask) settle(p proxy.UI, request elicit.Request, stderr io.Writer) (effect.Reply, error) {
	h := &askHost{person: p, principal: a.Guardians.Principal, replies: make(chan effect.Reply, 1),
		stderr: stderr, programs: a.Guardians.NewProgramRunner(stderr)}
	// Do fails only after the driver was shut down. Then nobody waits for the verdict.
	h.programs.Answer = func(said event.Consulted) { _ = h.driver.Do(said) }
	defer h.programs.Close()
	config, err := a.config()
	if err != nil {
		return effect.Reply{}, err
	}
	o := drive.Options{Guests: a.Guardians.Guests()}
	if a.journal == "" && a.journalKey != "" {
		return effect.Reply{}, journals.ErrKeyAlone
	}
	if a.journal != "" {
		file, err := journals.Create(a.journal, a.journalKey)
		if err != nil {
			return effect.Reply{}, err
		}
		defer file.Close()
		o.Journal = file
	}
	c := relay.Config{Engine: config, Server: a.server, Role: relay.AsClient, Principal: a.Guardians.Principal,
		Modes:   p.Modes(),
		Session: &relay.Session{Version: askVersion, Declared: elicit.Modes{Form: true, URL: true}, CallsSeen: true}}
	d, err := drive.New(c, h, o)
	if err != nil {
		return effect.Reply{}, err
	}
	h.driver = d
	defer d.Shutdown()
	if t, ok := p.(*ui.Terminal); ok {
		// An error means that the driver was shut down, which has settled the question.
		t.Attend(func(ev event.Event) { _ = d.Do(ev) })
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	if err := d.Receive(relay.Server, asMessage(request)); err != nil {
		return effect.Reply{}, err
	}
	select {
	case reply := <-h.replies:
		return reply, nil
	case <-signals:
		d.Shutdown()
		return <-h.replies, nil
	}
}

// askHost is the host of one question. It performs the relay's effects: it shows the question to the person and keeps
// the reply.
type askHost struct {
	person    proxy.UI
	driver    *drive.Driver
	principal string
	replies   chan effect.Reply
	stderr    io.Writer
	programs  *program.Runner // guardians that are programs
}

// asMessage writes the question as the message that a server would send.
func asMessage(request elicit.Request) []byte {
	dialect, _ := mcp.Lookup(askVersion)
	params, _ := dialect.AppendCreate(nil, &request)
	var line bytes.Buffer // a message is one line, and a schema's file may have many
	_ = json.Compact(&line, wire.AppendRequest(nil, []byte("1"), mcp.MethodCreate, params))
	return line.Bytes()
}

// Forward and Send do nothing, because no server and no client is connected. The reply arrives as relay.Settled.
func (r *askHost) Forward(relay.End)      {}
func (r *askHost) Send(relay.End, []byte) {}

func (r *askHost) Consult(c effect.Consult) { r.programs.Consult(c) }

func (r *askHost) Perform(next relay.Effect) {
	switch ef := next.(type) {
	case effect.Show:
		r.person.Show(ef, func(g ui.Given) {
			// An error means that the driver was shut down, which has settled the question.
			_ = r.driver.Do(event.Answered{Session: ef.Session, ID: ef.ID, Principal: r.principal, Action: g.Action,
				Content: g.Content, Cleared: ui.Cleared(ef, g), Via: g.Via, Note: g.Note, Arguments: g.Arguments})
		})
	case effect.Withdraw:
		r.person.Withdraw(ef)
	case effect.Extend:
		if t, ok := r.person.(*ui.Terminal); ok {
			t.Extend(ef)
		}
	case effect.Problem:
		r.person.Problem(ef)
	case effect.OpenURL:
		r.openURL(ef)
	case relay.Settled:
		r.settle(ef.Reply)
	case relay.Note: // the relay refused the message, so the engine never got a question
		r.settle(effect.Reply{Outcome: elicit.Failed, Cause: elicit.ByInvalidRequest, Problems: ef.Problems})
	}
}

// settle keeps the first reply. There is one question, so a second reply can only follow a shutdown.
func (r *askHost) settle(reply effect.Reply) {
	select {
	case r.replies <- reply:
	default:
	}
}

// openURL opens the page that the person has agreed to.
func (r *askHost) openURL(o effect.OpenURL) {
	if err := desktop.OpenPage(o.URL); err != nil {
		fmt.Fprintf(r.stderr, "elicit: cannot open a browser (%v); open this page yourself: %s\n", err, ui.Plain(o.URL))
	}
}

// report prints the answer and turns its outcome into an exit code.
func (a *ask) report(cmd *cobra.Command, reply effect.Reply) error {
	switch {
	case a.json:
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", reportJSON(reply))
	case reply.Outcome == elicit.Accepted && reply.Content != nil:
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", reply.Content)
	}
	expected := a.script != "" && reply.Outcome == elicit.Accepted
	if a.verbose || reply.Cause != elicit.ByUser && !expected {
		a.explain(cmd.ErrOrStderr(), reply)
	}
	switch reply.Outcome {
	case elicit.Accepted:
		return nil
	case elicit.Declined:
		return cli.Exit(cli.Declined, nil)
	case elicit.Cancelled:
		return cli.Exit(cli.Cancelled, nil)
	}
	if reply.Cause == elicit.ByInvalidRequest {
		return cli.ErrInvalid
	}
	return cli.Exit(cli.Failed, nil)
}

// explain prints why the question ended. It is needed when the person's answer did not end it.
func (a *ask) explain(w io.Writer, reply effect.Reply) {
	fmt.Fprintf(w, "elicit: %s: %s\n", reply.Outcome, english.Ended(reply.Cause, reply.Reasons))
	for _, r := range reply.Reasons {
		fmt.Fprintf(w, "  %s\n", ui.Plain(english.Why(r)))
	}
	for _, p := range reply.Problems {
		fmt.Fprintf(w, "  %s %s\n", ui.Plain(p.Pointer), ui.Plain(english.Problem(p)))
	}
	for _, f := range english.Warnings(reply.Findings) {
		fmt.Fprintf(w, "  %s: %s\n", f.Severity, ui.Plain(f.Text))
	}
}

// reportJSON returns {"outcome","cause","content"?,"problems"?,"findings"?,"reasons"?}.
func reportJSON(reply effect.Reply) []byte {
	members := []elicit.Arg{elicit.Str("outcome", string(reply.Outcome)), elicit.Str("cause", string(reply.Cause))}
	if reply.Content != nil {
		members = append(members, elicit.Raw("content", string(reply.Content)))
	}
	if reply.Problems != nil {
		members = append(members, elicit.Raw("problems", string(elicit.AppendList(nil, reply.Problems))))
	}
	if reply.Findings != nil {
		members = append(members, elicit.Raw("findings", string(elicit.AppendList(nil, reply.Findings))))
	}
	if reply.Reasons != nil {
		members = append(members, elicit.Raw("reasons", string(elicit.AppendList(nil, reply.Reasons))))
	}
	return cli.AppendObject(nil, members)
}

// config returns the engine's configuration for one question.
func (a *ask) config() ([]byte, error) {
	guardians, err := a.Guardians.Config()
	if err != nil {
		return nil, err
	}
	c := front.Config{Policy: a.Layers.Policies(), Guardians: guardians}
	if ms := int(a.timeout.Milliseconds()); ms > 0 {
		c.Limits.AnswerTTLMS = &ms
	}
	return json.Marshal(c)
}

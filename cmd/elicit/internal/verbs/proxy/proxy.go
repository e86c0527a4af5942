// Package proxy holds `elicit proxy`: its flags, and the person's places from which it chooses. Package internal/proxy
// runs between the client and the server.
package proxy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/grantfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
)

// proxyVerb holds the flags of `elicit proxy`.
type proxyVerb struct {
	rules.Files
	ui         string
	protocol   string
	listen     string
	noOpen     bool
	journal    string
	journalKey string
	grants     string
	acpV2      bool
	reload     string
	stats      string

	o proxy.Options // what the other flags set
}

// NewCommand makes `elicit proxy`.
func NewCommand() *cobra.Command {
	var v proxyVerb
	cmd := cli.Verb("proxy", func(_ *cobra.Command, args []string) error {
		if v.o.ACPChain {
			return v.checkChain(args)
		}
		if len(args) == 0 {
			return errors.New("no server to run; put its command after --, as in `elicit proxy -- ./my-server`")
		}
		return nil
	}, v.run)
	v.Layers.AddFlags(cmd)
	v.Guardians.AddFlag(cmd)
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVar(&v.ui, "ui", "auto", "who is asked: auto, terminal, popup, browser, answers=`FILE`, client or none")
	cli.CompleteFlag(cmd, "ui", "auto", "terminal", "popup", "browser", "answers=", "client", "none")
	f.StringVar(&v.protocol, "protocol", string(relay.MCP),
		"`protocol` that both ends speak: mcp, acp for an agent in an editor, or codex for its app-server")
	cli.CompleteFlag(cmd, "protocol", string(relay.MCP), string(relay.ACP), string(relay.Codex))
	f.BoolVar(&v.acpV2, "acp-v2", true, "with --protocol acp, read version 2 of the protocol too")
	f.BoolVar(&v.o.ACPChain, "acp-chain", false,
		"with --protocol acp, be one proxy of a chain that a conductor runs; needs --name and takes no COMMAND")
	f.StringVar(&v.listen, "listen", "",
		"loopback `address` and port of the page of --ui browser; a free port by default")
	f.BoolVar(&v.noOpen, "no-open", false, "open no browser for --ui browser; print the link on stderr")
	f.StringVar(&v.journal, "journal", "",
		"`file` for the journal, or none; by default a new one in the directory that `elicit doctor` names")
	f.StringVar(&v.journalKey, "journal-key", "", journals.KeyUsage)
	f.StringVar(&v.grants, "grants", "",
		"`file` for your remembered answers; by default elicit/grants.json in your configuration directory")
	f.StringVar(&v.o.Name, "name", "", "name of the server, for policy and people")
	f.BoolVarP(&v.o.Verbose, "verbose", "v", false, "print on stderr what was asked, decided and answered, and why")
	f.IntVar(&v.o.MaxLine, "max-message", proxy.DefaultMaxLine, "longest message that passes, in `bytes`")
	f.DurationVar(&v.o.CompletionWait, "completion-wait", proxy.DefaultCompletionWait,
		"how long a call waits for the end of a visited page")
	f.DurationVar(&v.o.AnswerWithin, "answer-within", proxy.DefaultAnswerWithin,
		"how long the client may take for an answer, and if given, also the person at Elicit's own interface, who may "+
			"ask for more time; 0 sets no end")
	addLimitFlags(f)
	f.DurationVar(&v.o.Grace, "grace", proxy.DefaultGrace, "how long the server may take to end before it is killed")
	f.DurationVar(&v.o.KeepAlive, "keep-alive", proxy.DefaultKeepAlive,
		"time between progress notifications to a call that asked for them, while a question is open; 0 sends none")
	f.BoolVar(&v.o.HoldCalls, "hold-calls", false,
		"hold every call of a tool until policy or the person accepts it; the person may edit its arguments")
	f.StringVar(&v.reload, "reload", reloadChange,
		"`when` to read policies and guardians again: change, signal or never")
	f.StringVar(&v.stats, "stats", "", "loopback `address` and port that serve counters, latencies and Go's profiles; "+
		"stderr gets the link")
	cli.CompleteFlag(cmd, "reload", reloadChange, reloadSignal, reloadNever)
	return cmd
}

// checkChain checks the arguments of a proxy in a chain.
func (v *proxyVerb) checkChain(args []string) error {
	switch {
	case len(args) > 0:
		return errors.New("--acp-chain takes no command: the conductor starts the agent")
	case v.o.Name == "":
		return errors.New("--acp-chain needs --name: the name that policy and people use for the agent")
	}
	return nil
}

// run reads everything that can be wrong before the server is started.
func (v *proxyVerb) run(cmd *cobra.Command, command []string) error {
	o := v.o
	o.ClientIn, o.ClientOut, o.Notes = cmd.InOrStdin(), stdoutWriter{cmd.OutOrStdout()}, cmd.ErrOrStderr()
	o.Name, o.Identity, o.ACPv1 = v.serverName(command), identity(command), !v.acpV2
	if o.MaxLine < 1<<10 || o.MaxLine > 1<<30 {
		return fmt.Errorf("--max-message is %d; give something from %d to %d bytes", o.MaxLine, 1<<10, 1<<30)
	}
	if !slices.Contains([]string{reloadChange, reloadSignal, reloadNever}, v.reload) {
		return errors.New("--reload is " + cli.Quoted(v.reload) + "; give change, signal or never")
	}
	switch o.Protocol = relay.Protocol(v.protocol); {
	case !slices.Contains(relay.Protocols(), o.Protocol):
		return fmt.Errorf("--protocol is %q; give mcp, acp or codex", v.protocol)
	case o.Protocol != relay.ACP && (cmd.Flags().Changed("acp-v2") || o.ACPChain):
		return errors.New("--acp-v2 and --acp-chain are for --protocol acp only")
	case o.Protocol != relay.MCP && !cmd.Flags().Changed("ui"):
		v.ui = "client"
	}
	v.Layers.UseDefaultPlaces()
	seen := watch.Seen{}
	if err := v.Require(cmd, seen); err != nil {
		return err
	}
	o.Principal = v.Guardians.Principal
	limits, err := v.chooseUI(cmd, &o)
	if err != nil {
		return err
	}
	if err := overrideLimits(cmd.Flags(), &limits); err != nil {
		return err
	}
	serverNotes := shareTerminal(&o)
	if o.UI != nil {
		o.UI = asDesk(o.UI)
		defer o.UI.Close()
	}
	held := v.openGrants(&o)
	if o.AnswerWithin == 0 {
		o.AnswerWithin = -1
	}
	// The client has its own time in the machine: what it does not answer is declined, and not cancelled.
	if o.AnswerWithin > 0 && !o.ForwardToClient && cmd.Flags().Changed("answer-within") {
		limits.ShownTTLMS = new(int(max(o.AnswerWithin.Milliseconds(), 1)))
	}
	if o.Config, err = v.Config(limits, append(elicit.Grants{}, held...)); err != nil {
		return err
	}
	o.Drive.Guests = v.Guardians.Guests()
	v.Guardians.LogEvaluations(o.Notes, o.Verbose)
	o.Programs = v.Guardians.NewProgramRunner(o.Notes)
	defer o.Programs.Close()
	if v.reload != reloadNever {
		stop, err := v.startReloads(&o, limits, seen)
		if err != nil {
			return err
		}
		defer stop()
	}
	stop, err := v.startStats(&o)
	if err != nil {
		return err
	}
	defer stop()
	journal, err := v.startJournal(o.Name, o.Notes)
	if err != nil {
		return err
	}
	if journal != nil {
		defer journal.Close()
		o.Drive.Journal = timed(journal, o.Stats)
	}
	return serve(o, command, serverNotes)
}

// openGrants opens the file of grants. One that cannot be trusted or read answers nothing and is left as it is.
func (v *proxyVerb) openGrants(o *proxy.Options) []nouns.Grant {
	path, err := places.Grants(v.grants)
	if err != nil {
		return nil
	}
	file, held, err := grantfile.Open(path)
	if err != nil {
		fmt.Fprintf(o.Notes, "elicit proxy: %s\n", ui.Plain(err.Error()))
	}
	o.Grants = file
	return held
}

// startJournal opens the journal: the file of --journal, else one at the default place. It is nil for --journal none,
// and when there is no default place for one; then a note says why.
func (v *proxyVerb) startJournal(server string, notes io.Writer) (journals.Writer, error) {
	switch v.journal {
	case places.None:
		if v.journalKey != "" {
			return nil, journals.ErrKeyAlone
		}
		return nil, nil
	case "":
		if _, err := journalfile.ReadKey(v.journalKey); err != nil {
			return nil, err // a journal without the codes that were asked for is no journal
		}
		file, err := journals.CreateDefault(server, v.journalKey, notes)
		if err != nil {
			fmt.Fprintf(notes, "elicit proxy: no journal is kept: %s\n", ui.Plain(err.Error()))
			return nil, nil
		}
		return file, nil
	}
	file, err := v.openJournal(notes)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// openJournal opens the journal. Where it may not be written the server still has its client, and every question is
// refused.
func (v *proxyVerb) openJournal(notes io.Writer) (*journalfile.File, error) {
	file, err := journals.Create(v.journal, v.journalKey)
	if why := journalfile.Unwritable(err); why != nil {
		return journalfile.Lost(why), nil
	}
	switch {
	case err != nil:
		return nil, err
	case file.Name() != v.journal:
		fmt.Fprintf(notes, "elicit proxy: %s holds an earlier run; this one is kept in %s\n",
			ui.Plain(v.journal), ui.Plain(file.Name()))
	}
	return file, nil
}

// memoryGoal is the memory above which the garbage collector works harder. It has room for two messages of the greatest
// length, one that is read and one that is written. GOMEMLIMIT in the environment replaces it.
const memoryGoal = 160 << 20

// serve starts the server and proxies until it is gone.
func serve(o proxy.Options, command []string, serverNotes io.Writer) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	signal.Ignore(syscall.SIGPIPE) // a client that is gone shows as a failed write, not as our death
	o.Signals = signals
	var err error
	if o.ACPChain {
		o.Server = proxy.NoServer()
	} else if o.Server, err = proxy.Start(command, serverNotes); err != nil {
		return err
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
	code, err := proxy.Run(o)
	if err != nil {
		o.Server.Kill()
		return err
	}
	if code != 0 {
		return cli.Exit(code, nil)
	}
	return nil
}

// startReloads makes the proxy read its rules again while it runs, until stop is called.
func (v *proxyVerb) startReloads(o *proxy.Options, limits elicit.Limits, seen watch.Seen) (stop func(), err error) {
	bare, err := v.Config(limits, nil)
	if err != nil {
		return nil, err
	}
	l := &reloader{inForce: &v.Files, config: bare, engineConfig: o.Config, limits: limits, notes: o.Notes,
		verbose: o.Verbose}
	o.Reload = &proxy.Reload{Read: l.read, HungUp: terminalGone()}
	if v.reload != reloadChange {
		return func() {}, nil
	}
	l.watcher = watch.Start(watchInterval)
	l.watcher.Watch(seen)
	o.Reload.Changed = l.watcher.Changed
	return l.watcher.Close, nil
}

// serverName is --name or the last part of the command's path, without an extension only Windows needs.
func (v *proxyVerb) serverName(command []string) string {
	if v.o.Name != "" || len(command) == 0 {
		return v.o.Name
	}
	name := filepath.Base(command[0])
	if runtime.GOOS == "windows" {
		name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	}
	return name
}

// stdoutWriter is standard output. Close leaves it open; the end of the process closes it.
type stdoutWriter struct{ io.Writer }

func (stdoutWriter) Close() error { return nil }

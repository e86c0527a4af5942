// Package hook holds `elicit hook`, which a coding agent runs before it acts: it decides, asks at a desk, and answers
// the agent in the agent's own spelling.
package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// maxAnswerWithin is how long a person may take at most to answer at a desk.
const maxAnswerWithin = 24 * time.Hour

// hookVerb holds the flags of `elicit hook`.
type hookVerb struct {
	rules.Files
	journal, journalKey string
	grants              string
	onFailure           string
	ui                  string
	answerWithin        time.Duration
	events              []string
	printConfig         bool
}

// NewCommand makes `elicit hook`.
func NewCommand() *cobra.Command {
	var v hookVerb
	cmd := cli.Verb("hook", func(cmd *cobra.Command, args []string) error {
		return blocking(cli.Args(1, 1, "give the host whose hook this is")(cmd, args))
	}, func(cmd *cobra.Command, args []string) error { return blocking(v.run(cmd, hooks.Host(args[0]))) })
	cmd.Long = hostWords()
	v.Layers.AddFlags(cmd)
	v.Guardians.AddFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&v.journal, "journal", "",
		"`directory` for the journals, or none; by default the one that `elicit doctor` names")
	f.StringVar(&v.journalKey, "journal-key", "", journals.KeyUsage)
	f.StringVar(&v.grants, "grants", "",
		"`file` for your remembered answers; by default elicit/grants.json in your configuration directory")
	f.StringVar(&v.ui, "ui", "auto", "`where` a person is asked: auto, or host for the host's own prompt")
	cli.CompleteFlag(cmd, "ui", "auto", "host")
	f.DurationVar(&v.answerWithin, "answer-within", clientconfig.HookWait,
		"how long to wait for an answer; the host must wait longer for the hook")
	f.StringVar(&v.onFailure, "on-failure", "ask", "`what` to answer when nothing could be decided: ask or deny")
	cli.CompleteFlag(cmd, "on-failure", "ask", "deny")
	f.BoolVar(&v.printConfig, "print-config", false, "print the configuration of the host that runs this hook")
	f.StringSliceVar(&v.events, "event", nil, "with --print-config: only these `events`")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return blocking(cli.FlagError(cmd, err)) })
	return cmd
}

func hostIDs() []string { return each.Of(hooks.Hosts(), each.String) }

func hostWords() string { return strings.Join(hostIDs(), ", ") }

// blocking gives an error the exit code that hosts take for a denial. Other codes let the call run.
func blocking(err error) error {
	if err == nil {
		return nil
	}
	return cli.Exit(cli.Invalid, err)
}

func (v *hookVerb) run(cmd *cobra.Command, host hooks.Host) error {
	if !slices.Contains(hooks.Hosts(), host) {
		return fmt.Errorf("no host of hooks is called %s%s; give one of %s", cli.Quoted(string(host)),
			cli.DidYouMean(string(host), hostIDs()), hostWords())
	}
	if v.onFailure != "ask" && v.onFailure != "deny" {
		return errors.New("--on-failure is " + cli.Quoted(v.onFailure) + "; give ask or deny")
	}
	if v.ui != "auto" && v.ui != "host" {
		return errors.New("--ui is " + cli.Quoted(v.ui) + "; give auto or host")
	}
	if v.answerWithin < time.Second || v.answerWithin > maxAnswerWithin {
		return fmt.Errorf("--answer-within is %s; give something from %s to %s", v.answerWithin, time.Second, maxAnswerWithin)
	}
	if v.printConfig {
		return v.printConfiguration(cmd, host)
	}
	if len(v.events) > 0 {
		return errors.New("--event belongs to --print-config")
	}
	hook, verdict, failed := v.answer(cmd, host)
	answer, ok := hooks.Append(nil, host, hook.Event, verdict)
	if !ok {
		return errors.New(verdict.Reason)
	}
	if failed {
		fmt.Fprintln(cmd.ErrOrStderr(), "elicit hook: "+verdict.Reason)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", answer)
	v.keepMachineCode()
	return err
}

// keepMachineCode closes the guests, so that the next hook finds their machine code. The host waits for the end of this
// process, so it must not take long.
func (v *hookVerb) keepMachineCode() {
	closed := make(chan struct{})
	go func() {
		v.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(3 * time.Second):
	}
}

// answer reads the hook and decides it. A hook whose answer cannot be spelled has no event. When nothing could be
// decided, failed is true and the verdict is that of --on-failure.
func (v *hookVerb) answer(cmd *cobra.Command, host hooks.Host) (hook hooks.Hook, verdict hooks.Verdict, failed bool) {
	fail := func(why string) {
		failed = true
		verdict = v.unfitVerdict(host, hook.Event, ui.Plain(why))
	}
	defer func() {
		if fault := recover(); fault != nil {
			fail(fmt.Sprintf("internal error: %v", fault))
		}
	}()
	doc, err := readHook(cmd.InOrStdin())
	if err != nil {
		hook.Event = hooks.Unread(host)
		fail(err.Error())
		return hook, verdict, failed
	}
	hook, problems := hooks.Decode(host, doc)
	if problems != nil {
		if hook.Event == "" && !slices.ContainsFunc(problems, isUnknownEvent) {
			hook.Event = hooks.Unread(host)
		}
		fail("this hook cannot be read: " + sayProblems(problems))
		return hook, verdict, failed
	}
	if verdict, err = v.decide(cmd, host, hook); err != nil {
		fail(err.Error())
	}
	return hook, verdict, failed
}

// isUnknownEvent reports a hook of an event that is not known. No answer of another event may be printed for it,
// because the host might take that for no answer.
func isUnknownEvent(p elicit.Problem) bool { return p.Code == "hook_unknown_event" }

// readHook reads standard input up to the bound, so that a longer one is refused by its length.
func readHook(in io.Reader) ([]byte, error) {
	if file, ok := in.(*os.File); ok {
		if at, err := file.Stat(); err == nil && at.Mode()&os.ModeCharDevice != 0 && at.Name() != filepath.Base(os.DevNull) {
			return nil, errors.New("standard input is a terminal; a host writes the hook's JSON to it")
		}
	}
	doc, err := io.ReadAll(io.LimitReader(in, hooks.MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("the hook's JSON cannot be read: %w", err)
	}
	return doc, nil
}

func sayProblems(problems []elicit.Problem) string {
	return strings.Join(each.Of(problems[:min(len(problems), 3)], func(p elicit.Problem) string {
		return strings.TrimSpace(p.Pointer + " " + english.Problem(p))
	}), "; ")
}

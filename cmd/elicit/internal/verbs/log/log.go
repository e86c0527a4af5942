// Package log holds `elicit log`, which prints journals for people.
package log

import (
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
)

// logCommand holds the flags of `elicit log`.
type logCommand struct {
	view      logView
	head, key string
	utc       bool
	summary   bool
	verify    bool
	attention bool

	html, module string
}

// NewCommand makes `elicit log`.
func NewCommand() *cobra.Command {
	var l logCommand
	cmd := cli.Verb("log", cli.Args(0, 1,
		"give one journal, - for standard input, or nothing for those at the default place"),
		l.run)
	flags := cmd.Flags()
	l.view.filter.addFlags(cmd)
	flags.BoolVar(&l.verify, "verify", false,
		"print every record, and what proves the chain: the head's hash, how the run ended, the code of a key")
	flags.BoolVar(&l.summary, "summary", false, "count the questions by server and tool, and by what decided")
	flags.BoolVar(&l.attention, "attention", false,
		"tell how long questions were on the screen before the person answered them")
	flags.BoolVar(&l.view.follow, "follow", false,
		"wait for new records; without a file, for new questions in all journals")
	flags.BoolVar(&l.utc, "utc", false, "print times in UTC, not in local time")
	flags.BoolVar(&l.view.json, "json", false, "print a line of JSON for each record: seq, at, event, effects, hash; "+
		"then one with records, head, ended, keyed, verified")
	journals.AddKeyFlag(cmd, &l.key)
	flags.StringVar(&l.head, "head", "",
		"`hash` that a record of the journal must have, as an earlier run of this command printed it")
	flags.StringVar(&l.html, "html", "", "write a page for browsers to this `file`, which needs no network; - is stdout")
	flags.StringVar(&l.module, "module", "",
		"engine for the page of --html: `file` elicit-browser.wasm or elicit.wasm, or none")
	cmd.MarkFlagsMutuallyExclusive("summary", "attention", "follow", "html")
	cmd.MarkFlagsMutuallyExclusive("json", "html")
	_ = cmd.MarkFlagFilename("html", "html")
	_ = cmd.MarkFlagFilename("module", "wasm")
	return cmd
}

func (l *logCommand) run(cmd *cobra.Command, args []string) error {
	want, err := parseHead(l.head)
	if err != nil {
		return err
	}
	if l.view.zone = time.Local; l.utc {
		l.view.zone = time.UTC
	}
	if err := l.view.filter.read(time.Now(), l.view.zone); err != nil {
		return err
	}
	l.view.brief = !l.verify && !l.view.json && !l.view.follow && !l.summary && !l.attention && l.html == ""
	l.view.screen = cmd.OutOrStdout()
	switch {
	case l.summary:
		l.view.tally = &logSummary{}
	case l.attention:
		l.view.tally = &logAttention{}
	case l.html != "":
		if err := mayWritePage(l.html); err != nil {
			return err
		}
		l.view.page = newLogPage(cmd, l.view.filter.given(), l.utc, time.Now())
		l.view.untold = true
	case l.module != "":
		return errors.New("--module is for the page of --html")
	}
	if len(args) == 0 && want != nil {
		return errors.New("--head belongs to one journal; give its file")
	}
	defer startPager(cmd, !l.view.follow && !l.view.json && l.html == "")()
	switch {
	case len(args) == 0 && l.view.follow:
		return l.followKept(cmd)
	case len(args) == 0:
		err = l.printKept(cmd)
	default:
		err = l.printOne(cmd, args[0], want)
	}
	switch {
	case l.view.tally != nil:
		l.view.printTally(cmd.OutOrStdout())
	case l.view.page != nil && !errors.Is(err, errPageFull):
		err = errors.Join(err, l.writePage(cmd)) // also of a journal that is not whole; the page tells it
	}
	return err
}

func (l *logCommand) printOne(cmd *cobra.Command, name string, want *[32]byte) error {
	open := journals.Open
	if l.view.follow {
		open = followJournal
	}
	in, err := open(cmd, name, l.key)
	if err != nil {
		return err
	}
	defer in.Close()
	err = l.view.printJournal(cmd.OutOrStdout(), in, want)
	if errors.Is(err, syscall.EPIPE) {
		return nil // the person has left the pager
	}
	return err
}

// parseHead reads the hash of a record; it is nil for the text "".
func parseHead(text string) (*[32]byte, error) {
	if text == "" {
		return nil, nil
	}
	var hash [32]byte
	raw, err := hex.DecodeString(strings.ToLower(text))
	if err != nil || len(raw) != len(hash) {
		return nil, errors.New("--head is not a hash; give the 64 hex digits that `elicit log` printed as the head")
	}
	copy(hash[:], raw)
	return &hash, nil
}

// startPager sends what the command prints through $PAGER, when it prints to a terminal. The returned function waits
// until the person has left the pager.
func startPager(cmd *cobra.Command, wanted bool) (wait func()) {
	screen, isFile := cmd.OutOrStdout().(*os.File)
	words := strings.Fields(os.Getenv("PAGER"))
	if !wanted || len(words) == 0 || !isFile || !term.IsTerminal(screen.Fd()) {
		return func() {}
	}
	pager := exec.Command(words[0], words[1:]...)
	pager.Stdout, pager.Stderr = screen, os.Stderr
	if os.Getenv("LESS") == "" {
		pager.Env = append(os.Environ(), "LESS=FRX") // print a short text at once, obey colours, and leave it on the screen
	}
	in, err := pager.StdinPipe()
	if err == nil {
		err = pager.Start()
	}
	if err != nil {
		return func() {} // without the pager the text is as good
	}
	cmd.SetOut(in)
	cmd.SetErr(in)
	signal.Ignore(os.Interrupt) // it is for the pager, which would lose its terminal if this process ended before it
	return func() {
		in.Close()
		_ = pager.Wait()
		signal.Reset(os.Interrupt)
	}
}

package log

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/logpage"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// logPage collects what `elicit log --html` writes.
type logPage struct {
	*logpage.Page
	ids  map[*loggedQuestion]int // of the questions of the present journal that are not over
	next int

	filtered bool
}

// maxMessage bounds the text of a question in the list of a page. The records have all of it.
const maxMessage = 300

func newLogPage(cmd *cobra.Command, filtered, utc bool, now time.Time) *logPage {
	about := logpage.About{Made: now, UTC: utc, Version: cli.Version()}
	if filtered {
		about.Filters = []string{}
		for _, name := range []string{"server", "tool", "outcome", "reason", "since", "grep"} {
			if f := cmd.Flag(name); f.Changed {
				about.Filters = append(about.Filters, "--"+name+" "+cli.OneLine(strings.Join(cli.FlagValues(f), ",")))
			}
		}
	}
	return &logPage{Page: logpage.New(about), filtered: filtered}
}

func (p *logPage) begin(name string) {
	p.ids = map[*loggedQuestion]int{}
	p.Begin(cli.Cell(cli.ShortPath(name)))
}

// id numbers a question, -1 for none.
func (p *logPage) id(q *loggedQuestion) int {
	if q == nil {
		return -1
	}
	id, ok := p.ids[q]
	if !ok {
		id = p.next
		p.ids[q], p.next = id, p.next+1
	}
	return id
}

// show keeps a record, or the part of it that is about a question that matches.
func (p *logPage) show(e *logEntry) {
	if p.Full() {
		return
	}
	if p.filtered {
		p.Record(e.seq, e.json)
	}
	of := logpage.Entry{Seq: e.seq, At: e.at, Question: p.id(e.about), Line: ansi.Strip(e.line)}
	for _, l := range e.lines {
		of.Lines = append(of.Lines, logpage.Line{p.id(l.about), ansi.Strip(l.text)})
	}
	p.Entry(of)
}

// over keeps what is known of a question. The question may be over more than once; only the first time counts.
func (p *logPage) over(q *loggedQuestion) {
	id, ok := p.ids[q]
	if !ok {
		return
	}
	delete(p.ids, q)
	of := logpage.Question{ID: id, Seq: q.seq, Asked: q.asked, Drawn: q.drawn, Ended: q.ended, Server: q.server,
		Tool: cli.OneLine(q.tool), Message: plain.Cut(cli.OneLine(q.message), maxMessage),
		Outcome: cli.OneLine(string(q.outcome)),
		Cause:   cli.OneLine(string(q.cause)), Severity: cli.OneLine(string(q.severity)), Why: q.why()}
	p.Question(of)
}

// end ends a journal, with the questions that are open. The problem is why reading stopped early, nil for none.
func (p *logPage) end(in *journals.Input, records int64, head [32]byte, run *journals.RunEnd, problem error) {
	byID := func(a, b *loggedQuestion) int { return cmp.Compare(p.ids[a], p.ids[b]) }
	for _, q := range slices.SortedFunc(maps.Keys(p.ids), byID) {
		p.over(q)
	}
	of := logpage.Journal{Records: records, Head: fmt.Sprintf("%x", head), Ended: run.InOrder()}
	switch {
	case !in.Codes.Keyed:
	case in.Key == nil:
		of.Keyed = "It is keyed. The command had no key, so nobody has verified the codes."
	default:
		of.Keyed = "It is keyed. The command verified the code of every record with the key; the page cannot."
	}
	if problem != nil {
		of.Problem = cli.OneLine(problem.Error())
	}
	p.End(of)
}

var errPageFull = fmt.Errorf("a page holds at most %d records; choose fewer questions with --since or another flag",
	logpage.MaxEntries)

// writePage writes the page to a file that does not exist or is such a page already, or to stdout for "-".
func (l *logCommand) writePage(cmd *cobra.Command) error {
	module, from, err := pageModule(l.module)
	if err != nil {
		return err
	}
	if l.html == "-" {
		return l.view.page.Write(cmd.OutOrStdout(), module)
	}
	// The file is for its owner only, as a journal is.
	err = trustedfile.Replace(l.html, func(file *os.File) error { return l.view.page.Write(file, module) })
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", l.html, err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s: %s; the page verifies their chain by itself\n", cli.Cell(l.html),
		cli.Counted(l.view.page.Entries(), "record", "records"))
	switch {
	case l.view.filter.given():
		fmt.Fprintln(cmd.OutOrStdout(), "it has only the questions that match, so it cannot replay the journals")
	case module != nil:
		l.tellReplay(cmd.OutOrStdout(), cli.Cell(cli.ShortPath(from)))
	case l.module == "":
		fmt.Fprintln(cmd.OutOrStdout(), "it cannot replay them, because there is no elicit-browser.wasm beside this "+
			"program; give one with --module")
	}
	return nil
}

// tellReplay says which journals the page replays.
func (l *logCommand) tellReplay(w io.Writer, engine string) {
	large := l.view.page.TooLarge()
	switch {
	case len(large) == 0:
		fmt.Fprintf(w, "it replays them with the engine of %s\n", engine)
		return
	case len(large) < l.view.page.Journals():
		fmt.Fprintf(w, "it replays the other journals with the engine of %s\n", engine)
	}
	for _, name := range large[:min(len(large), 3)] {
		fmt.Fprintf(w, "it cannot replay %s, because a page reads journals of about 3 MB; "+
			"`elicit replay %[1]s` can\n", name)
	}
	if more := len(large) - 3; more > 0 {
		fmt.Fprintf(w, "it cannot replay %s for the same reason\n", cli.Counted(more, "more journal", "more journals"))
	}
}

// mayWritePage refuses a file that is something else. A journal named after --html by mistake would be lost.
func mayWritePage(name string) error {
	f, err := os.Open(name)
	if name == "-" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	defer f.Close()
	begin := make([]byte, len(logpage.Begin))
	n, _ := f.Read(begin)
	if string(begin[:n]) != logpage.Begin {
		return fmt.Errorf("%s exists and is no page of this command; --html takes the file to write, "+
			"and the journal comes after it", name)
	}
	return nil
}

// maxModule bounds a module. The engine's has less than 8 MB.
const maxModule = 64 << 20

// pageModule reads the engine for a page, and tells where it was. Without a name it looks where packages put it; "none"
// is for a page without an engine.
func pageModule(name string) ([]byte, string, error) {
	if name == "none" {
		return nil, "", nil
	}
	if name != "" {
		module, err := readModule(name)
		return module, name, err
	}
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		return nil, "", nil
	}
	dir := filepath.Dir(own)
	for _, place := range []string{dir, filepath.Join(dir, "..", "share", "elicit")} {
		for _, file := range []string{"elicit-browser.wasm", "elicit.wasm"} {
			path := filepath.Join(place, file)
			if _, err := os.Stat(path); err == nil {
				module, err := readModule(path)
				return module, path, err
			}
		}
	}
	return nil, "", nil
}

func readModule(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the module: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxModule {
		return nil, fmt.Errorf("%s is no module: a file of at most %d bytes is needed", name, maxModule)
	}
	module, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the module: %w", err)
	}
	if !bytes.HasPrefix(module, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, fmt.Errorf("%s is no WebAssembly module; give elicit-browser.wasm or elicit.wasm", name)
	}
	return module, nil
}

package log

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/pasttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/internal/must"
)

func TestMain(m *testing.M) { os.Exit(verbtest.Apart{M: m}.Run()) }

// printed runs a view over the records.
func printed(t *testing.T, p *pasttest.Past, view logView) string {
	t.Helper()
	view.zone = time.UTC
	in := &journals.Input{Name: "j"}
	in.Lines = journalfile.Lines(bytes.NewReader(p.Records.Bytes()), func(err error) { in.Err = err })
	var out bytes.Buffer
	must.OK(t, view.printJournal(&out, in, nil))
	if view.tally != nil {
		view.printTally(&out)
	}
	return out.String()
}

// TestAttention: only what was drawn and answered by the person counts, and what mattered is named.
func TestAttention(t *testing.T) {
	p := pasttest.New(`{}`)
	p.Open("git")
	for range 30 {
		p.Ask("git", "status", "Run status?", "accept", 400*time.Millisecond)
	}
	p.AskAll(elicit.Request{Session: "git", Tool: "reset", Message: "Reset?", Mode: elicit.Form,
		Annotations: elicit.Annotations{Destructive: elicit.SaidYes}, Schema: []byte(`{"type":"object","properties":{}}`)},
		"accept", 999*time.Millisecond)
	p.Ask("git", "push", "Push?", "accept", time.Second)
	p.Ask("git", "push", "Push?", "decline", 100*time.Millisecond)
	p.Ask("git", "push", "Push?", "", 0)
	want := `the person answered 33 questions

SHOWN FOR         ACCEPT  DECLINE  CANCEL
under 1 s         31      1        0
1 to 3 s          1       0        0
3 to 10 s         0       0        0
10 to 60 s        0       0        0
a minute or more  0       0        0

31 confirmations accepted in under a second; 1 destructive, 0 with a warning
  record 93, 2026-07-28 12:31:12, after 999 ms: git, tool reset “Reset?” (destructive)
`
	if got := printed(t, p, logView{tally: &logAttention{}}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLogGroupsRepeats: equal records in a row are printed once.
func TestLogGroupsRepeats(t *testing.T) {
	p := pasttest.New(`{"policy":{"user":{"version":1,"rules":[{"name":"never","when":{},"then":"decline"}]}}}`)
	p.Open("git")
	for range 40 {
		p.Refs++
		p.At = p.At.Add(time.Minute)
		p.Do(event.Asked{Request: elicit.Request{Session: "git", Ref: fmt.Sprint(p.Refs), Side: elicit.Answering,
			Message: "Again?", Mode: elicit.Form, Schema: []byte(`{"type":"object","properties":{}}`)}})
	}
	got := printed(t, p, logView{})
	if n := strings.Count(got, "Again?"); n != 1 {
		t.Errorf("the question is printed %d times:\n%s", n, got)
	}
	if !strings.Contains(got, "… and the same 39 more times, the last time in record 42, 2026-07-28 12:40:00\n") {
		t.Errorf("nothing tells of the repeats:\n%s", got)
	}
}

// appendTo moves the records of p to the end of a file.
func appendTo(t *testing.T, path string, p *pasttest.Past) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(p.Records.Bytes())
		p.Records.Reset()
		f.Close()
	}
	must.OK(t, err)
}

// TestLogFollows: new records are printed when they are written, and the journal's end ends nothing.
func TestLogFollows(t *testing.T) {
	p := pasttest.New(`{}`)
	p.Open("git")
	path := filepath.Join(t.TempDir(), "j")
	write := func() { appendTo(t, path, p) }
	write()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	cmd := NewCommand()
	cmd.SetContext(ctx)
	cmd.SetOut(w)
	cmd.SetArgs([]string{"--follow", "--utc", "--grep", "push|delete", path})
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Execute()
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	read := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the output ended before %q", want)
	}
	for _, what := range []string{"Push?", "Look?", "Delete?"} {
		p.Ask("git", "", what, "accept", time.Second)
		write()
		if what != "Look?" {
			read("asks: “" + what)
			read("replied accept")
		}
	}
	stop()
	read("2 of 3 questions match")
	for lines.Scan() {
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestLogPrintsNoHostileText: a journal that somebody forged has texts where the engine writes words of its own. None
// of them reaches the terminal as it is.
func TestLogPrintsNoHostileText(t *testing.T) {
	const hostile = `x\u001b]0;title\u0007\u202e\u200b\r\n`
	kept := []string{"event", "effect", "session", "id", "ref"}
	for _, also := range [][]string{nil, {"receipt", "kind", "cause", "outcome", "action", "via"},
		{"receipt", "kind", "outcome", "cause", "mode", "severity"}, {"code", "message", "tool", "url", "severity"}} {
		var forged pasttest.Past
		var chain, head = journal.Chain{}, journal.Head{}
		text := regexp.MustCompile(`"(\w+)":"[^"]*"`)
		source := pasttest.New(`{"policy":{"user":{"version":1,` +
			`"rules":[{"name":"n","when":{"tool":"no"},"then":"decline"}]}}}`)
		source.Open("git")
		source.AskAll(elicit.Request{Session: "git", Tool: "reset", Message: "Reset\x1b?", Mode: elicit.Form,
			Annotations: elicit.Annotations{Destructive: elicit.SaidYes}, Schema: pasttest.Confirm()}, "accept",
			time.Millisecond)
		source.Ask("git", "no", "No?", "", 0)
		source.Ask("git", "other", "Other?", "", 0)
		for line := range bytes.Lines(append(pasttest.Story(t), source.Records.Bytes()...)) {
			rec, ok := chain.Next(line)
			if !ok {
				chain = journal.Chain{}
				rec, _ = chain.Next(line)
			}
			forge := func(doc []byte) []byte {
				return text.ReplaceAllFunc(doc, func(m []byte) []byte {
					key := string(text.FindSubmatch(m)[1])
					if slices.Contains(kept, key) || slices.Contains(also, key) {
						return m
					}
					return []byte(`"` + key + `":"` + hostile + `"`)
				})
			}
			rec.Event, rec.Effects, rec.Seq = forge(rec.Event), forge(rec.Effects), head.Seq+1
			var record []byte
			record, head = journal.Append(nil, head, rec)
			forged.Records.Write(append(record, '\n'))
		}
		for name, view := range map[string]logView{"records": {}, "JSON": {json: true},
			"questions": {filter: questionFilter{tools: []string{"*"}}}, "summary": {tally: &logSummary{}},
			"attention": {tally: &logAttention{}}, "counts": {json: true, tally: &logSummary{}}} {
			for _, r := range printed(t, &forged, view) {
				if shown := string(r); r != '\n' && (r < ' ' || string(cli.EscapeInvisible([]byte(shown))) != shown) {
					t.Errorf("%s, kept %v: %U is printed\n%q", name, also, r, printed(t, &forged, view))
					break
				}
			}
		}
	}
}

// TestLogFollowsAllJournals: a question of a journal that is there and of one that begins later is printed, but no old
// question.
func TestLogFollowsAllJournals(t *testing.T) {
	dir, err := places.Journals()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	must.OK(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	write := func(name string, p *pasttest.Past) { appendTo(t, filepath.Join(dir, name), p) }
	old, next := pasttest.New(`{}`), pasttest.New(`{}`)
	old.Open("git")
	next.Open("files")
	old.Ask("git", "", "Long ago?", "accept", time.Second)
	write("1-git.jsonl", old)
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	notes, errs := io.Pipe()
	cmd := NewCommand()
	cmd.SetContext(ctx)
	cmd.SetOut(w)
	cmd.SetErr(errs)
	cmd.SetArgs([]string{"--follow"})
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Execute()
		w.Close()
		errs.Close()
	}()
	started := bufio.NewScanner(notes)
	if !started.Scan() || !strings.HasPrefix(started.Text(), "waiting for questions in ") {
		t.Fatalf("it says %q", started.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, notes) }()
	old.At, next.At = time.Now().Add(time.Hour), time.Now().Add(time.Hour)
	lines := bufio.NewScanner(r)
	expect := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), "Long ago") {
				t.Errorf("an old question is printed: %s", lines.Text())
			}
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the output ended before %q", want)
	}
	old.Ask("git", "", "Push?", "accept", time.Second)
	write("1-git.jsonl", old)
	expect("asks: “Push?”")
	expect("replied accept")
	next.Ask("files", "", "Remove?", "decline", time.Second)
	write("2-files.jsonl", next)
	expect("asks: “Remove?”")
	expect("replied decline")
	stop()
	for lines.Scan() {
		t.Errorf("at the end it says %q", lines.Text())
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

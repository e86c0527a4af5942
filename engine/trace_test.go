package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

var update = flag.Bool("update", false, "write the effects in testdata/traces anew")

// TestTraces runs the readable scripts in testdata/traces. In each,
//
//	# text            is for the reader
//	> 1000 {"event"…} is an input at that time; an answer may name its request #1, #2, … in order of appearance
//	< show …          is an effect that it brings about, without its journal record
func TestTraces(t *testing.T) {
	paths, err := filepath.Glob("testdata/traces/*.txt")
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d traces: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { runTrace(t, path) })
	}
}

func runTrace(t *testing.T, path string) {
	want := must.Read(t, path)
	var got, journal bytes.Buffer
	e, names := engine.New(), naming{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(want), "\n"), "\n") {
		if strings.HasPrefix(line, "< ") {
			continue
		}
		got.WriteString(line + "\n")
		input, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		records, effects := effect.Records(e.Step(traceInput(t, input, names)))
		for _, record := range records {
			journal.Write(append(record, '\n'))
		}
		names.render(effects)
		for _, next := range effects {
			got.WriteString("< " + tell(next, names) + "\n")
		}
	}
	if *update {
		must.Write(t, got.Bytes(), path)
	} else if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	if r := engine.Replay(journal.Bytes(), nil); r.Problem != nil {
		t.Errorf("the journal of this trace does not replay: %s", r.Problem.AppendJSON(nil))
	}
}

func traceInput(t *testing.T, line string, names naming) engine.Input {
	t.Helper()
	at, doc, _ := strings.Cut(line, " ")
	when, err := strconv.ParseInt(at, 10, 64)
	must.OK(t, err)
	given, problems := event.Read([]byte(doc))
	if given == nil {
		t.Fatalf("%s: %s", line, elicit.AppendList(nil, problems))
	}
	switch ev := given.(type) {
	case event.Answered:
		ev.ID = names.id(string(ev.ID), ev.ID)
		given = ev
	case event.Consulted:
		ev.ID = names.id(string(ev.ID), ev.ID)
		given = ev
	}
	return engine.Input{At: when, Event: given}
}

// tell writes an effect in a line that a newcomer can read.
func tell(next effect.Effect, names naming) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	switch ef := next.(type) {
	case effect.Show:
		say("show %s: %s asks %q", names[ef.ID], ef.Server, ef.Message)
		if ef.URL != "" {
			say(" and would open %s", ef.URL)
		}
		if ef.Deadline > 0 {
			say(", until %d", ef.Deadline)
		}
		if ef.Waiting > 0 {
			say(", %d more waiting", ef.Waiting)
		}
		for _, f := range ef.Findings {
			say("\n<   %s: %s", f.Severity, english.Finding(f))
		}
		tellReasons(&b, ef.Reasons)
	case effect.Reply:
		say("reply to %s (%s): %s, because %s", ef.Ref, names[ef.ID], ef.Outcome, english.Ended(ef.Cause, ef.Reasons))
		if ef.Content != nil {
			say("\n<   content %s", ef.Content)
		}
		tellProblems(&b, ef.Problems)
		if ef.Cause != elicit.ByUser {
			tellReasons(&b, ef.Reasons)
		}
	case effect.Withdraw:
		say("withdraw %s: %s", names[ef.ID], english.Cause(ef.Cause))
	case effect.OpenURL:
		say("open %s for %s", ef.URL, names[ef.ID])
	case effect.Resolve:
		say("resolve %s: page %s", names[ef.ID], ef.Resolution)
	case effect.Wake:
		say("wake at %d", ef.At)
	case effect.Consult:
		say("ask guardian %s about %s, until %d: %s", ef.Guardian, names[ef.ID], ef.Deadline, ef.Question)
	case effect.Problem:
		say("problem")
		tellProblems(&b, ef.Problems)
	}
	return b.String()
}

func tellProblems(b *strings.Builder, problems []elicit.Problem) {
	for _, p := range problems {
		fmt.Fprintf(b, "\n<   %s: %s", strings.TrimPrefix(p.Pointer, "/"), english.Problem(p))
	}
}

func tellReasons(b *strings.Builder, reasons []elicit.Reason) {
	for _, r := range reasons {
		fmt.Fprintf(b, "\n<   %s", english.Reason(r))
	}
}

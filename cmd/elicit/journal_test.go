package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/pasttest"
)

// writeStory writes the story's journal: journal FILE
func writeStory(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: journal FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pasttest.Story(fataler{ts}), 0o600))
}

type fataler struct{ ts *testscript.TestScript }

func (f fataler) Fatal(args ...any) { f.ts.Fatalf("%v", args) }

func TestStoryIsTheSameEveryTime(t *testing.T) {
	if a, b := pasttest.Story(t), pasttest.Story(t); !bytes.Equal(a, b) {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

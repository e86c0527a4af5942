package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// writeStory writes the story's journal: journal FILE
func writeStory(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: journal FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), play(fataler{ts}), 0o600))
}

type fataler struct{ ts *testscript.TestScript }

func (f fataler) Fatal(args ...any) { f.ts.Fatalf("%v", args) }

func TestStoryIsTheSameEveryTime(t *testing.T) {
	if a, b := play(t), play(t); !bytes.Equal(a, b) {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAHeldCallIsDeclinedWithANote: the client's model reads what the person has written.
func TestAHeldCallIsDeclinedWithANote(t *testing.T) {
	t.Parallel()
	p := callBehind(t, "elicit proxy --hold-calls --name demo", "deploy")
	p.Wait("demo asks, running deploy", "deploy: {}", "^N note", "^E edit")
	p.Keys("C-n")
	p.Wait("the model reads it if you decline")
	p.Type("Not on a Friday.")
	p.Keys("C-s")
	p.Wait("✎ note: Not on a Friday.")
	p.Keys("C-x")
	p.Wait("said: The user declined this tool call. The user says: Not on a Friday.", "call ended")
}

// TestAHeldCallGoesOnWithEditedArguments: the server gets what the person typed, and the log says so.
func TestAHeldCallGoesOnWithEditedArguments(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	p := callBehind(t, "elicit proxy --hold-calls --name demo --journal "+journal, "deploy")
	p.Wait("deploy: {}", "^E edit")
	p.Keys("C-e")
	p.Wait("Arguments of the call")
	p.Keys("BSpace")
	p.Keys("C-s")
	p.Wait("✗ line 1 is not JSON")
	p.Type(`"why":"now"}`)
	p.Keys("C-s")
	p.Wait("✎ edited arguments:", `{"why":"now"}`)
	p.Keys("y", "Enter")
	p.Wait("Deploy shop to production?") // the question of the server, which has the call now
	p.Keys("C-x")
	p.Wait("said: Declined: nothing was done.", "call ended")
	out, err := exec.Command("elicit", "log", "--verify", journal).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the person edited the arguments: {\"why\":\"now\"}") {
		t.Fatalf("%v: the log does not tell of the edit:\n%s", err, out)
	}
}

// TestAHeldCallLineByLine: a screen reader's way has the same choices.
func TestAHeldCallLineByLine(t *testing.T) {
	t.Parallel()
	p := callBehind(t, "env ELICIT_ACCESSIBLE=1 elicit proxy --hold-calls --name demo", "deploy")
	p.Wait("n. Write a note: the model reads it if you decline", "e. Edit the arguments of the call", "Your choice:")
	p.Type("n")
	p.Keys("Enter")
	p.Wait("An empty line ends it.")
	p.Type("Not on a Friday.")
	p.Keys("Enter", "Enter")
	p.Until("with the choices again", func(screen string) bool { return strings.Count(screen, "Your choice:") == 2 })
	p.Type("2")
	p.Keys("Enter")
	p.Wait("said: The user declined this tool call. The user says: Not on a Friday.", "call ended")
}

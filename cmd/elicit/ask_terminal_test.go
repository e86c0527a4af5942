package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// everyKind has a field of every kind and widget.
const everyKind = `{"type":"object","properties":{
"name":{"type":"string","title":"Service name","description":"How it is called.","minLength":3,"maxLength":20},
"email":{"type":"string","format":"email"},
"env":{"type":"string","title":"Environment",
"oneOf":[{"const":"p","title":"Production"},{"const":"s","title":"Staging"}]},
"region":{"type":"string","enum":["eu","us"],"default":"us"},
"replicas":{"type":"integer","minimum":0,"maximum":10,"default":0},
"ratio":{"type":"number"},
"dry":{"type":"boolean","title":"Dry run","default":false},
"tell":{"type":"boolean","title":"Notify"},
"sure":{"type":"boolean","title":"Are you sure?"},
"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"minItems":1,"maxItems":2},
"token":{"type":"string","title":"API token"},
"notes":{"type":"string","maxLength":500}
},"required":["name","env","sure"]}`

const oneField = `{"type":"object","properties":{"env":{"type":"string","enum":["p","s"]},` +
	`"n":{"type":"integer","default":0}},` +
	`"required":["env"]}`

// asking is `elicit ask` in a terminal. After its end the screen shows its output and exit code.
type asking struct {
	*terminaltest.Terminal
	dir string
}

func startAsking(t *testing.T, width, height int, schema, args string, env ...string) asking {
	t.Helper()
	dir := t.TempDir()
	must.Write(t, schema, dir, "schema.json")
	if schema != "" {
		args = "--schema schema.json " + args
	}
	command := "cd " + dir + "; env " + strings.Join(env, " ") +
		" sh -c 'echo $$ >pid; exec elicit ask \"$@\"' - " + args + " >out </dev/null; echo exit $?; cat out"
	return asking{terminaltest.Open(t, width, height, command), dir}
}

// signal sends SIGTERM to the elicit that runs in this directory.
func (a asking) signal() {
	a.Wait("a script asks")
	_ = exec.Command("sh", "-c", "kill -TERM $(cat "+filepath.Join(a.dir, "pid")+")").Run()
	// the end shows whether it came
}

// ends waits for the end and compares the exit code and stdout.
func (a asking) ends(t *testing.T, exit, stdout string) {
	t.Helper()
	a.Wait("exit ")
	screen := a.Wait("exit " + exit)
	out := must.Text(t, a.dir, "out")
	if got := strings.TrimSpace(out); got != stdout {
		t.Errorf("stdout: got %s, want %s\n%s", got, stdout, screen)
	}
}

func TestTerminalFillsEveryKindOfField(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 90, 70, everyKind, "--message 'Fill it in' --server demo")
	a.Wait("demo asks", "Fill it in", "Service name *", "How it is called.", "required · 3–20 characters",
		"Environment *", "(choose one)", "[No]", "[Leave open]", "asks for a secret")
	a.Type("api")
	a.Keys("Tab")
	a.Type("ann@example.org")
	a.Keys("Tab", "Down", "Down", "Tab", "Up", "Enter", "BSpace")
	a.Type("7")
	a.Keys("Tab")
	a.Type("0.50")
	a.Keys("Tab", "y", "Tab", "n", "Tab", "Left", "Tab", "Space", "Down", "Down", "Space", "Tab")
	a.Type("s3cret")
	if screen := a.Wait("******"); strings.Contains(screen, "s3cret") {
		t.Errorf("the secret is on the screen:\n%s", screen)
	}
	a.Keys("Tab")
	a.Type("one")
	a.Keys("C-j")
	a.Type("two")
	a.Keys("Tab")
	a.Wait("two", "┃  [Submit]")
	a.Keys("Enter")
	a.ends(t, "0", `{"name":"api","email":"ann@example.org","env":"s","region":"eu","replicas":7,"ratio":0.50,`+
		`"dry":true,"tell":false,"sure":true,"tags":["a","c"],"token":"s3cret","notes":"one\ntwo"}`)
}

func TestTerminalShowsProblemsAtTheField(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 90, 70, everyKind, "--message x")
	a.Wait("Service name")
	a.Type("ab")
	a.Keys("Tab")
	a.Wait("✗ at least 3 characters; 2 now")
	a.Type("nowhere")
	a.Keys("BTab") // a field with a problem does not keep the focus
	a.Type("c")
	a.Gone("at least 3 characters; 2 now")
	a.Keys("C-s")
	a.Wait("3 answers need your attention", "┃ ▌ Email")
	a.Type("@example.org")
	a.Keys("Tab", "Down", "C-s")
	a.Wait("one answer needs your attention", "┃ ▌ Are you sure? *")
	a.Type("n")
	a.Keys("C-s")
	a.ends(t, "0", `{"name":"abc","email":"nowhere@example.org","env":"p",`+
		`"region":"us","replicas":0,"dry":false,"sure":false}`)
}

func TestTerminalChoosesNothingForThePerson(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 80, 30, oneField, "--message x")
	a.Wait("(choose one)")
	a.Keys("Enter", "Enter", "Enter")
	a.Wait("one answer needs your attention", "┃ ▌ Env *")
	a.Keys("Down", "C-s")
	a.ends(t, "0", `{"env":"p","n":0}`)
}

func TestTerminalEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []string
		exit string
	}{
		{"escape cancels", []string{"Escape"}, "4"},
		{"ctrl-c cancels", []string{"C-c"}, "4"},
		{"ctrl-x declines", []string{"C-x"}, "3"},
		{"the decline button", []string{"Tab", "Tab", "Right", "Enter"}, "3"},
		{"the cancel button", []string{"Tab", "Tab", "Tab", "Tab", "Enter"}, "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := startAsking(t, 80, 30, oneField, "--message x")
			a.Wait("(choose one)")
			a.Keys(c.keys...)
			a.ends(t, c.exit, "")
		})
	}
}

func TestTerminalConfirmation(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 80, 24, "", "--message 'Deploy \x1b[31mnow\u202e?'")
	screen := a.Wait("Deploy <U+001B>[31mnow<U+202E>?", "Accept     Decline     Cancel")
	if strings.Contains(screen, "[Accept]") {
		t.Errorf("agreement is preselected:\n%s", screen)
	}
	a.Keys("Enter", "C-s", "Right") // an accidental Enter agrees to nothing
	a.Wait("[Accept]")
	a.Keys("Enter")
	a.ends(t, "0", "{}")
}

func TestTerminalConsent(t *testing.T) {
	t.Parallel()
	visit := filepath.Join(t.TempDir(), "visited")
	browser := filepath.Join(t.TempDir(), "browser")
	must.OK(t, os.WriteFile(browser, []byte("#!/bin/sh\necho \"$#:$1\" >"+visit+"\n"), 0o700))
	url := "https://login.example.com.evil.test:8443/a?b=1"
	a := startAsking(t, 80, 24, "", "--message 'Sign in' --url '"+url+"'", "ELICIT_BROWSER="+browser)
	a.Wait("https://[login.example.com.evil.test]:8443/a?b=1", "Open login.example.com.evil.test",
		"Decline", "Cancel", "8443")
	a.Keys("Enter", "Right")
	a.Wait("[Open login.example.com.evil.test]")
	if _, err := os.Stat(visit); err == nil {
		t.Error("the page was opened before anybody agreed")
	}
	a.Keys("Enter")
	a.ends(t, "0", "")
	if got, _ := os.ReadFile(visit); string(got) != "1:"+url+"\n" {
		t.Errorf("browser got %q", got)
	}
}

func TestTerminalRunsOutOfTime(t *testing.T) {
	a := startAsking(t, 80, 24, "", "--message x --timeout 1500ms")
	a.Wait("left", "Accept")
	a.Wait("elicit: cancel: nobody answered in time")
	a.ends(t, "4", "")
}

func TestTerminalLineByLine(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 90, 50, oneField, "--message 'Fill in'", "ELICIT_ACCESSIBLE=1")
	a.Wait("| Fill in", "| Env *", "(required)", "1. p", "2. s")
	a.Keys("7", "Enter")
	a.Wait("✗ type a number from 1 to 2")
	a.Keys("2", "Enter")
	a.Wait("empty line keeps 0")
	a.Keys("x", "Enter")
	a.Wait("✗ ")
	a.Keys("Enter")
	a.Wait("1. Submit", "2. Decline", "3. Cancel")
	a.Keys("1", "Enter")
	a.ends(t, "0", `{"env":"s","n":0}`)
}

func TestTerminalLineByLineCancels(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 90, 50, oneField, "--message 'Fill in'", "TERM=dumb")
	a.Wait("1. p")
	a.Keys("!", "Enter")
	a.ends(t, "4", "")
}

func TestTerminalScrollsLongMessages(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 60, 20, oneField, "--message \"$(seq -f 'line %g.' 1 40)\"")
	a.Wait("… 36 more lines: PgUp, PgDn", "Env *")
	for range 50 {
		a.Keys("PPage", "NPage", "NPage")
	}
	a.Wait("▌ line 40.", "… the end: PgUp, PgDn", "Env *")
	a.Keys("Escape")
	a.ends(t, "4", "")
}

func TestTerminalSearchesLongLists(t *testing.T) {
	t.Parallel()
	var choices []string
	for i := range 300 {
		choices = append(choices, fmt.Sprintf(`"city-%d"`, i))
	}
	schema := `{"type":"object","properties":{"city":{"type":"string","enum":[` + strings.Join(choices, ",") +
		`]}},"required":["city"]}`
	a := startAsking(t, 80, 24, schema, "--message x")
	a.Wait("(choose one)", "/ searches")
	a.Keys("/")
	a.Type("nowhere")
	a.Gone("city-1")
	a.Keys("Escape") // ends the search, not the question
	a.Wait("(choose one)", "city-1")
	a.Keys("/")
	a.Type("299")
	a.Wait("> city-299")
	a.Keys("Enter")
	a.Wait("* city-299", "┃  [Submit]")
	a.Keys("Enter")
	a.ends(t, "0", `{"city":"city-299"}`)
}

func TestTerminalKeepsTheAddressInSight(t *testing.T) {
	t.Parallel()
	a := startAsking(t, 60, 20, "", "--url http://login.example.org/ --message \"$(seq 1 500)\"")
	a.Wait("http://[login.example.org]/", "the connection is not encrypted", "Open login.example.org",
		"PgUp, PgDn", "esc cancel")
	a.Keys("Escape")
	a.ends(t, "4", "")
}

// TestTerminalSurvivesSignals: the terminal is usable after a signal, also when a hidden line was being read.
func TestTerminalSurvivesSignals(t *testing.T) {
	t.Parallel()
	secret := `{"type":"object","properties":{"password":{"type":"string"}}}`
	for _, c := range []struct {
		name, sees string
		env        []string
		signal     func(asking)
	}{
		{"terminated on the screen", "Password", nil, func(a asking) { a.signal() }},
		{"terminated line by line", "empty line", []string{"ELICIT_ACCESSIBLE=1"}, func(a asking) { a.signal() }},
		{"ctrl-c line by line", "empty line", []string{"ELICIT_ACCESSIBLE=1"}, func(a asking) { a.Keys("C-c") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := startAsking(t, 80, 30, secret, "--message x", c.env...)
			a.Wait(c.sees)
			c.signal(a)
			a.ends(t, "4", "")
			a.Type("can you read this")
			a.Wait("can you read this")
		})
	}
}

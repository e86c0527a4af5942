package verbs

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var flagName = regexp.MustCompile(`--[a-z][a-z-]+`)

// TestManualHasEveryCommandAndFlag: the page is made of the help, and leaves nothing out.
func TestManualHasEveryCommandAndFlag(t *testing.T) {
	root := NewRoot()
	page := manualPage(root, "2026-07-28")
	sections := 0
	var look func(*cobra.Command)
	look = func(of *cobra.Command) {
		for _, cmd := range of.Commands() {
			look(cmd)
			if cmd.Hidden || !cmd.Runnable() || cmd.HasAvailableSubCommands() || !cmd.IsAvailableCommand() {
				continue
			}
			_, section, ok := strings.Cut(page, "\n.SS \""+quotedArgument(cmd.UseLine())+"\"\n")
			if sections++; !ok {
				t.Errorf("the page has no section for %s", cmd.CommandPath())
				continue
			}
			section, _, _ = strings.Cut(section, "\n.SS ")
			for _, flag := range flagName.FindAllString(cmd.LocalFlags().FlagUsages(), -1) {
				if flag != "--help" && !strings.Contains(section, roff(flag)) {
					t.Errorf("the section of %s has no %s", cmd.CommandPath(), flag)
				}
			}
		}
	}
	look(root)
	if sections < 30 {
		t.Errorf("only %d commands were looked at", sections)
	}
	if !strings.Contains(page, `.TH ELICIT 1 "2026-07-28"`) {
		t.Error("the page has no date")
	}
}

func TestRoffPrintsATextAsItIs(t *testing.T) {
	for text, want := range map[string]string{
		`.SH x`: `\&.SH x`, `'a' \n`: `\(aqa\(aq \en`, "use `elicit log`": `use \fBelicit log\fR`, "a-b": `a\-b`,
	} {
		if got := roffLine(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestManualIsWellFormed asks the formatters that are here.
func TestManualIsWellFormed(t *testing.T) {
	page := manualPage(NewRoot(), "2026-07-28")
	if strings.ContainsFunc(page, func(r rune) bool { return r > '~' }) {
		t.Error("the page has characters that not every formatter knows")
	}
	checked := false
	for _, words := range [][]string{
		{"mandoc", "-T", "lint", "-W", "warning"},
		{"groff", "-man", "-ww", "-z"},
		{"man", "--warnings", "-l", "-Tutf8", "-Z", "-"},
	} {
		if _, err := exec.LookPath(words[0]); err != nil {
			continue
		}
		checked = true
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdin = strings.NewReader(page)
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if words[0] == "mandoc" {
			said.Write(out)
		}
		if err != nil || said.Len() > 0 {
			t.Errorf("%s: %v\n%s", words[0], err, said.Bytes())
		}
	}
	if !checked {
		t.Skip("neither mandoc nor groff nor man is installed")
	}
}

// TestHelp: every verb has a text and examples of itself, and every section of the texts has a verb.
func TestHelp(t *testing.T) {
	withoutExample := map[string]bool{"elicit doctor": true, "elicit status": true, "elicit version": true,
		"elicit grants list": true}
	verbs := map[string]bool{}
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		verbs[path] = true
		does := !cmd.Hidden && !cmd.HasSubCommands()
		if does && cmd.Long == "" {
			t.Errorf("help.txt has no section for %s", path)
		}
		if does && withoutExample[path] == strings.Contains(cmd.Example, path) {
			t.Errorf("%s: its examples are %q", path, cmd.Example)
		}
		for _, verb := range cmd.Commands() {
			check(verb)
		}
	}
	check(NewRoot())
	for line := range strings.Lines(helpText) {
		if path, is := strings.CutPrefix(line, "# "); is && !verbs[strings.TrimSpace(path)] {
			t.Errorf("help.txt explains %q, which is no verb", path)
		}
	}
	if len(verbs) < 45 {
		t.Errorf("%d verbs", len(verbs))
	}
}

package house

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/must"
)

const (
	mostWritten = 27_000
	mostWords   = 60_000
)

// readme returns the only block of README.md in a language. Tests beside each binding run the blocks of the other
// languages in the same way.
func readme(t *testing.T, language string) string {
	t.Helper()
	blocks := strings.Split(must.Text(t, "README.md"), "\n```"+language+"\n")
	if len(blocks) != 2 {
		t.Fatalf("README.md has %d blocks of %s, not one", len(blocks)-1, language)
	}
	block, _, _ := strings.Cut(blocks[1], "\n```\n")
	return block + "\n"
}

// TestReadmeProgram runs the Go program of README.md as it stands. It asks its person, and answers the server.
func TestReadmeProgram(t *testing.T) {
	file := must.Write(t, readme(t, "go"), t.TempDir(), "main.go")
	program := strings.TrimSuffix(file, ".go")
	run(t, ".", nil, "go", "build", "-o", program, file)
	command := exec.Command(program)
	in, out := must.Start(t, command)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Go on?",`+
		`"requestedSchema":{"type":"object","properties":{}}}}`)
	lines := bufio.NewScanner(out)
	for _, want := range []string{"backup asks: Go on?",
		`server: {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("the program prints %q, not %q", lines.Text(), want)
		}
	}
	in.Close()
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

// TestReadmePolicy: the policies of pages that begin with one have no problems, and README.md is short.
func TestReadmePolicy(t *testing.T) {
	for _, name := range []string{"README.md", "docs/policy.md", "docs/administrator.md"} {
		blocks := strings.Split(must.Text(t, name), "\n```json\n")[1:]
		for _, block := range blocks {
			document, _, _ := strings.Cut(block, "\n```\n")
			if _, problems := policy.Parse(policy.User, []byte(document)); len(problems) > 0 {
				t.Error(name, problems)
			}
		}
		if len(blocks) == 0 {
			t.Errorf("%s has no policy", name)
		}
	}
	if n := len(strings.Fields(must.Text(t, "README.md"))); n > 900 {
		t.Errorf("README.md has %d words; at most 900", n)
	}
}

// word has a letter or a digit. The bars of tables are no words.
var word = regexp.MustCompile(`\S*[\pL\pN]\S*`)

// TestPagesAreFew holds the words of the pages: those that people write and read, and those with the references.
func TestPagesAreFew(t *testing.T) {
	written, all := 0, 0
	for _, name := range listedByGit(t, "docs/*.md") {
		n := len(word.FindAllString(must.Text(t, name), -1))
		if all += n; !strings.HasPrefix(name, "docs/reference/") {
			written += n
		}
	}
	t.Logf("docs has %d words by hand, and %d in all", written, all)
	if written > mostWritten || all > mostWords || all < 20_000 {
		t.Errorf("docs has %d words by hand, at most %d, and %d in all, at most %d: cut before you add", written,
			mostWritten, all, mostWords)
	}
}

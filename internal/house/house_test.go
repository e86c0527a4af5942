package house

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/internal/must"
)

// code lists the languages to which the rules for files apply, by extension. Markdown, data and lock files are not
// code.
var code = []string{".go", ".sh", ".c", ".h", ".hpp", ".cpp", ".lua", ".ts", ".mts", ".mjs", ".js", ".py", ".rs",
	".java", ".css", ".html", ".cmake", ".in", ".wit", ".el"}

// generated begins a file that a program writes, in the comment of its language.
var generated = regexp.MustCompile(`^(//|#|--) Code generated `)

// sources returns the files of code in git and those that would be added, without generated ones.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	for _, name := range listedByGit(t) {
		if !slices.Contains(code, filepath.Ext(name)) && name != ".ci/run" || made(name) {
			continue
		}
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // removed and not yet committed
		} else if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := bytes.Cut(text, []byte("\n")); !generated.Match(first) {
			found[name] = text
		}
	}
	if len(found) < 500 {
		t.Fatalf("only %d files of code: the test has lost its subject", len(found))
	}
	return found
}

// listedByGit returns the names of the files in git and of those that would be added.
func listedByGit(t *testing.T, patterns ...string) []string {
	t.Helper()
	args := append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard"}, patterns...)
	return strings.Split(strings.TrimSuffix(run(t, ".", nil, "git", args...), "\x00"), "\x00")
}

// made reports whether a bundler writes the file: the pages that the command and ask/page embed.
func made(name string) bool {
	return strings.HasPrefix(name, "cmd/elicit/internal/browser/page/") || strings.HasPrefix(name, "ask/page/files/")
}

// harnesses are packages that only tests import, and programs that only tests and ./build.sh run to test others. The
// tests of other projects import two of them: store/storetest for their stores, and plugins/tck for their hosts.
var harnesses = []string{"internal/hostkit", "internal/loops", "internal/must", "internal/mutants", "internal/pages",
	"internal/redteam", "internal/swarm", "internal/vectors", "plugins/internal/assemble", "plugins/tck",
	"store/storetest", "wasm/hosts"}

// isBelow reports whether a file or directory is one of these directories or below one.
func isBelow(name string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(name+"/", dir+"/") })
}

// isTest reports whether a file is a test, or stands in for a peer in one.
func isTest(name string) bool {
	in := func(dir string) bool { return strings.Contains("/"+name, "/"+dir+"/") }
	return isBelow(name, harnesses) || strings.HasSuffix(name, "_test.go") || in("test") || in("tests") || in("testdata")
}

// TestFileLengths keeps files small, in every language: 400 lines of code, 600 of test.
func TestFileLengths(t *testing.T) {
	for name, text := range sources(t) {
		most := 400
		if isTest(name) {
			most = 600
		}
		if n := bytes.Count(text, []byte("\n")); n > most {
			t.Errorf("%s has %d lines; at most %d: split it by subject", name, n, most)
		}
	}
}

const (
	widest    = 120
	longLines = "testdata/house/long_lines.json"
)

// TestLineWidths keeps lines to 120 columns. Files that had longer lines before this rule are listed with their number
// of long lines. That number may only fall: -update lowers it, and nothing raises it. Word tables are listed too,
// because a table with a row a line reads better.
func TestLineWidths(t *testing.T) {
	var allowed map[string]int
	raw, err := os.ReadFile(longLines)
	if err == nil {
		err = json.Unmarshal(raw, &allowed)
	}
	must.OK(t, err)
	left, total := map[string]int{}, 0
	for name, text := range sources(t) {
		at, long := 0, []int(nil)
		for line := range bytes.Lines(text) {
			at++
			if utf8.RuneCount(bytes.TrimRight(line, "\r\n")) > widest {
				long = append(long, at)
			}
		}
		n := len(long)
		if n > allowed[name] {
			t.Errorf("%s has %d lines over %d columns, at most %d: wrap one of the lines %v", name, n, widest,
				allowed[name], long)
		}
		if n = min(n, allowed[name]); n > 0 {
			left[name] = n
			total += n
		}
	}
	t.Logf("%d long lines in %d files", total, len(left))
	if *update {
		must.Write(t, listed(left), longLines)
	} else if !maps.Equal(left, allowed) {
		t.Errorf("%s allows more than there is; run: go test ./internal/house -run TestLineWidths -update", longLines)
	}
}

// listed returns a map as JSON, one file a line.
func listed(counts map[string]int) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("  %q: %d", name, counts[name]))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
}

// TestEveryPackageHasAnExample checks that every public package has an example.
func TestEveryPackageHasAnExample(t *testing.T) {
	const form = `{{if ne .Name "main"}}{{.ImportPath}}|{{.Dir}}|` +
		`{{range .TestGoFiles}}{{.}} {{end}}{{range .XTestGoFiles}}{{.}} {{end}}|{{len .GoFiles}}{{end}}`
	examples := 0
	list := run(t, ".", nil, "go", "list", "-f", form, modulePath+"/...")
	for line := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
		parts := strings.Split(line, "|")
		if len(parts) != 4 || strings.Contains(parts[0], "/internal/") ||
			withoutExample[strings.TrimPrefix(parts[0], modulePath+"/")] != "" {
			continue
		}
		here := 0
		for file := range strings.FieldsSeq(parts[2]) {
			here += bytes.Count(must.Read(t, parts[1], file), []byte("\nfunc Example"))
		}
		if here == 0 {
			t.Errorf("%s has no example: write one in its example_test.go", parts[0])
		}
		examples += here
	}
	if examples < 20 {
		t.Errorf("%d examples; at least 20", examples)
	}
}

// withoutExample names packages that no one imports, with the reason why they exist.
var withoutExample = map[string]string{
	"plugins/guests":          "holds the tests of the guardians beside it",
	"plugins/pdk/go/template": "is copied by `elicit guardian new`, not imported",
	"plugins/tck/attack":      "makes the hostile modules of plugins/tck; its tests are the only callers",
}

var link = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)

// TestDocsLinks checks that every file that a page names exists.
func TestDocsLinks(t *testing.T) {
	pages, links := 0, 0
	for _, name := range listedByGit(t, "*.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // removed and not yet committed, or the empty name at the end
		}
		pages++
		for _, found := range link.FindAllSubmatch(text, -1) {
			to := string(found[1])
			if strings.Contains(to, ":") {
				continue // an address
			} else if to == "…" {
				continue // in a sentence about links
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), filepath.FromSlash(to))); err != nil {
				t.Errorf("%s links to %s, which is not there", name, to)
			}
		}
	}
	if pages < 20 || links < 100 {
		t.Errorf("%d links on %d pages: the test has lost its subject", links, pages)
	}
}

var update = flag.Bool("update", false, "write the pages and lists that tests compare")

// TestMain runs the tests in the top directory, so that they name files as git does.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// largest is the size of the largest file that git may hold. The index of the vectors is near it.
const largest = 1 << 20

// TestNoBuiltPrograms keeps what a compiler made for one system out of git. A clone would carry it forever. The modules
// of the guardians are Wasm for every system, and small.
func TestNoBuiltPrograms(t *testing.T) {
	programs := map[string]string{"\x7fELF": "Linux", "MZ\x90\x00": "Windows", "\xcf\xfa\xed\xfe": "macOS",
		"!<arch>\n": "a linker"}
	seen := 0
	for _, name := range listedByGit(t) {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue // removed and not yet committed, or a link
		}
		seen++
		if info.Size() > largest {
			t.Errorf("%s has %d bytes, at most %d: a build should make it", name, info.Size(), largest)
			continue
		}
		text := must.Read(t, name)
		for magic, system := range programs {
			if bytes.HasPrefix(text, []byte(magic)) {
				t.Errorf("%s is a program for %s: add it to .gitignore", name, system)
			}
		}
	}
	if seen < 500 {
		t.Fatalf("only %d files: the test has lost its subject", seen)
	}
}

// TestShippedCodeImportsNoTest keeps what only tests need out of the code that is built into a program.
func TestShippedCodeImportsNoTest(t *testing.T) {
	checked := 0
	for name, text := range sources(t) {
		if path.Ext(name) != ".go" || isTest(name) || isBelow(name, aside) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		must.OK(t, err)
		checked++
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			inner := strings.TrimPrefix(imported, "github.com/elicit-engine/elicit/")
			if imported == "testing" || strings.Contains(imported+"/", "/tests/") || isBelow(inner, harnesses) {
				t.Errorf("%s imports %s: move it to a test, or below a directory called tests", name, imported)
			}
		}
	}
	if checked < 500 {
		t.Fatalf("only %d files checked: the test has lost its subject", checked)
	}
}

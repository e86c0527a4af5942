package risk

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

var update = flag.Bool("update", false, "write docs/risk.md")

const (
	docFile    = "../../docs/risk.md"
	vectorsDir = "../../testdata/vectors/risk"
)

// TestDocument keeps docs/risk.md the same as the code; -update writes it.
func TestDocument(t *testing.T) {
	want := document()
	if *update {
		if err := os.WriteFile(docFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/risk.md is stale; run: go test ./engine/risk -run TestDocument -update")
	}
}

const intro = `# What is inspected

Before anybody is woken, ` + "`engine/risk`" + ` reads the message, the URL and every text of the form, and names what a person or a
policy should know. It never decides: policy turns findings into a review or a refusal, and a user interface shows them.

A finding carries a code, a severity, a pointer to the string it is about, the byte span of the evidence in that string,
and the evidence itself with invisible characters spelled U+XXXX (at most 120 bytes). One check reports a string once,
with a count where there are more; a request yields at most 32 findings, worst first.

Severities: *info* is worth knowing; *low* happens in honest requests too; *medium* deserves a warning beside the question;
*high* deserves a warning before it; *critical* has no honest explanation, and the request should not reach a person.

Words that mark a secret are read as words (` + "`apiKey`, `API_KEY`, \"API key\"" + `), not as substrings, in English, German, Dutch,
French, Spanish, Portuguese, Italian, Polish, Russian, Turkish, Chinese, Japanese, Korean and Arabic. Capitals, accents, invisible
characters, fullwidth, circled and mathematical letters, letters of other alphabets that look Latin, and digits in place of letters
make no difference. A sentence that mentions a secret without asking for one, or forbids typing one, is left alone.

A secret is also found where a form describes it: the six figures a bank has just sent, what is typed at a lock screen, three digits on
the back of a card. Single words count as clues, and a set of clues in one field, or in one sentence of the message, decides. Clues to something else
(parcel, voucher, library, length, limit) outweigh them. Where no field says what to type (value, answer, text), the message is read
as what asks. A word of two meanings, such as pin, token or the Polish hasło, does not count beside words of its other meaning.

Words cannot say everything: a form that describes a secret in unusual words is not found. ` + "`engine/risk/testdata/secrets`" + ` holds the forms
the tables were tuned on and others that they were not. A test reports the rates by language and trick and holds them:

| forms | tuned on | not tuned on |
|---|---|---|
| that name a secret | 66 of 66 | 37 of 38 |
| that describe one | 76 of 76 | 75 of 104 |
| that disguise the word | 31 of 32 | 35 of 37 |
| harmless ones, found in error | 2 of 428 | 3 of 47 |

The author of the tables wrote these forms too, so expect lower rates on forms of others. Of the forms not tuned on that describe a secret,
62 are plain (54 are found), and 42 are written to avoid every usual word (21 are found).

The host of a URL is read as a browser would read it, since that is where the person would land. A URL that any two
programs are known to read differently is refused as ` + "`url_unparsable`" + ` instead of interpreted. There is no list of public
suffixes, so the owner of a host is guessed as its last two parts. Nothing is ever fetched or resolved.
Hosts are compared with those a person agreed to before, servers with those the configuration lists and those that were
met earlier, letter by letter as the eye takes them in; the look-alikes are
those of Unicode's confusables.txt that host names can contain. Secrets are also known by their form: in texts before a person is asked,
and in an answer before it is sent; [policy](policy.md#secrets-in-answers) says what becomes of it then. A finding about such a secret quotes no more than its first and last two characters.
Flooding is not seen here, since one request is looked at: the engine limits how often a server may ask.
In texts, Markdown reference links and HTML anchors are seen as links and markup, but not compared with what they show.

The table is printed from the code.

| code | severity | what it means | source |
|---|---|---|---|
`

func document() string {
	var b strings.Builder
	b.WriteString(intro)
	for _, d := range Docs() {
		b.WriteString("| `" + d.Code + "` | " + string(d.Severity) + " | **" + d.Title + ".** " + strings.ReplaceAll(d.About, "|", "\\|") + " | " + d.Spec + " |\n")
	}
	return b.String()
}

// TestDocsComplete keeps rows, English and vectors together: every check has all three, and no vector names another.
func TestDocsComplete(t *testing.T) {
	produced, against := readVectors(t)
	var codes []string
	for _, d := range Docs() {
		if d.Title == "" || d.About == "" || d.Spec == "" || d.Severity.Rank() > elicit.Critical.Rank() {
			t.Errorf("%s: row is not complete: %+v", d.Code, d)
		}
		if slices.Contains(codes, d.Code) {
			t.Errorf("%s: two checks with this code", d.Code)
		}
		codes = append(codes, d.Code)
		fallback := strings.ReplaceAll(d.Code, "_", " ")
		if got := english.Finding(elicit.Finding{Code: d.Code}); got == fallback {
			t.Errorf("%s: no English", d.Code)
		}
		if produced[d.Code] == 0 {
			t.Errorf("%s: no vector shows it", d.Code)
		}
		if against[d.Code] == 0 {
			t.Errorf("%s: no vector named *-not-* shows where it stays silent", d.Code)
		}
	}
	for code := range produced {
		if !slices.Contains(codes, code) {
			t.Errorf("%s: found in a vector, but has no row", code)
		}
	}
}

// readVectors counts the vectors that want each code, and those named CODE-not-… that do not.
func readVectors(t *testing.T) (produced, against map[string]int) {
	t.Helper()
	produced, against = map[string]int{}, map[string]int{}
	files, err := filepath.Glob(filepath.Join(vectorsDir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s: %v", vectorsDir, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			Want struct{ Findings []struct{ Code string } }
		}
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		silent, _, negative := strings.Cut(filepath.Base(file), "-not-")
		silent = strings.ReplaceAll(silent, "-", "_")
		for _, f := range v.Want.Findings {
			produced[f.Code]++
			if negative && f.Code == silent {
				t.Errorf("%s: is to show that %s stays silent, but wants it", file, silent)
			}
		}
		if negative {
			against[silent]++
		}
	}
	return produced, against
}

// TestEnglishUsesArguments renders every finding of a hostile request: no template may name an argument that is not sent.
func TestEnglishUsesArguments(t *testing.T) {
	rendered := map[string]bool{}
	for _, s := range hostile() {
		for _, f := range append(Inspect(&s), InspectAnswer(nil, []byte(`{"a":"`+pastedCard+`"}`))...) {
			rendered[f.Code] = true
			if line := english.Finding(elicit.Finding{Code: f.Code, Args: f.Args}); strings.Contains(line, "{") {
				t.Errorf("%s: template names an argument that is not sent: %s", f.Code, line)
			}
		}
	}
	for _, d := range Docs() {
		if !rendered[d.Code] {
			t.Errorf("%s: none of the hostile subjects produces it", d.Code)
		}
	}
}

package risk

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var update = flag.Bool("update", false, "write docs/risk.md")

const docFile = "../../docs/risk.md"

// TestDocument checks that docs/risk.md matches the code. -update writes it.
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

Before a person sees a question, ` + "`engine/risk`" + ` reads the message, the URL, the command and
every text of the form. It reports what a person or a policy should know, as findings. It never
decides. The policy turns findings into a review or a refusal, and a user interface shows them.

A finding carries a code, a severity, a pointer to its string, the byte span of the evidence in that
string, and the evidence. Invisible characters in the evidence are spelled U+XXXX; the evidence has
at most 120 bytes. Each check reports a string once, and counts further cases in it. A request has
at most 32 findings, worst first.

| severity | meaning |
|---|---|
| *info* | worth knowing |
| *low* | occurs in honest requests too |
| *medium* | deserves a warning beside the question |
| *high* | deserves a warning before the question |
| *critical* | has no honest explanation; the request should not reach a person |

## Commands and patches

If an agent asks before it acts, the checks also read the command and the paths. They split a
command line as a POSIX shell does, and look at each plain command: behind sudo and env, in pipes
and substitutions, in here-documents, and in scripts for ` + "`sh -c` and `eval`" + `. They know the words of
programs and not what those do, so they do not find a danger in a script, in an alias, or in a
program that they do not know. ` + "`engine/risk/testdata/commands`" + ` has 139 ordinary commands; none of
them has a finding of severity high or more, and 17 have one of medium. A finding of severity high
or more makes a command or a patch [dangerous](policy.md#questions-of-agents) for the policy.

## Secrets by their words

The checks read words that mark a secret as words (` + "`apiKey`" + `, ` + "`API_KEY`" + `, "API key") and not as
substrings. The tables cover English, German, Dutch, French, Spanish, Portuguese, Italian, Polish,
Russian, Turkish, Chinese, Japanese, Korean and Arabic. Several disguises make no difference:
capitals, accents, invisible characters, and fullwidth, circled and mathematical letters. Letters of
other alphabets that look Latin make no difference either, nor do digits in place of letters. A
sentence that mentions a secret without asking for it, or forbids typing it, has no finding.

The checks also find a secret that a form only describes. Examples are the six figures that a bank
has just sent, the code of a lock screen, and three digits on the back of a card. Single words count
as clues. A set of clues in one field, or in one sentence of the message, gives a finding. Clues to
something else (parcel, voucher, library, length, limit) outweigh them. If no field says what to
type (value, answer, text), the message counts as the text that asks. A word with two meanings does
not count beside words of its other meaning. Examples are pin, token and the Polish hasło.

The checks do not find a form that describes a secret in unusual words.
` + "`engine/risk/testdata/secrets`" + ` holds the forms that we used to tune the tables, and other forms that
we did not use. A test reports the rates by language and trick, and fails if they fall:

| forms | tuned on | not tuned on |
|---|---|---|
| that name a secret | 66 of 66 | 37 of 38 |
| that describe one | 76 of 76 | 75 of 104 |
| that disguise the word | 31 of 32 | 35 of 37 |
| harmless ones, found in error | 2 of 428 | 3 of 47 |

The author of the tables wrote these forms too, so expect lower rates on forms of others. Of the 104
forms in the last column that describe a secret, 62 are plain, and 54 of these are found. The other
42 avoid every usual word, and 21 of these are found.

## Secrets by their shape

The checks also recognise secrets by their shape. They read texts before a person is asked, and an
answer before it is sent. [The policy](policy.md#secrets-in-answers) says what happens to such an
answer. A finding about such a secret quotes at most its first and last two characters.

## Addresses and names

The checks read the host of a URL as a browser would, because that is where the person would go. If
any two programs are known to read a URL differently, the URL is refused as ` + "`url_unparsable`" + `. There
is no list of public suffixes. The checks take the last two parts of a host as its owner. They never
fetch or resolve anything.

The checks compare a host with hosts that a person agreed to before. They compare a server with the
configured servers and with those that were met earlier. The comparison goes letter by letter, by
look. The look-alikes are those of Unicode's confusables.txt that host names can contain.

In texts, Markdown reference links and HTML anchors are found as links and markup. Their targets are
not compared with their labels.

The checks look at one request, so they cannot see a flood. The engine limits how often a server may
ask.

## The checks

The table is printed from the code. The names R1, C5 and the like in its last column are explained
in the [README of the vectors](../testdata/vectors/README.md#short-names-of-requirements).

| code | severity | what it means | source |
|---|---|---|---|
`

func document() string {
	var b strings.Builder
	b.WriteString(intro)
	for _, d := range Docs() {
		about := strings.ReplaceAll(d.About, "|", "\\|")
		b.WriteString("| `" + d.Code + "` | " + string(d.Severity) + " | **" + d.Title + ".** " + about + " | " +
			d.Spec + " |\n")
	}
	return b.String()
}

// TestDocsComplete checks that every check has a row, English and a vector, and that no vector names an unknown check.
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
			t.Errorf("%s: no English; add a sentence to findings in engine/english/tables_findings.go", d.Code)
		}
		if produced[d.Code] == 0 {
			t.Errorf("%s: no vector in testdata/vectors/risk wants it", d.Code)
		}
		if against[d.Code] == 0 {
			t.Errorf("%s: no vector named %s-not-SOMETHING shows where it stays silent", d.Code,
				strings.ReplaceAll(d.Code, "_", "-"))
		}
	}
	for code := range produced {
		if !slices.Contains(codes, code) {
			t.Errorf("%s: found in a vector, but no check in checkList has this code", code)
		}
	}
}

// readVectors counts the vectors that want each code, and those named CODE-not-… that do not want it.
func readVectors(t *testing.T) (produced, against map[string]int) {
	t.Helper()
	produced, against = map[string]int{}, map[string]int{}
	for _, v := range vectors.Read(t, "risk") {
		var want struct{ Findings []struct{ Code string } }
		if err := json.Unmarshal(v.Want, &want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		silent, _, negative := strings.Cut(v.Name(), "-not-")
		silent = strings.ReplaceAll(silent, "-", "_")
		for _, f := range want.Findings {
			produced[f.Code]++
			if negative && f.Code == silent {
				t.Errorf("%s: is to show that %s stays silent, but wants it", v, silent)
			}
		}
		if negative {
			against[silent]++
		}
	}
	return produced, against
}

// TestEnglishUsesArguments renders every finding of hostile requests. No template may name an argument that is not
// sent.
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
			t.Errorf("%s: none of the hostile subjects produces it; add one to hostile in risk_test.go", d.Code)
		}
	}
}

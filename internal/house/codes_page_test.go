package house

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/vectors"
)

const codesPage = "docs/codes.md"

// codeKind is one chapter of docs/codes.md: the tables of package english that hold its codes, and what the page says
// of them.
type codeKind struct {
	title, intro string
	tables       []string
}

var codeKinds = []codeKind{
	{"Problems", codesProblems, []string{"problems", "relayProblems", "sealProblems", "askingProblems"}},
	{"Reasons", codesReasons, []string{"reasons"}},
	{"Findings", codesFindings, []string{"findings"}},
	{"Remarks", codesRemarks, []string{"remarks"}},
	{"Causes", codesCauses, []string{"causes"}},
	{"Faults", codesFaults, []string{"faults"}},
	{"Statuses", codesStatuses, []string{"statuses"}},
}

// codeRow is one code as its table has it.
type codeRow struct{ code, sentence string }

// codeGroup is the codes of one place, in the order of the table.
type codeGroup struct {
	place string // a package and a subject, from the comment above them; "" where the table has none
	rows  []codeRow
}

// codeTables reads the tables of package english from their source, because their comments say where codes come from.
func codeTables(t *testing.T) map[string][]codeGroup {
	t.Helper()
	files, err := filepath.Glob("engine/english/tables*.go")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files of tables: %v", len(files), err)
	}
	causes := map[string]string{}
	for _, cause := range elicit.Causes() {
		causes[english.Cause(cause)] = string(cause)
	}
	found := map[string][]codeGroup{}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			spec, ok := decl.(*ast.GenDecl)
			if !ok || spec.Tok != token.VAR {
				continue
			}
			value := spec.Specs[0].(*ast.ValueSpec)
			found[value.Names[0].Name] = groupsOf(t, value.Values[0].(*ast.CompositeLit), file.Comments, causes)
		}
	}
	return found
}

// groupsOf splits a table where it has comments. The keys of the table of causes are constants.
func groupsOf(t *testing.T, table *ast.CompositeLit, comments []*ast.CommentGroup,
	causes map[string]string) []codeGroup {
	t.Helper()
	groups := []codeGroup{{}}
	at := table.Lbrace
	for _, element := range table.Elts {
		pair := element.(*ast.KeyValueExpr)
		for _, c := range comments {
			if c.Pos() > at && c.End() < pair.Pos() {
				groups = append(groups, codeGroup{place: strings.TrimSpace(c.Text())})
			}
		}
		at = pair.End()
		row := codeRow{sentence: literal(t, pair.Value)}
		if _, constant := pair.Key.(*ast.SelectorExpr); constant {
			row.code = causes[row.sentence]
		} else {
			row.code = literal(t, pair.Key)
		}
		last := &groups[len(groups)-1]
		last.rows = append(last.rows, row)
	}
	if len(groups[0].rows) == 0 {
		groups = groups[1:]
	}
	return groups
}

// literal returns the text of a string literal, or of several that are joined by +.
func literal(t *testing.T, e ast.Expr) string {
	t.Helper()
	if sum, joined := e.(*ast.BinaryExpr); joined {
		return literal(t, sum.X) + literal(t, sum.Y)
	}
	text, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var named = regexp.MustCompile(`\{([a-z_]+)\}`)

// argumentsOf lists the arguments of a code: those that its sentence uses, then the others.
func argumentsOf(row codeRow) (list []string) {
	for _, found := range named.FindAllStringSubmatch(row.sentence, -1) {
		if !slices.Contains(list, found[1]) {
			list = append(list, found[1])
		}
	}
	return append(list, silentArguments[row.code]...)
}

func backquoted(prose string) string { return strings.ReplaceAll(prose, "'", "`") }

// TestCodesAreFresh keeps docs/codes.md the same as the tables; -update writes it.
func TestCodesAreFresh(t *testing.T) {
	tables, page, codes := codeTables(t), strings.Builder{}, 0
	page.WriteString(backquoted(codesIntro))
	cell := strings.NewReplacer("|", `\|`, "*", `\*`, "__", `\_\_`, "<", `\<`)
	for _, kind := range codeKinds {
		page.WriteString("\n## " + kind.title + "\n\n" + backquoted(kind.intro))
		for _, name := range kind.tables {
			if len(tables[name]) == 0 {
				t.Fatalf("package english has no table %s", name)
			}
			for _, group := range tables[name] {
				place := group.place
				switch name {
				case "relayProblems":
					place = "engine/relay"
				case "askingProblems":
					place = "engine/asking"
				}
				if place != "" && len(tables[name])+len(kind.tables) > 2 {
					page.WriteString("\n### " + place + "\n")
				}
				page.WriteString("\n| code | meaning | arguments | what to do |\n|---|---|---|---|\n")
				for _, row := range group.rows {
					codes++
					arguments := argumentsOf(row)
					for i := range arguments {
						arguments[i] = "`" + arguments[i] + "`"
					}
					page.WriteString("| `" + row.code + "` | " + cell.Replace(row.sentence) + " | " +
						strings.Join(arguments, ", ") + " | " + cell.Replace(english.Remedy(row.code, nil)) + " |\n")
				}
			}
		}
	}
	page.WriteString(backquoted(codesEnd))
	if codes < 350 {
		t.Errorf("%d codes: the test has lost its subject", codes)
	}
	if *update {
		write(t, codesPage, page.String())
	}
	have, err := os.ReadFile(codesPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page.String() {
		t.Errorf("%s is stale; run: go test ./internal/house -run TestCodesAreFresh -update", codesPage)
	}
}

// TestCodesNameTheirArguments finds codes in what vectors want. The page must name every argument that comes with one.
func TestCodesNameTheirArguments(t *testing.T) {
	known, all := map[string][]string{}, codeTables(t)
	for _, kind := range codeKinds {
		for _, name := range kind.tables {
			for _, group := range all[name] {
				for _, row := range group.rows {
					known[row.code] = append(known[row.code], argumentsOf(row)...)
				}
			}
		}
	}
	seen, sent := map[string]bool{}, map[string]bool{}
	var walk func(of any)
	walk = func(of any) {
		switch v := of.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			code, _ := v["code"].(string)
			args, _ := v["args"].(map[string]any)
			if list, ok := known[code]; ok {
				seen[code] = true
				for name := range args {
					again := sent[code+" "+name]
					sent[code+" "+name] = true
					if !again && code != "not_in_protocol" && code != "default_unfit" && !slices.Contains(list, name) {
						t.Errorf("code %s comes with %s, which %s does not name", code, name, codesPage)
					}
				}
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	for _, v := range vectors.Read(t) {
		var want any
		read := json.NewDecoder(bytes.NewReader(v.Want))
		read.UseNumber() // some vectors are about numbers that no float64 holds
		if err := read.Decode(&want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		walk(want)
	}
	if len(seen) < 250 {
		t.Errorf("vectors show %d codes: the test has lost its subject", len(seen))
	}
	for code, list := range silentArguments {
		for _, name := range list {
			if !sent[code+" "+name] {
				t.Errorf("no vector shows %s with %s", code, name)
			}
		}
	}
}

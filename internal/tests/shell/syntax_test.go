// Package shell_test keeps the copy of the shell parser in engine/internal/shell fresh.
package shell_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/pages"
	_ "mvdan.cc/sh/v3/syntax" // the origin of the copy, so that go.mod has its version
)

var update = flag.Bool("update", false, "write engine/internal/shell anew")

// files are those that the parser needs.
var files = []string{"braces.go", "lexer.go", "nodes.go", "parser.go", "parser_arithm.go", "token_string.go",
	"tokens.go"}

// unused are declarations that nothing of the engine calls. Most of them need package fmt or iter, which the core does
// without.
var unused = words("KeepComments StopAt RecoverErrors LangVariant.Set LangVariant.bits Parser.Stmts Parser.StmtsSeq " +
	"wrappedReader wrappedReader.Read Parser.Interactive Parser.InteractiveSeq Parser.Words Parser.WordsSeq " +
	"Parser.Document Parser.Arithmetic noQuote.Format token.Format IsIncomplete IsKeyword LangError LangError.Error " +
	"ParseError ParseError.Error Parser.fill Parser.posErr Parser.curErr Parser.checkLang Pos.String")

// replaced are texts that have another one in the copy. Each must be there.
var replaced = map[string][][2]string{
	"parser.go": {
		{"\t\"fmt\"\n\t\"io\"\n\t\"iter\"\n", ""},
		{`panic(fmt.Sprintf("unknown shell language variant: %#b", l))`, `panic("unknown shell language variant")`},
		{"Parse(r io.Reader, name string)", "Parse(text, name string)"},
		{"\tp.src = r\n", "\tp.src = text\n"},
		{"\tsrc io.Reader\n", "\tsrc string\n\tdepth // of what is nested\n"},
		{"func (p *Parser) wordPart() WordPart {\n", "func (p *Parser) wordPart() WordPart {\n\tdefer p.leave(p.enter())\n"},
		// A "#" within a word begins no comment, also in a subshell and in $(…).
		{"type saveState struct {\n\tquote       quoteState\n",
			"type saveState struct {\n\tword        bool\n\tquote       quoteState\n"},
		{"\ts.quote, s.buriedHdocs = p.quote, p.buriedHdocs\n",
			"\ts.word, s.quote, s.buriedHdocs = p.word, p.quote, p.buriedHdocs\n\tp.word = false\n"},
		{"\tp.quote, p.buriedHdocs = s.quote, s.buriedHdocs\n",
			"\tp.word, p.quote, p.buriedHdocs = s.word, s.quote, s.buriedHdocs\n"},
		{"func (p *Parser) wordParts(wps []WordPart) []WordPart {\n",
			"func (p *Parser) wordParts(wps []WordPart) []WordPart {\n" +
				"\tdefer func(was bool) { p.word = was }(p.word)\n\tp.word = true\n"},
		{"func (p *Parser) gotStmtPipe(s *Stmt, binCmd bool) *Stmt {\n",
			"func (p *Parser) gotStmtPipe(s *Stmt, binCmd bool) *Stmt {\n\tdefer p.leave(p.enter())\n"},
		{"func (p *Parser) testExprBinary(pastAndOr bool) TestExpr {\n",
			"func (p *Parser) testExprBinary(pastAndOr bool) TestExpr {\n\tdefer p.leave(p.enter())\n"},
		{"func (p *Parser) testExprUnary() TestExpr {\n",
			"func (p *Parser) testExprUnary() TestExpr {\n\tdefer p.leave(p.enter())\n"},
	},
	"parser_arithm.go": {
		{"func (p *Parser) arithmExprAssign(compact bool) ArithmExpr {\n",
			"func (p *Parser) arithmExprAssign(compact bool) ArithmExpr {\n\tdefer p.leave(p.enter())\n"},
		{"func (p *Parser) arithmExprTernary(compact bool) ArithmExpr {\n",
			"func (p *Parser) arithmExprTernary(compact bool) ArithmExpr {\n\tdefer p.leave(p.enter())\n"},
		{"func (p *Parser) arithmExprUnary(compact bool) ArithmExpr {\n",
			"func (p *Parser) arithmExprUnary(compact bool) ArithmExpr {\n\tdefer p.leave(p.enter())\n"},
	},
	"nodes.go": {{"\t\"strconv\"\n", ""}},
	"lexer.go": {{"\t\"bytes\"\n\t\"io\"\n", "\t\"bytes\"\n"},
		{"\t\t\tif p.keepComments {\n", "\t\t\tp.Commented = true\n\t\t\tif p.keepComments {\n"},
		{"p.quote == unquotedWordCont ||", "p.word || p.quote == unquotedWordCont ||"},
		// A backslash does not continue a comment, so the next line is a command of its own.
		{"p.litBs = append(p.litBs, '\\\\', '\\n')\n\t\t\t\t\tbreak runeLoop",
			"p.r, p.w = '\\n', 1\n\t\t\t\t\tbreak runeLoop"},
		// A carriage return is an ordinary character, and a backslash before it does not continue the line.
		{"\t\tcase '\\r':\n\t\t\tif p.peek() == '\\n' {\n\t\t\t\tp.col++\n\t\t\t\tgoto retry\n\t\t\t}\n", ""},
		{" else if p1, p2 := p.peekTwo(); p1 == '\\r' && p2 == '\\n' {\n\t\t\t\tp.col++\n\t\t\t\tp.bsp += 2\n" +
			"\t\t\t\tp.w, p.r = 2, escNewl\n\t\t\t\treturn escNewl\n\t\t\t}", ""},
		{"case ' ', '\\t', '\\r':\n", "case ' ', '\\t':\n"},
		{"'|', '(', ')', '\\n', '\\r':\n", "'|', '(', ')', '\\n':\n"},
		{"case ' ', '\\t', '\\n', '\\r', '&'", "case ' ', '\\t', '\\n', '&'"},
		{"case ' ', '\\t', '\\r', '\\n', ';'", "case ' ', '\\t', '\\n', ';'"}},
}

// TestSyntaxIsFresh compares the copy with its origin in the version of go.mod.
func TestSyntaxIsFresh(t *testing.T) {
	origin := run(t, "go", "list", "-m", "-f", "{{.Dir}}", "mvdan.cc/sh/v3")
	version := run(t, "go", "list", "-m", "-f", "{{.Path}} {{.Version}}", "mvdan.cc/sh/v3")
	left := map[string]bool{}
	for _, name := range unused {
		left[name] = true
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(origin, "syntax", name))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, name, copied(t, name, version, text, left))
	}
	licence, err := os.ReadFile(filepath.Join(origin, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "LICENSE", licence)
	for name := range left {
		t.Errorf("the origin no longer has %s", name)
	}
}

// copied is a file without comments and without what is not used.
func copied(t *testing.T, name, version string, text []byte, left map[string]bool) []byte {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	drop := func(declared string) bool {
		for _, u := range unused {
			if u == declared {
				delete(left, u)
				return true
			}
		}
		return false
	}
	var kept []ast.Decl
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if drop(receiver(d) + d.Name.Name) {
				continue
			}
		case *ast.GenDecl:
			if spec, is := d.Specs[0].(*ast.TypeSpec); is && drop(spec.Name.Name) {
				continue
			}
		}
		kept = append(kept, d)
	}
	tree.Decls = kept
	var out bytes.Buffer
	out.WriteString("// Code generated by internal/tests/shell from " + version + "; DO NOT EDIT.\n\n")
	if err := format.Node(&out, set, tree); err != nil {
		t.Fatal(err)
	}
	made := out.String()
	for _, pair := range append(replaced[name], [2]string{"package syntax\n", "package shell\n"}) {
		if strings.Count(made, pair[0]) != 1 {
			t.Errorf("%s has %d times %q, want 1", name, strings.Count(made, pair[0]), pair[0])
		}
		made = strings.Replace(made, pair[0], pair[1], 1)
	}
	again, err := format.Source([]byte(made))
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	return of.(*ast.Ident).Name + "."
}

func compare(t *testing.T, name string, want []byte) {
	path := filepath.Join("..", "..", "..", "engine", "internal", "shell", name)
	pages.File(t, path, "go test ./internal/tests/shell -update", string(want), *update)
}

func run(t *testing.T, name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func words(text string) []string { return strings.Fields(text) }

// Package shell_test keeps the copy of the shell parser in engine/internal/shell fresh.
package shell_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/astutil"
	_ "mvdan.cc/sh/v3/syntax" // the origin of the copy, so that go.mod has its version

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
)

var update = flag.Bool("update", false, "write engine/internal/shell anew")

// files are those that the parser needs.
var files = []string{"braces.go", "lexer.go", "nodes.go", "parser.go", "parser_arithm.go", "tokens.go"}

// unused are declarations that nothing of the engine calls. Most of them need package fmt or iter, which the core does
// without.
var unused = words("KeepComments StopAt RecoverErrors ParserOption Variant LangVariant LangBash LangVariant.Set " +
	"LangVariant.bits LangVariant.String LangVariant.in LangVariant.count LangVariant.index " +
	"Parser.recoverError recoveredPos Pos.IsRecovered Pos.Line Comment Comment.Pos Comment.End " +
	"Parser.zshNumRange Parser.zshSubFlags Parser.testDecl TestDecl TestDecl.Pos TestDecl.End " +
	"TestDecl.commandNode FlagsArithm FlagsArithm.Pos FlagsArithm.End FlagsArithm.arithmExprNode " +
	"Parser.Incomplete Parser.nestedParameterStart File.Pos File.End stmtsPos stmtsEnd CaseItem.Pos " +
	"CaseItem.End ArrayElem.Pos ArrayElem.End ParamExp.simple OptState OptUnset RedirOperator.String " +
	"ProcOperator.String GlobOperator.String BinCmdOperator.String CaseOperator.String " +
	"ParNamesOperator.String ParExpOperator.String UnAritOperator.String BinAritOperator.String " +
	"UnTestOperator.String BinTestOperator.String Parser.Stmts Parser.StmtsSeq wrappedReader " +
	"wrappedReader.Read Parser.Interactive Parser.InteractiveSeq Parser.Words Parser.WordsSeq Parser.Document " +
	"Parser.Arithmetic noQuote.Format token.Format IsIncomplete IsKeyword LangError LangError.Error " +
	"ParseError ParseError.Error Parser.fill Parser.posErr Parser.curErr Parser.checkLang Pos.String")

// replaced are texts that have another one in the copy. Each must be there. "…" stands for all that is between.
var replaced = map[string][][2]string{
	"parser.go": {
		{"\t\"fmt\"\n\t\"io\"\n\t\"iter\"\n\t\"math/bits\"\n\t\"slices\"\n", ""},
		{"func NewParser(options ...ParserOption) *Parser {\n\tp := &Parser{\n\t\tlang: LangBash,\n\t}\n" +
			"\tfor _, opt := range options {\n\t\topt(p)\n\t}\n\treturn p\n}\n",
			"func NewParser() *Parser { return &Parser{} }\n"},
		{"\tif left, quotePos := p.nestedParameterStart(pe); left != illegalTok {\n…\t\treturn pe\n\t}\n\n\tswitch",
			"\tif next := p.peek(); !pe.Short && (p.r == '\"' || p.r == '$' && (next == '{' || next == '(')) {\n" +
				"\t\tp.posErr(p.nextPos(), \"nested parameter expansions\")\n\t}\n\n\tswitch"},
		{"\t\tnewQuote := p.quote\n\n\t\tnewQuote = arrayElems\n\n\t\told := p.preNested(newQuote)\n",
			"\t\told := p.preNested(arrayElems)\n"},
		{"`parameter expansion flags`)\n…\t\tp.rune()\n\t}\n", "`parameter expansion flags`)\n\t}\n"},
		{"p.tok, p.val = _LitWord, p.tok.String()",
			"p.tok, p.val = _LitWord, map[token]string{at: \"@\", star: \"*\"}[p.tok]"},
		{"Parse(r io.Reader, name string)", "Parse(text, name string)"},
		{"\tp.src = r\n", "\tp.src, p.text = text, text\n"},
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
		{"\t\t\tr.Hdoc = p.getWord()\n", "\t\t\tr.Hdoc = p.getWord()\n\t\t\tp.ends(r.Hdoc, stop)\n"},
		// A here-document does not go on behind its substitution.
		{"\t\tp.postNested(old)\n\t\tp.openBquotes--\n",
			"\t\tp.documents()\n\t\tp.postNested(old)\n\t\tp.openBquotes--\n"},
		{"\t\tps.Stmts = p.stmtList()\n\t\tp.postNested(old)\n",
			"\t\tps.Stmts = p.stmtList()\n\t\tp.documents()\n\t\tp.postNested(old)\n"},
		{"\tcs.Stmts = p.stmtList()\n\tp.postNested(old)\n",
			"\tcs.Stmts = p.stmtList()\n\tp.documents()\n\tp.postNested(old)\n"},
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
	"lexer.go": {{"r = p.rune()\n\n\t\t\treturn dplOut", "p.rune()\n\t\t\treturn dplOut"},
		// A look ahead at the end of the text may have taken the bytes of the character away.
		{"w := utf8.RuneLen(r)\n\t\tp.litBs = append(p.litBuf[:0], p.bs[p.bsp-uint(w):p.bsp]...)",
			"p.litBs = utf8.AppendRune(p.litBuf[:0], r)"},
		{"\t\"bytes\"\n\t\"io\"\n", "\t\"bytes\"\n"},
		{"\t\t\tp.litBs = nil\n", "\t\t\tp.Commented, p.litBs = true, nil\n"},
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
		compare(t, name, copied(t, name, version, must.Read(t, origin, "syntax", name), left))
	}
	compare(t, "LICENSE", must.Read(t, origin, "LICENSE"))
	for name := range left {
		t.Errorf("the origin no longer has %s", name)
	}
}

// copied is a file without comments and without what is not used.
func copied(t *testing.T, name, version string, text []byte, left map[string]bool) []byte {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	must.OK(t, err)
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
			switch spec := d.Specs[0].(type) {
			case *ast.TypeSpec:
				if drop(spec.Name.Name) {
					continue
				}
			case *ast.ValueSpec:
				if drop(spec.Names[0].Name) {
					continue
				}
			}
		}
		kept = append(kept, d)
	}
	tree.Decls = kept
	reduce(tree)
	var out bytes.Buffer
	out.WriteString("// Code generated by internal/tests/shell from " + version + "; DO NOT EDIT.\n\n")
	must.OK(t, format.Node(&out, set, tree))
	made := out.String()
	for _, pair := range append(replaced[name], [2]string{"package syntax\n", "package shell\n"}) {
		before, after, _ := strings.Cut(pair[0], "…")
		start, rest, _ := strings.Cut(made, before)
		_, rest, found := strings.Cut(rest, after)
		if strings.Count(made, before) != 1 || !found {
			t.Errorf("%s has %d times %q, want 1", name, strings.Count(made, before), pair[0])
		}
		made = start + pair[1] + rest
	}
	again, err := format.Source([]byte(made))
	must.OK(t, err)
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
	must.OK(t, err)
	return strings.TrimSpace(string(out))
}

func words(text string) []string { return strings.Fields(text) }

// reduce takes away what runs only in another shell than Bash, what keeps comments, and what goes on after a fault: the
// engine asks for none of it.
func reduce(tree *ast.File) {
	astutil.Apply(tree, nil, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.Field:
			if len(n.Names) == 1 && slices.Contains(goneFields, n.Names[0].Name) && c.Index() >= 0 {
				c.Delete()
			}
		case *ast.FuncDecl:
			withoutComments(n)
		case ast.Expr:
			if whole := folded(n); whole != n {
				c.Replace(whole)
			}
		case *ast.LabeledStmt:
			if loop, is := n.Stmt.(*ast.ForStmt); is && loop.Cond != nil && spelled(loop.Cond) == "false" {
				c.Delete()
			}
		case *ast.BlockStmt:
			n.List = reached(n.List)
		case *ast.CaseClause:
			n.Body = reached(n.Body)
		case *ast.IfStmt:
			decide(c, n)
		case *ast.RangeStmt:
			if gone(n.X) {
				c.Delete()
			}
		case *ast.AssignStmt:
			if call, is := n.Rhs[0].(*ast.CallExpr); is && listsStatements(call) {
				n.Lhs = n.Lhs[:1]
			}
			if gone(n) && c.Index() >= 0 {
				c.Delete()
			}
		case *ast.ExprStmt:
			if call := n.X.(*ast.CallExpr); spelled(call.Fun) == "p.checkLang" {
				if strings.Contains(spelled(call.Args[1]), "Bash") || strings.Contains(spelled(call.Args[1]), "langBash") {
					c.Delete()
				} else {
					call.Fun.(*ast.SelectorExpr).Sel.Name, call.Args = "posErr", []ast.Expr{call.Args[0], call.Args[2]}
				}
			}
		}
		return true
	})
}

// goneFields are what the parser has only for other shells, for comments, or to go on after a fault.
var goneFields = words("accComs curComs keepComments stopAt recoveredErrors recoverErrorsMax lang Comments Last " +
	"CondLast ThenLast DoLast Flags Split GlobSubst RcExpand NestedParam Modifiers")

// gone reports whether an expression or assignment has one of these fields.
func gone(n ast.Node) (has bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is && slices.Contains(goneFields, s.Sel.Name) {
			has = true
		}
		_, nested := n.(*ast.FuncLit)
		return !nested
	})
	return has
}

// folded is an expression whose value in Bash is known, as true or false, and any other as it is.
func folded(e ast.Expr) ast.Expr {
	is := func(e ast.Expr, name string) bool { return spelled(e) == name }
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if is(e, "p.keepComments") {
			return ast.NewIdent("false")
		}
	case *ast.CallExpr:
		switch spelled(e.Fun) {
		case "p.lang.in":
			bash := strings.Contains(spelled(e.Args[0]), "langBash") || strings.Contains(spelled(e.Args[0]), "LangBash")
			return ast.NewIdent(strconv.FormatBool(bash))
		case "p.recoverError":
			return ast.NewIdent("false")
		}
	case *ast.ParenExpr:
		if is(e.X, "true") || is(e.X, "false") {
			return e.X
		}
	case *ast.UnaryExpr:
		switch {
		case e.Op == token.NOT && is(e.X, "true"):
			return ast.NewIdent("false")
		case e.Op == token.NOT && is(e.X, "false"):
			return ast.NewIdent("true")
		}
	case *ast.BinaryExpr:
		switch {
		case is(e, "p.stopAt != nil"), e.Op == token.LAND && is(e.X, "false"),
			e.Op == token.LAND && is(e.Y, "false") && !reads.MatchString(spelled(e.X)):
			return ast.NewIdent("false")
		case e.Op == token.LOR && is(e.X, "true"):
			return e.X
		case e.Op == token.LAND && is(e.X, "true"), e.Op == token.LOR && is(e.X, "false"):
			return e.Y
		case e.Op == token.LAND && is(e.Y, "true"), e.Op == token.LOR && is(e.Y, "false"):
			return e.X
		}
	}
	return e
}

// reads are the calls that move the parser on.
var reads = regexp.MustCompile(`p\.(rune|next|got)`)

// decide takes away a condition that is known, and one for which nothing is left to do.
func decide(c *astutil.Cursor, n *ast.IfStmt) {
	var stays ast.Stmt
	switch cond := spelled(n.Cond); {
	case cond == "true":
		stays = n.Body
	case cond == "false":
		stays = n.Else
	case cond == "p.rune() == '=' && false":
		stays = &ast.ExprStmt{X: n.Cond.(*ast.BinaryExpr).X.(*ast.BinaryExpr).X}
	case gone(n.Cond), len(n.Body.List) == 0 && n.Else == nil && !reads.MatchString(spelled(n)):
	default:
		return
	}
	outer, inElse := c.Parent().(*ast.IfStmt)
	inElse = inElse && outer.Else == ast.Stmt(n)
	switch block, is := stays.(*ast.BlockStmt); {
	case stays == nil && inElse:
		outer.Else = nil
	case stays == nil:
		c.Delete()
	case inElse || !is:
		c.Replace(stays)
	default:
		for _, s := range block.List {
			c.InsertBefore(s)
		}
		c.Delete()
	}
}

// reached is a list of statements up to the first that leaves it.
func reached(list []ast.Stmt) []ast.Stmt {
	for i, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			return list[:i+1]
		case *ast.BranchStmt:
			if s.Tok == token.BREAK && s.Label == nil {
				return list[:i+1]
			}
		}
	}
	return list
}

// listsStatements reports whether a call returns statements and the comments behind them.
func listsStatements(call *ast.CallExpr) bool {
	name := spelled(call.Fun)
	return name == "p.stmtList" || name == "p.followStmts"
}

// withoutComments makes a function that lists statements return them without the comments behind them.
func withoutComments(d *ast.FuncDecl) {
	if d.Name.Name != "stmtList" && d.Name.Name != "followStmts" {
		return
	}
	d.Type.Results.List = d.Type.Results.List[:1]
	astutil.Apply(d.Body, nil, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.ReturnStmt:
			n.Results = n.Results[:1]
		case *ast.DeclStmt:
			if n.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Names[0].Name == "last" {
				c.Delete()
			}
		}
		return true
	})
}

func spelled(n ast.Node) string {
	var out strings.Builder
	format.Node(&out, token.NewFileSet(), n)
	return out.String()
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A site is one place of a package where a mutant differs from its source.
type site struct {
	file       string
	start, end int // of the text that is replaced
	line       int
	text       string // what replaces it
	change     string // for the one who reads the report
	around     string // the line that it begins in

	// One binary has many mutants. whole is the text that is both the mutant and the original. In it # stands for the
	// number of the mutant, and each % for the next part.
	whole string
	parts []part
	outer part // what whole replaces
	order int  // among all sites
}

// A part is a text of the source.
type part struct{ start, end int }

var opposite = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&",
}

// unless keeps a statement when its mutant does not run.
const unless = "if !mutantIs(#) { % }"

// sitesOf finds the sites of files, in the order of the text. Tables outside functions are left out.
func sitesOf(dir string, files []string, imports types.Importer) ([]site, error) {
	var sites []site
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	known := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	pkg, err := (&types.Config{Importer: imports}).Check(".", set, parsed, &known)
	if err != nil {
		return nil, err
	}
	name := func(other *types.Package) string {
		if other == pkg {
			return ""
		}
		return other.Name()
	}
	for i, file := range parsed {
		path := filepath.Join(dir, files[i])
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		add := func(from, to token.Pos, text, change, whole string, parts ...ast.Node) {
			at := set.Position(from)
			line, _, _ := strings.Cut(string(source[at.Offset-at.Column+1:]), "\n")
			s := site{file: path, start: at.Offset, end: set.Position(to).Offset, line: at.Line, text: text, change: change,
				around: strings.TrimSpace(line), whole: whole, order: len(sites)}
			for _, n := range parts {
				s.parts = append(s.parts, part{set.Position(n.Pos()).Offset, set.Position(n.End()).Offset})
			}
			s.outer = part{s.parts[0].start, s.parts[len(s.parts)-1].end}
			sites = append(sites, s)
		}
		read := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		condition := func(e ast.Expr) {
			if e != nil {
				add(e.Pos(), e.End(), "!("+read(e)+")", "condition turned: "+read(e), "(mutantIs(#) != (%))", e)
			}
		}
		inside := 0
		var stack []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				if _, ok := stack[len(stack)-1].(*ast.FuncDecl); ok {
					inside--
				}
				stack = stack[:len(stack)-1]
				return true
			}
			switch n := n.(type) {
			case *ast.FuncDecl:
				inside++
			case *ast.CompositeLit:
				if inside == 0 {
					return false
				}
			case *ast.ImportSpec:
				return false
			case *ast.BinaryExpr:
				if to, ok := opposite[n.Op]; ok {
					op := n.Op.String()
					add(n.OpPos, n.OpPos+token.Pos(len(op)), to, op+" is "+to+": "+read(n),
						"(mutantIs(#) && (% "+to+" %) || !mutantIs(#) && (% "+op+" %))", n.X, n.Y, n.X, n.Y)
				}
			case *ast.IfStmt:
				condition(n.Cond)
			case *ast.ForStmt:
				condition(n.Cond)
			case *ast.BasicLit:
				if v, err := strconv.ParseInt(n.Value, 0, 63); n.Kind == token.INT && err == nil {
					to := strconv.FormatInt(v+1, 10)
					kind := types.TypeString(known.Types[n].Type, name)
					add(n.Pos(), n.End(), to, n.Value+" is "+to, "mutantPick(#, "+kind+"(%), "+kind+"("+to+"))", n)
				}
			case *ast.ExprStmt:
				add(n.Pos(), n.End(), "", "call removed: "+read(n), unless, n)
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					add(n.Pos(), n.End(), "", "assignment removed: "+read(n), unless, n)
				}
			}
			stack = append(stack, n)
			return true
		})
	}
	return sites, nil
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
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
}

var opposite = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&",
}

// sitesOf finds the sites of files, in the order of the text. Tables outside functions are left out.
func sitesOf(dir string, files []string) ([]site, error) {
	var sites []site
	for _, name := range files {
		path := filepath.Join(dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, 0)
		if err != nil {
			return nil, err
		}
		add := func(from, to token.Pos, text, change string) {
			at := set.Position(from)
			line, _, _ := strings.Cut(string(source[at.Offset-at.Column+1:]), "\n")
			sites = append(sites, site{path, at.Offset, set.Position(to).Offset, at.Line, text, change,
				strings.TrimSpace(line)})
		}
		read := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		condition := func(e ast.Expr) {
			if e != nil {
				add(e.Pos(), e.End(), "!("+read(e)+")", "condition turned: "+read(e))
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
					add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to, n.Op.String()+" is "+to+": "+read(n))
				}
			case *ast.IfStmt:
				condition(n.Cond)
			case *ast.ForStmt:
				condition(n.Cond)
			case *ast.BasicLit:
				if v, err := strconv.ParseInt(n.Value, 0, 63); n.Kind == token.INT && err == nil {
					to := strconv.FormatInt(v+1, 10)
					add(n.Pos(), n.End(), to, n.Value+" is "+to)
				}
			case *ast.ExprStmt:
				add(n.Pos(), n.End(), "", "call removed: "+read(n))
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					add(n.Pos(), n.End(), "", "assignment removed: "+read(n))
				}
			}
			stack = append(stack, n)
			return true
		})
	}
	return sites, nil
}

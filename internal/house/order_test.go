package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestCallsComeFirst refuses statements whose meaning depends on the compiler: Go leaves open whether a field is read
// before or after a call beside it that may change the field. Go's compiler and TinyGo, which makes the modules,
// differ. The test looks at fields and methods of one variable: "at, n := r.at, r.count()", "p.list[i] = p.add()" and
// "n.all |= n.more()".
func TestCallsComeFirst(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}",
		"./engine/...", "./plugins/host").Output()
	must.OK(t, err)
	read := 0
	for dir := range strings.FieldsSeq(string(out)) {
		if strings.HasSuffix(filepath.ToSlash(dir), "engine/internal/shell") {
			continue // a copy, whose only such call changes nothing
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		must.OK(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, 0)
			must.OK(t, err)
			read++
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.AssignStmt); ok && unordered(s) {
					t.Errorf("%s: a field is read beside a call that may change it; make the call a statement of its own",
						set.Position(s.Pos()))
				}
				return true
			})
		}
	}
	if read < 300 {
		t.Errorf("only %d files were read", read)
	}
}

// unordered tells whether an assignment reads a field of a variable beside a call of its method.
func unordered(s *ast.AssignStmt) bool {
	var fields []string // variables whose fields are read so far
	add := func(e ast.Expr) {
		if of := variable(e); of != "" {
			fields = append(fields, of)
		}
	}
	for _, e := range s.Lhs {
		if index, ok := e.(*ast.IndexExpr); ok {
			add(index.X)
		}
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			add(e)
		}
	}
	for _, e := range s.Rhs {
		for _, of := range fields {
			if calls(e, of) {
				return true
			}
		}
		add(e)
	}
	return false
}

// variable returns the name of the variable whose field e is, or "".
func variable(e ast.Expr) string {
	field, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	for {
		switch x := field.X.(type) {
		case *ast.SelectorExpr:
			field = x
			continue
		case *ast.Ident:
			return x.Name
		}
		return ""
	}
}

// calls tells whether an expression calls a method of a variable, or of one of its fields, or takes its address.
func calls(e ast.Expr, of string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || variable(x.Fun) == of
			for _, a := range x.Args {
				if address, ok := a.(*ast.UnaryExpr); ok && address.Op == token.AND {
					name, ok := address.X.(*ast.Ident)
					found = found || ok && name.Name == of
				}
			}
		}
		return true
	})
	return found
}

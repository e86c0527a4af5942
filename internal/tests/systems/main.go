// Command systems vets packages and their tests for another system, and prints what is wrong. `go vet` would compile
// every library for that system first, which takes minutes of processor.
//
//	systems windows/amd64 ./...
//	systems wasip1/wasm -tags=browser ./wasm
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	here, err := os.Getwd()
	bad := 0
	if err == nil {
		bad, err = check(os.Stdout, here, os.Args[1], os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "systems:", err)
	}
	if err != nil || bad > 0 {
		os.Exit(1)
	}
}

// check reads the packages that the arguments name, which begin with flags of `go list`, and counts complaints about
// files below the directory.
func check(out io.Writer, directory, system string, arguments []string) (int, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	patterns := slices.IndexFunc(arguments, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if patterns < 0 {
		return 0, fmt.Errorf("%s: name a package", system)
	}
	ours := func(path string) bool { return strings.HasPrefix(path, directory+string(filepath.Separator)) }
	roots, err := packages.Load(&packages.Config{
		// The types of libraries are read from their source, because the compiled form would have to be made.
		Mode: packages.LoadAllSyntax, Tests: true, Dir: directory, BuildFlags: arguments[:patterns],
		Env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		ParseFile: func(set *token.FileSet, path string, text []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
			if file != nil && !ours(path) {
				leaveOutBodies(file)
			}
			return file, err
		},
	}, arguments[patterns:]...)
	if err != nil {
		return 0, err
	}
	if len(roots) == 0 {
		return 0, fmt.Errorf("%s: there are no such packages", system)
	}
	bad := 0
	packages.Visit(roots, nil, func(p *packages.Package) {
		p.IllTyped = false
		for _, wrong := range p.Errors {
			// A library is not well typed, because its imports have no use where its functions have no bodies.
			if wrong.Kind == packages.TypeError && len(p.GoFiles) > 0 && !ours(p.GoFiles[0]) {
				continue
			}
			bad++
			fmt.Fprintln(out, p.ID+":", wrong)
		}
	})
	if bad > 0 {
		return bad, nil
	}
	graph, err := checker.Analyze(analyzers(), roots, nil)
	if err != nil {
		return bad, err
	}
	for action := range graph.All() {
		if action.IsRoot && action.Err != nil {
			return bad, action.Err
		}
		if action.IsRoot {
			bad += len(action.Diagnostics)
		}
	}
	return bad, graph.PrintText(out, -1)
}

func leaveOutBodies(file *ast.File) {
	for _, declaration := range file.Decls {
		if f, is := declaration.(*ast.FuncDecl); is {
			f.Body = nil
		}
	}
}

// analyzers are those of `go vet` in the oldest version of Go that builds this repository.
func analyzers() []*analysis.Analyzer {
	return slices.DeleteFunc(slices.Clone(vet.Suite), func(a *analysis.Analyzer) bool { return a.Name == "scannererr" })
}

package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// chosen is the file that each package with mutants gets. The environment chooses the one that runs.
const chosen = `package %s

import (
	"os"
	"strconv"
)

var mutantNow, _ = strconv.Atoi(os.Getenv("ELICIT_MUTANT"))

func mutantIs(n int) bool { return n == mutantNow }

func mutantPick[T any](n int, plain, other T) T {
	if n == mutantNow {
		return other
	}
	return plain
}
`

// importsOf reads what the compiler says of the packages that a package imports.
func importsOf(dir, name string) (types.Importer, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", name, "os", "strconv")
	list.Dir, list.Stderr = dir, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", name, err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	}), nil
}

// A span is where the text of a site is in a file with many mutants.
type span struct {
	part
	site int
}

// shared writes files with as many of the sites as compile together, and an overlay of them, and returns which these
// are. The number of a mutant is one more than the index of its site.
func shared(temp, overlay, dir string, files []string, sites []site, imports types.Importer) (map[int]bool, error) {
	in := map[int]bool{}
	for i := range sites {
		in[i] = true
	}
	var order []int
	for i := range sites {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		one, other := sites[a], sites[b]
		if one.outer.start != other.outer.start {
			return one.outer.start - other.outer.start
		}
		if one.outer.end != other.outer.end {
			return other.outer.end - one.outer.end
		}
		return one.order - other.order
	})
	for {
		set := token.NewFileSet()
		replace, spans := map[string]string{}, map[string][]span{}
		var parsed []*ast.File
		bad := map[int]bool{}
		blame := func(at token.Position) {
			if i := around(spans[at.Filename], at.Offset); i >= 0 {
				bad[i] = true
			}
		}
		add := func(path, text string) error {
			file, err := parser.ParseFile(set, path, text, parser.AllErrors)
			if problems, is := err.(scanner.ErrorList); is {
				for _, problem := range problems {
					blame(problem.Pos)
				}
			}
			parsed = append(parsed, file)
			replace[path] = filepath.Join(temp, filepath.Base(path))
			return os.WriteFile(replace[path], []byte(text), 0o600)
		}
		for _, name := range files {
			path := filepath.Join(dir, name)
			source, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			w := writer{source: string(source), sites: sites}
			w.write(part{0, len(source)}, slices.DeleteFunc(slices.Clone(order), func(i int) bool {
				return sites[i].file != path || !in[i]
			}))
			spans[path] = w.spans
			if err := add(path, w.out.String()); err != nil {
				return nil, err
			}
		}
		if err := add(filepath.Join(dir, "zz_mutants.go"), fmt.Sprintf(chosen, parsed[0].Name.Name)); err != nil {
			return nil, err
		}
		if len(bad) == 0 {
			var others []error
			check := types.Config{Importer: imports, Error: func(err error) {
				if problem, is := err.(types.Error); is {
					blame(set.Position(problem.Pos))
				}
				others = append(others, err)
			}}
			check.Check(".", set, parsed, nil)
			if len(bad) == 0 && len(others) > 0 {
				return nil, others[0]
			}
		}
		if len(bad) == 0 {
			return in, writeOverlay(overlay, replace)
		}
		for i := range bad {
			delete(in, i)
		}
	}
}

// around returns the smallest site at an offset, or else the last before it, or else -1.
func around(spans []span, offset int) int {
	best := span{site: -1}
	for _, s := range spans {
		switch inside := s.start <= offset && offset < s.end; {
		case inside && (best.site < 0 || best.end <= offset || s.end-s.start <= best.end-best.start):
			best = s
		case s.end <= offset && (best.site < 0 || best.end <= offset && best.end < s.end):
			best = s
		}
	}
	return best.site
}

type writer struct {
	source string
	sites  []site
	out    strings.Builder
	spans  []span
}

// write writes a part of the source with the sites that are in it. The list has outer sites before inner ones.
func (w *writer) write(p part, list []int) {
	at := p.start
	for i, n := range list {
		s := w.sites[n]
		if s.outer.start < at || s.outer.end > p.end {
			continue
		}
		w.out.WriteString(w.source[at:s.outer.start])
		begin, next := w.out.Len(), 0
		for _, c := range []byte(s.whole) {
			switch c {
			case '#':
				w.out.WriteString(strconv.Itoa(n + 1))
			case '%':
				w.write(s.parts[next], list[i+1:])
				next++
			default:
				w.out.WriteByte(c)
			}
		}
		w.spans = append(w.spans, span{part{begin, w.out.Len()}, n})
		at = s.outer.end
	}
	w.out.WriteString(w.source[at:p.end])
}

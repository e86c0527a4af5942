package house

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// tours are packages whose doc.go lists the files in the order in which a reader should take them. back is the most
// pairs of files of which the lower calls the higher. walks are functions: of all calls that follow from one of them,
// that many at most lead back up. The figures may only fall.
var tours = []struct {
	folder string
	back   int
	walks  map[string]int
}{
	{"engine", 36, map[string]int{"handleAsked": 3, "handleAnswered": 4}},
	{"engine/asking", 11, map[string]int{"posed": 2, "responded": 4}},
}

// TestReadingOrder holds each tour complete, and most calls in its direction.
func TestReadingOrder(t *testing.T) {
	for _, tour := range tours {
		t.Run(tour.folder, func(t *testing.T) {
			calls, files := callsOf(t, tour.folder)
			place := placesIn(t, tour.folder, files)
			pairs := map[[2]string]bool{}
			for from, all := range calls {
				for _, to := range all {
					if a, b := files[from], files[to]; place[b] < place[a] {
						pairs[[2]string{a, b}] = true
					}
				}
			}
			t.Logf("%d pairs of files call back up", len(pairs))
			if len(calls) < 50 {
				t.Errorf("only %d functions call others: the test has lost its subject", len(calls))
			}
			if len(pairs) > tour.back {
				t.Errorf("%d pairs of files call back up, at most %d: %v", len(pairs), tour.back, pairs)
			}
			for name, most := range tour.walks {
				found := false
				for fn := range calls {
					if fn.Name() != name {
						continue
					}
					found = true
					up := backUp(fn, calls, func(from, to *types.Func) bool { return place[files[to]] < place[files[from]] })
					t.Logf("%s: %d calls back up", name, up)
					if up > most {
						t.Errorf("%d calls that follow from %s lead back up, at most %d", up, name, most)
					}
				}
				if !found {
					t.Errorf("there is no function %s", name)
				}
			}
		})
	}
}

var goFile = regexp.MustCompile(`\b[a-z_]+\.go\b`)

// placesIn is where each file stands in the reading order of doc.go, which comes first itself.
func placesIn(t *testing.T, folder string, files map[*types.Func]string) map[string]int {
	t.Helper()
	text := must.Text(t, folder, "doc.go")
	place := map[string]int{"doc.go": 0}
	_, order, _ := strings.Cut(text, "# Reading order")
	for _, name := range goFile.FindAllString(order, -1) {
		if _, known := place[name]; !known {
			place[name] = len(place)
		}
	}
	on := map[string]bool{"doc.go": true}
	for _, name := range files {
		on[name] = true
	}
	for name := range on {
		if _, listed := place[name]; !listed {
			t.Errorf("the reading order in doc.go leaves out %s", name)
		}
	}
	for name := range place {
		if !on[name] {
			t.Errorf("the reading order in doc.go names %s, which has no function or is gone", name)
		}
	}
	return place
}

// callsOf lists, for each function of a package, the functions of the package that it names, in order, and the file of
// each function. Types of other packages stay unknown.
func callsOf(t *testing.T, folder string) (calls map[*types.Func][]*types.Func, files map[*types.Func]string) {
	t.Helper()
	fset, parsed := sourcesOf(t, folder)
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: unknown{}, Error: func(error) {}}
	pkg, _ := config.Check(folder, fset, parsed, info)
	calls, files = map[*types.Func][]*types.Func{}, map[*types.Func]string{}
	for _, file := range parsed {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, _ := info.Defs[fn.Name].(*types.Func)
			files[from] = filepath.Base(fset.Position(fn.Pos()).Filename)
			ast.Inspect(fn, func(n ast.Node) bool {
				id, _ := n.(*ast.Ident)
				if to, ok := info.Uses[id].(*types.Func); ok && to.Pkg() == pkg && !isAbstract(to) {
					calls[from] = append(calls[from], to.Origin())
				}
				return true
			})
		}
	}
	return calls, files
}

// isAbstract reports whether a function is a method that only an interface names.
func isAbstract(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// backUp follows all calls from a function, each function once, and counts those that lead back up.
func backUp(from *types.Func, calls map[*types.Func][]*types.Func, up func(from, to *types.Func) bool) (n int) {
	seen := []*types.Func{from}
	for i := 0; i < len(seen); i++ {
		for _, to := range calls[seen[i]] {
			if slices.Contains(seen, to) {
				continue
			}
			seen = append(seen, to)
			if up(seen[i], to) {
				n++
			}
		}
	}
	return n
}

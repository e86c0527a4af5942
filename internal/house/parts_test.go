package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// A machine is made of parts that a reader can hold in mind. These are the bounds of one type: its methods, with the
// functions that take it, and the fields of a type that has more than fewMethods.
const (
	mostMethods = 60
	mostFields  = 15
	fewMethods  = 5
)

// A house is a package with a machine: the type that is the whole, and the types that are its parts. A part has its own
// fields. No field of it leads to the whole or to another part, so a reader of a part need not know the rest.
type house struct {
	folder string // below engine
	whole  []string
	parts  []string
	// faces are types that only lead to the whole: it implements an interface by them. Their methods are its own.
	faces []string
	// holds names the parts that keep another in their fields, each with a reason beside it.
	holds map[string]string
	// tooLarge names the types that are still beyond the bounds, with their methods and fields. It may only shrink.
	tooLarge map[string]size
}

type size struct{ methods, fields int }

var houses = []house{
	{folder: ".", whole: []string{"Engine", "step"},
		parts: []string{"clock", "recorder", "forms", "session", "openQuestions", "consultation", "extras", "grants",
			"sessions", "decider"},
		holds: map[string]string{
			// A question holds the consultation that guardians have about it, so both end together.
			"openQuestions": "consultation",
			"sessions":      "session",
			// A yes that was given is a fact about each question that is equal to its own.
			"decider": "grants",
		}},
	{folder: "asking", whole: []string{"Machine"},
		parts: []string{"client", "clock", "decider", "calls", "questions", "outbox"}},
	{folder: "asking/asker", whole: []string{"Machine"}, parts: []string{"clock", "timers", "sweep", "client"}},
	{folder: "relay", whole: []string{"Machine"}, parts: []string{"timing", "outbox", "client", "doubts", "ending"},
		faces: []string{"port"}},
	{folder: "relay/internal/decider", whole: []string{"Decider"}, parts: []string{"questions"}},
	{folder: "relay/internal/mcp", whole: []string{"Dialogue"},
		parts: []string{"agreed", "conn", "names", "past", "tasks", "handed"},
		// A task asks by itself.
		holds: map[string]string{"tasks": "conn"}},
	{folder: "relay/internal/gate", whole: []string{"Gate"}},
}

// TestParts holds every type of a machine to the bounds, and its parts apart from each other and from the whole.
func TestParts(t *testing.T) {
	for _, h := range houses {
		t.Run(h.folder, func(t *testing.T) {
			pkg := typesOf(t, filepath.Join("engine", h.folder))
			h.checkSizes(t, pkg)
			h.checkParts(t, pkg)
		})
	}
}

func (h *house) checkSizes(t *testing.T, pkg *types.Package) {
	counted := h.methodsOf(pkg)
	seen := 0
	for _, named := range namedTypes(pkg) {
		name := named.Obj().Name()
		is := size{methods: counted[named]}
		if s, ok := named.Underlying().(*types.Struct); ok {
			is.fields = s.NumFields()
		}
		seen++
		if is.methods > mostMethods/2 || is.methods > fewMethods && is.fields > mostFields {
			t.Logf("%s: %d methods and functions that take it, %d fields", name, is.methods, is.fields)
		}
		most := size{mostMethods, mostFields}
		if larger, listed := h.tooLarge[name]; listed {
			most = larger
			if is.methods <= mostMethods && (is.fields <= mostFields || is.methods <= fewMethods) {
				t.Errorf("%s fits now: take it off tooLarge", name)
			}
		}
		if is.methods > most.methods {
			t.Errorf("%s has %d methods and functions that take it, at most %d", name, is.methods, most.methods)
		}
		if is.methods > fewMethods && is.fields > most.fields {
			t.Errorf("%s has %d fields and %d methods, at most %d fields", name, is.fields, is.methods, most.fields)
		}
	}
	if seen < 5 {
		t.Fatalf("only %d types seen: the test has lost its subject", seen)
	}
}

// checkParts follows the fields of each part. It reports the whole or another part, with the fields that lead to it.
func (h *house) checkParts(t *testing.T, pkg *types.Package) {
	for _, part := range h.parts {
		obj := pkg.Scope().Lookup(part)
		if obj == nil {
			t.Errorf("there is no part %s", part)
			continue
		}
		for other, path := range reachable(obj.Type()) {
			name := other.Obj().Name()
			if name == part || h.holds[part] == name {
				continue
			}
			if slices.Contains(h.whole, name) || slices.Contains(h.parts, name) {
				t.Errorf("part %s leads to %s: %s", part, name, path)
			}
		}
	}
}

// reachable lists the types of the package that the fields of a type lead to, each with the way to it.
func reachable(from types.Type) map[*types.Named]string {
	found := map[*types.Named]string{}
	var walk func(t types.Type, path string)
	walk = func(t types.Type, path string) {
		switch t := t.(type) {
		case *types.Named:
			if _, known := found[t]; known {
				return
			}
			found[t] = path
			walk(t.Underlying(), path)
		case *types.Pointer:
			walk(t.Elem(), path)
		case *types.Slice:
			walk(t.Elem(), path)
		case *types.Array:
			walk(t.Elem(), path)
		case *types.Chan:
			walk(t.Elem(), path)
		case *types.Map:
			walk(t.Key(), path)
			walk(t.Elem(), path)
		case *types.Signature:
			for v := range t.Params().Variables() {
				walk(v.Type(), path)
			}
			for v := range t.Results().Variables() {
				walk(v.Type(), path)
			}
		case *types.Interface:
			for m := range t.Methods() {
				walk(m.Type(), path)
			}
		case *types.Struct:
			for f := range t.Fields() {
				walk(f.Type(), path+"."+f.Name())
			}
		}
	}
	walk(from, "")
	return found
}

// methodsOf counts, for each type, its methods and the functions that take a pointer to it. For the whole, methods of
// other types that take it, and of its faces, count too: they are its own under another name.
func (h *house) methodsOf(pkg *types.Package) map[*types.Named]int {
	counted := map[*types.Named]int{}
	count := func(f *types.Func) {
		takes := map[*types.Named]bool{}
		sig := f.Signature()
		if recv := sig.Recv(); recv != nil {
			of := structOf(recv.Type())
			takes[of] = true
			takes[h.behind(of)] = true
		}
		for v := range sig.Params().Variables() {
			of := structOf(v.Type())
			if _, pointer := v.Type().(*types.Pointer); pointer && of != nil &&
				(sig.Recv() == nil || slices.Contains(h.whole, of.Obj().Name())) {
				takes[of] = true
			}
		}
		delete(takes, nil)
		for named := range takes {
			counted[named]++
		}
	}
	for _, name := range pkg.Scope().Names() {
		if f, ok := pkg.Scope().Lookup(name).(*types.Func); ok {
			count(f)
		}
	}
	for _, named := range namedTypes(pkg) {
		for m := range named.Methods() {
			count(m)
		}
	}
	// A type that embeds another has its methods too.
	whole := map[*types.Named]int{}
	for _, named := range namedTypes(pkg) {
		whole[named] = counted[named]
		if s, ok := named.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if of := structOf(f.Type()); f.Embedded() && of != nil {
					whole[named] += counted[of]
				}
			}
		}
	}
	return whole
}

// behind is the whole that a type stands for, or nil.
func (h *house) behind(named *types.Named) *types.Named {
	if named == nil || !slices.Contains(h.faces, named.Obj().Name()) {
		return nil
	}
	for f := range named.Underlying().(*types.Struct).Fields() {
		if of := structOf(f.Type()); of != nil && slices.Contains(h.whole, of.Obj().Name()) {
			return of
		}
	}
	return nil
}

// structOf is the struct of this package that a type is or points to, nil for any other type.
func structOf(t types.Type) *types.Named {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return named
}

func namedTypes(pkg *types.Package) (list []*types.Named) {
	for _, name := range pkg.Scope().Names() {
		if obj, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			if named, ok := obj.Type().(*types.Named); ok {
				list = append(list, named)
			}
		}
	}
	return list
}

// typesOf reads the types of a package from its files alone. Types of other packages stay unknown, because no field
// leads through them back into this one.
func typesOf(t *testing.T, folder string) *types.Package {
	t.Helper()
	fset, files := sourcesOf(t, folder)
	config := types.Config{Importer: unknown{}, Error: func(error) {}, IgnoreFuncBodies: true}
	pkg, _ := config.Check(folder, fset, files, nil)
	return pkg
}

// sourcesOf parses the files of a package, without its tests.
func sourcesOf(t *testing.T, folder string) (*token.FileSet, []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	must.OK(t, err)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		must.OK(t, err)
		files = append(files, file)
	}
	return fset, files
}

// unknown gives an empty package for every import.
type unknown struct{}

func (unknown) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	pkg.MarkComplete()
	return pkg, nil
}

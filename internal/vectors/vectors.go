// Package vectors reads testdata/vectors for tests. A vector shows one behaviour, and every interface runs it.
package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Vector is one behaviour. In and Want have the exact text of the file.
type Vector struct {
	TCID  string          `json:"tcId"` // FAMILY/NAME
	Spec  string          `json:"spec"`
	About string          `json:"about"`
	Op    string          `json:"op"`
	In    json.RawMessage `json:"in"`
	Want  json.RawMessage `json:"want"`
	// File is FAMILY/TOPIC.json, and Text is the exact text of the whole vector there.
	File string `json:"-"`
	Text []byte `json:"-"`
}

// Family returns the directory of the vector.
func (v Vector) Family() string { return path.Dir(v.TCID) }

// Name returns the name of the vector in its family.
func (v Vector) Name() string { return path.Base(v.TCID) }

// String tells where the vector stands, as FAMILY/TOPIC.json#NAME.
func (v Vector) String() string { return v.File + "#" + v.Name() }

// Output returns Want without white space between tokens, as an interface answers.
func (v Vector) Output() []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, v.Want) // Parse has read it, so it is JSON
	return out.Bytes()
}

// Read returns the vectors of the families in the order of their names, or all vectors. No vectors in a family, and a
// file that is no list of vectors, end the test.
func Read(t testing.TB, families ...string) (all []Vector) {
	t.Helper()
	if len(families) == 0 {
		families = []string{"*"}
	}
	root := Root(t)
	for _, family := range families {
		files, err := filepath.Glob(filepath.Join(root, family, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no vectors in %s (%v)", filepath.Join(root, family), err)
		}
		for _, file := range files {
			list, err := parsed(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list...)
		}
	}
	slices.SortFunc(all, func(a, b Vector) int { return strings.Compare(a.TCID, b.TCID) })
	for i := 1; i < len(all); i++ {
		if all[i].TCID == all[i-1].TCID {
			t.Fatalf("%s is in %s too: give one of them another tcId", all[i], all[i-1].File)
		}
	}
	return all
}

var files sync.Map // the vectors of a file, by its path

// parsed is Parse of a file, once for all tests of a package. No test changes the bytes of a vector.
func parsed(file string) ([]Vector, error) {
	once, _ := files.LoadOrStore(file, sync.OnceValues(func() ([]Vector, error) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return Parse(path.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)), text)
	}))
	return once.(func() ([]Vector, error))()
}

// Run fails for each vector of the families that eval, which is abi.Eval, answers in another way. A package runs those
// of its own behaviour in its own tests, so that who changes it need not wait for all the others.
func Run(t *testing.T, eval func(op string, in, dst []byte) []byte, families ...string) {
	t.Helper()
	for _, v := range Read(t, families...) {
		if got, want := eval(v.Op, v.In, nil), v.Output(); !bytes.Equal(got, want) {
			t.Errorf("%s (%s)\n got %s\nwant %s", v, v.About, got, want)
		}
	}
}

// Nightly reports whether ./build.sh nightly runs the tests, which takes longer and tries more.
func Nightly() bool { return os.Getenv("ELICIT_NIGHTLY") != "" }

// Night skips a test by day: it is slow, and others would notice most of what it does.
func Night(t testing.TB) {
	t.Helper()
	if !Nightly() {
		t.Skip("./build.sh nightly runs it")
	}
}

// Short yields every text of at most so many of the symbols, with more of them at night. It logs how many there are.
func Short(t testing.TB, day, night int, symbols ...string) iter.Seq[string] {
	most := day
	if Nightly() {
		most = night
	}
	return func(yield func(string) bool) {
		total := 0
		var longer func(text []byte, left int) bool
		longer = func(text []byte, left int) bool {
			total++
			if !yield(string(text)) {
				return false
			}
			for _, symbol := range symbols {
				if left > 0 && !longer(append(text, symbol...), left-1) {
					return false
				}
			}
			return true
		}
		longer(make([]byte, 0, 256), most)
		t.Logf("%d texts of at most %d of %d symbols", total, most, len(symbols))
	}
}

// Some returns every sixteenth vector, for a host that is slow, or that runs them a second time. At night it returns
// all of them.
func Some[V any](all []V) (some []V) {
	if Nightly() {
		return all
	}
	for i := 0; i < len(all); i += 16 {
		some = append(some, all[i])
	}
	return some
}

// Parse reads the text of a file FAMILY/TOPIC.json, in its order.
func Parse(file string, text []byte) ([]Vector, error) {
	var texts []json.RawMessage
	if err := json.Unmarshal(text, &texts); err != nil {
		return nil, fmt.Errorf("%s is no list: a vector is an element of the file of its topic (%w)", file, err)
	}
	list := make([]Vector, len(texts))
	for i, text := range texts {
		v := Vector{File: file, Text: text}
		read := json.NewDecoder(bytes.NewReader(text))
		read.DisallowUnknownFields()
		err := read.Decode(&v)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s#%s, element %d: %w", file, path.Base(v.TCID), i, err)
		case v.Family() != path.Dir(file) || v.Name() == "":
			return nil, fmt.Errorf("%s, element %d: tcId is %q; it must be %s/NAME", file, i, v.TCID, path.Dir(file))
		case v.Spec == "" || v.About == "" || v.Op == "" || v.In == nil || v.Want == nil:
			return nil, fmt.Errorf("%s: a vector has spec, about, op, in and want", v)
		}
		list[i] = v
	}
	return list, nil
}

// Root returns the directory of the vectors. It looks for it above the working directory, which is that of a package.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	for ; err == nil; dir = filepath.Dir(dir) {
		root := filepath.Join(dir, "testdata", "vectors")
		if _, missing := os.Stat(filepath.Join(root, "vector.schema.json")); missing == nil {
			return root
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	t.Fatalf("there is no testdata/vectors above the working directory (%v)", err)
	return ""
}

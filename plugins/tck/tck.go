// Package tck certifies programs that run guardians. The kit is a folder of guests and questions. For each question it
// has the bytes that come back, the fuel that was used and the fault. README.md says how to run the files. This package
// reads them for hosts written in Go.
package tck

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/plugins/guests"
	"github.com/elicit-engine/elicit/plugins/tck/attack"
)

//go:embed cases hosts modules questions
var files embed.FS

// Kit is one file of cases: the guests it needs and what is asked of them.
type Kit struct {
	TCK         int      `json:"tck"`          // the number of this format: 1
	FuelVersion int      `json:"fuel_version"` // the charging rules the fuel is counted by
	Modules     []Module `json:"modules"`
	Cases       []Case   `json:"cases"`
}

// Module is a guest. One that is refused has no cases.
type Module struct {
	Name    string `json:"module"`            // its bytes are modules/NAME.wasm
	Digest  string `json:"digest"`            // SHA-256 of them
	WASI    bool   `json:"wasi,omitempty"`    // the operator permits WASI
	Data    bool   `json:"data,omitempty"`    // its manifest declares a data document: without one it does not run
	Refused string `json:"refused,omitempty"` // code of the problem it is refused with when it is loaded
	Says    string `json:"says,omitempty"`    // that problem in English
	Metered string `json:"metered,omitempty"` // SHA-256 of the rewritten module
	// Instance is the fuel that making an instance costs: see plugins/ABI.md, 3.
	Instance int `json:"instance_fuel,omitempty"`
}

// Case is one evaluation in a fresh instance.
type Case struct {
	Name   string `json:"case"`
	Module string `json:"module"`
	Call   string `json:"call"`               // evaluate or check_settings
	File   string `json:"document,omitempty"` // the file of questions/ whose bytes are handed over as they are
	Text   string `json:"text,omitempty"`     // or the document itself
	Pad    int    `json:"pad,omitempty"`      // spaces are put behind them up to this size
	Fuel   int64  `json:"fuel"`               // the budget
	Times  int    `json:"times,omitempty"`
	// Data is repeated and cut to DataSize bytes: the data document. Without Data there is none.
	Data     *string `json:"data,omitempty"`
	DataSize int     `json:"data_size,omitempty"`
	Want
}

// Want is what must come of a case, whichever engine runs it. Exactly one of Output and Fault is there.
type Want struct {
	Output *string `json:"output,omitempty"`
	Fault  string  `json:"fault,omitempty"`
	Used   int64   `json:"used"`  // fuel
	Pages  int     `json:"pages"` // of memory at the end, 0 without an instance
}

// Host is the program under test.
type Host interface {
	// Load returns the guest, or the code of the first problem with its module.
	Load(module []byte, wasi bool) (guest Guest, refused string)
}

// Guest is a module a host has loaded. Each Run is an evaluation of its own.
type Guest interface {
	// Run evaluates. data is the data document, nil for none, and an empty one is not nil.
	Run(call string, document, data []byte, fuel int64) Want
	Close()
}

// Kits returns all cases of this package by the names of their files.
func Kits() map[string]Kit {
	kits := map[string]Kit{}
	names, err := fs.Glob(files, "cases/*.json")
	if err != nil || len(names) == 0 {
		panic("tck: no cases")
	}
	for _, name := range names {
		var kit Kit
		d := json.NewDecoder(bytes.NewReader(read(name)))
		d.DisallowUnknownFields()
		if err := d.Decode(&kit); err != nil {
			panic("tck: " + name + ": " + err.Error())
		}
		kits[strings.TrimSuffix(path.Base(name), ".json")] = kit
	}
	return kits
}

// Bytes is the module itself. Those of the kit "made" are made by package attack, and our own guardians are in package
// guests. All others are files.
func (m Module) Bytes() []byte {
	if made := attack.Find(m.Name); made != nil {
		return made
	}
	if ours := guests.Module(m.Name); ours != nil {
		return ours
	}
	return read(m.file())
}

func (m Module) file() string { return "modules/" + m.Name + ".wasm" }

// Bytes is the document of the case, padded.
func (c Case) Bytes() []byte {
	doc := []byte(c.Text)
	if c.File != "" {
		doc = read("questions/" + c.File)
	}
	return append(doc, bytes.Repeat([]byte(" "), max(0, c.Pad-len(doc)))...)
}

// Document is the data document of the case, nil for none.
func (c Case) Document() []byte {
	if c.Data == nil {
		return nil
	}
	doc := make([]byte, c.DataSize)
	for n := 0; n < len(doc); {
		n += copy(doc[n:], *c.Data)
	}
	return doc
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("tck: " + err.Error())
	}
	return b
}

// Equal reports whether a host did what was wanted.
func (w Want) Equal(got Want) bool {
	if w.Output == nil || got.Output == nil {
		return w.same(got) && w.Output == got.Output
	}
	return w.same(got) && *w.Output == *got.Output
}

// same compares everything but the output.
func (w Want) same(got Want) bool {
	return w.Fault == got.Fault && w.Used == got.Used && w.Pages == got.Pages
}

func (w Want) String() string {
	b, _ := json.Marshal(w)
	return string(b)
}

// Run puts every case to the host, twice in a row, so that nothing one evaluation left behind goes unseen.
func Run(t *testing.T, host Host) {
	kits := Kits()
	ran := 0
	for _, name := range slices.Sorted(maps.Keys(kits)) {
		t.Run(name, func(t *testing.T) { ran += kits[name].run(t, host) })
	}
	if ran < 50 {
		t.Errorf("%d cases; the kit has lost its subject", ran)
	}
}

func (k Kit) run(t *testing.T, host Host) (ran int) {
	guests := map[string]Guest{}
	for _, m := range k.Modules {
		guest, refused := host.Load(m.Bytes(), m.WASI)
		if guest != nil {
			defer guest.Close()
			guests[m.Name] = guest
		}
		if refused != m.Refused {
			t.Errorf("%s: refused %q, want %q", m.Name, refused, m.Refused)
		}
		ran++
	}
	for _, c := range k.Cases {
		guest := guests[c.Module]
		if guest == nil {
			t.Errorf("%s: %s was not loaded", c.Name, c.Module)
			continue
		}
		data := c.Document()
		for range cmp.Or(c.Times, 2) {
			if got := guest.Run(c.Call, c.Bytes(), data, c.Fuel); !c.Want.Equal(got) {
				t.Errorf("%s\n got %v\nwant %v", c.Name, got, c.Want)
				break
			}
		}
		ran++
	}
	return ran
}

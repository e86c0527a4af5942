package tck

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/meter"
	"github.com/elicit-engine/elicit/plugins/tck/attack"
)

var update = flag.Bool("update", false, "write down what plugins/host does; then understand the difference")

// kept is a directory for the machine code of guests, which several tests need.
var kept string

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if kept, err = os.MkdirTemp("", "tck"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(kept)
	os.Exit(code)
}

// ours is plugins/host as this package wants a host, a new one for each guest: one alone holds 256.
type ours host.Options

func (o ours) Load(module []byte, wasi bool) (Guest, string) {
	h := host.New(host.Options(o))
	m, problems := h.Load(module, guest.Options{WASI: wasi})
	if problems != nil {
		h.Close()
		return nil, problems[0].Code
	}
	return held{h, m.Digest, wasi}, ""
}

type held struct {
	host   *host.Host
	digest string
	wasi   bool
}

func (h held) Close() { h.host.Close() }

func (h held) Run(call string, document, data []byte, fuel int64) Want {
	run := h.host.Evaluate
	if call == "check_settings" {
		run = h.host.CheckSettings
	}
	r := run(host.Evaluation{Digest: h.digest, Question: document, Data: data, Fuel: fuel,
		WASI: h.wasi})
	w := Want{Fault: string(r.Fault), Used: r.Fuel, Pages: r.Pages}
	if r.Fault == "" {
		output := string(r.Output)
		w.Output = &output
	}
	return w
}

// TestHost certifies plugins/host with both of its engines.
func TestHost(t *testing.T) {
	t.Parallel()
	if *collect != "" {
		collected(t)
	}
	if *update {
		rewrite(t)
	}
	for name, compiler := range map[string]bool{"compiler": true, "interpreter": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Run(t, ours{Compiler: compiler, CacheDir: kept})
		})
	}
}

// rewrite puts down what the interpreter does. An author writes by hand why a module is refused.
func rewrite(t *testing.T) {
	kits := Kits()
	kits["made"] = made()
	for name, kit := range kits {
		must.OK(t, settle(t, kit).write(filepath.Join("cases", name+".json")))
	}
	t.Fatal("written; run me again without -update")
}

// made is the kit of what package attack makes, before anything is run.
func made() Kit {
	kit := Kit{TCK: 1}
	for _, m := range attack.All() {
		kit.Modules = append(kit.Modules, Module{Name: m.File, WASI: m.WASI, Refused: m.Refused})
		if m.Refused == "" {
			c := Case{Name: m.Name, Module: m.File, Call: "evaluate", File: "show.json", Fuel: m.Fuel}
			if strings.Contains(m.Name, ": data_") {
				text := "0123456789abcdefghij\n"
				c.Data, c.DataSize = &text, guest.MaxData
			}
			kit.Cases = append(kit.Cases, c)
			if strings.HasPrefix(m.Name, "operator: ") {
				c.Name, c.Call, c.File, c.Text, c.Fuel = m.Name+", once", "check_settings", "", "{}", guest.DefaultFuel
				kit.Cases = append(kit.Cases, c)
			}
		}
	}
	return kit
}

// settle fills in digests and what comes of every case.
func settle(t *testing.T, kit Kit) Kit {
	kit.FuelVersion = meter.Version
	kit.Modules, kit.Cases = slices.Clone(kit.Modules), slices.Clone(kit.Cases)
	guests := map[string]Guest{}
	for i, m := range kit.Modules {
		module := attack.Find(m.Name)
		if module == nil {
			var err error
			if module, err = os.ReadFile(fileOf(m.Name)); err != nil { // newer than what is embedded
				t.Fatal(err)
			}
		}
		kit.Modules[i].Digest = digest(module)
		read, problems := guest.Read(module, guest.Options{WASI: m.WASI})
		if problems != nil {
			kit.Modules[i].Says = english.Problem(problems[0])
		}
		if problems == nil {
			kit.Modules[i].Data = read.Manifest.Data != ""
			kit.Modules[i].Metered, kit.Modules[i].Instance = digest(read.Metered), read.Instance
			guests[m.Name], _ = ours{}.Load(module, m.WASI)
			defer guests[m.Name].Close()
		}
	}
	for i, c := range kit.Cases {
		if guests[c.Module] == nil {
			t.Fatalf("%s: %s is not loaded", c.Name, c.Module)
		}
		kit.Cases[i].Want = guests[c.Module].Run(c.Call, c.Bytes(), c.Document(), c.Fuel)
	}
	return kit
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// TestDigests holds that the modules are the ones that are named, and that the meter gives them the bytes on record:
// whoever wrote a rewriter of his own compares with these.
func TestDigests(t *testing.T) {
	for name, kit := range Kits() {
		for _, m := range kit.Modules {
			if got := digest(m.Bytes()); got != m.Digest {
				t.Errorf("%s: %s has digest %s, want %s", name, m.Name, got, m.Digest)
			}
			read, problems := guest.Read(m.Bytes(), guest.Options{WASI: m.WASI})
			switch {
			case problems == nil && digest(read.Metered) != m.Metered:
				t.Errorf("%s: %s, metered, has digest %s, want %s", name, m.Name, digest(read.Metered), m.Metered)
			case problems != nil && (problems[0].Code != m.Refused || english.Problem(problems[0]) != m.Says):
				t.Errorf("%s: %s is refused with %s, %q, want %s, %q", name, m.Name, problems[0].Code,
					english.Problem(problems[0]), m.Refused, m.Says)
			}
		}
	}
}

// TestMade holds that the kit on record is of all that is made.
func TestMade(t *testing.T) {
	want, got := made(), Kits()["made"]
	modules, cases := len(want.Modules), len(want.Cases)
	if modules < 300 || len(got.Modules) != modules || len(got.Cases) != cases || cases < 300 {
		t.Fatalf("%d modules and %d cases on record, %d and %d are made", len(got.Modules), len(got.Cases), modules, cases)
	}
	for i, m := range got.Modules {
		if w := want.Modules[i]; m.Name != w.Name || m.Refused != w.Refused || m.WASI != w.WASI {
			t.Errorf("got %s, want %s", m.Name, w.Name)
		}
	}
}

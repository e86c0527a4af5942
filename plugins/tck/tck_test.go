package tck

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

var update = flag.Bool("update", false, "write down what plugins/host does; then understand the difference")

// ours is plugins/host as this package wants a host.
type ours struct{ *host.Host }

func (o ours) Load(module []byte, wasi bool) (Guest, string) {
	m, problems := o.Host.Load(module, guest.Options{WASI: wasi})
	if problems != nil {
		return nil, problems[0].Code
	}
	return held{o.Host, m.Digest, wasi}, ""
}

type held struct {
	host   *host.Host
	digest string
	wasi   bool
}

func (h held) Close() {}

func (h held) Run(call string, document []byte, fuel int64) Want {
	run := h.host.Evaluate
	if call == "check_settings" {
		run = h.host.CheckSettings
	}
	r := run(host.Evaluation{Digest: h.digest, Question: document, Fuel: fuel, WASI: h.wasi})
	w := Want{Fault: string(r.Fault), Used: r.Fuel}
	if r.Fault == "" {
		output := string(r.Output)
		w.Output = &output
	}
	return w
}

// TestHost certifies plugins/host with both of its engines.
func TestHost(t *testing.T) {
	if *collect != "" {
		collected(t)
	}
	if *update {
		rewrite(t)
	}
	for name, compiler := range map[string]bool{"compiler": true, "interpreter": false} {
		t.Run(name, func(t *testing.T) {
			h := host.New(host.Options{Compiler: compiler})
			defer h.Close()
			Run(t, ours{h})
		})
	}
}

// rewrite puts down what the interpreter does. What a module is refused with is written by hand.
func rewrite(t *testing.T) {
	for name, kit := range Kits() {
		if err := settle(t, kit).write(filepath.Join("cases", name+".json")); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("written; run me again without -update")
}

// settle fills in digests and what comes of every case.
func settle(t *testing.T, kit Kit) Kit {
	h := host.New(host.Options{})
	defer h.Close()
	kit.Modules, kit.Cases = slices.Clone(kit.Modules), slices.Clone(kit.Cases)
	guests := map[string]Guest{}
	for i, m := range kit.Modules {
		module, err := os.ReadFile(filepath.Join("modules", m.Name+".wasm")) // newer than what is embedded
		if err != nil {
			t.Fatal(err)
		}
		kit.Modules[i].Digest = digest(module)
		if read, problems := guest.Read(module, guest.Options{WASI: m.WASI}); problems == nil {
			kit.Modules[i].Metered = digest(read.Metered)
			guests[m.Name], _ = ours{h}.Load(module, m.WASI)
		}
	}
	for i, c := range kit.Cases {
		if guests[c.Module] == nil {
			t.Fatalf("%s: %s is not loaded", c.Name, c.Module)
		}
		kit.Cases[i].Want = guests[c.Module].Run(c.Call, c.Bytes(), c.Fuel)
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
			case problems != nil && problems[0].Code != m.Refused:
				t.Errorf("%s: %s is refused with %q, want %q", name, m.Name, problems[0].Code, m.Refused)
			}
		}
	}
}

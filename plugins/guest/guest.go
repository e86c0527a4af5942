// Package guest checks, meters and describes a guardian's Wasm module, so that a host may run it. It runs nothing and
// knows no engine. The Wasm build therefore contains it too, and a browser runs the same bytes as wazero.
// plugins/ABI.md is the contract it checks.
package guest

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// Module is a guest that a host may load. Its content follows from the module's bytes alone.
type Module struct {
	Digest     string // SHA-256 of the bytes handed in, 64 hex digits
	Manifest   guardian.Manifest
	ABI        int32          // major<<16 | minor of the guardian ABI it was built for
	WASI       bool           // it imports WASI: it runs only where the operator's permit says "wasi": true
	Imports    []meter.Import // in its own order
	Initialize bool           // it exports _initialize
	Resets     bool           // an instance is new again once its memory and its globals are: see meter.Outline.Rearranges
	Metered    []byte         // what engines run
	Instance   int            // the fuel that making an instance costs
	Sizes      Sizes
}

// Sizes are the figures an operator may want to see. Bytes, unless said otherwise.
type Sizes struct {
	Module, Metered       int
	Functions             int // that it defines
	LongestBody           int // before metering
	Data                  int
	PagesLeast, PagesMost int // of 64 KiB; the most is the limit's where the guest declares more
}

// Options are what the operator permits.
type Options struct {
	WASI bool // the guest may import WASI preview 1, served by the shim of plugins/ABI.md
}

// Read checks a module. Problems of the manifest point into the manifest; all others are about the module as a whole
// and say at which offset. The module is not kept. Time and memory are linear in its size, which is bounded first.
func Read(module []byte, o Options) (*Module, []elicit.Problem) {
	limits := meter.Limits{}
	wasi := len(module) <= meter.WithRuntime().ModuleBytes && meter.ImportsFrom(module, wasiModule)
	if wasi && o.WASI {
		limits = meter.Limits{Runtime: true, Imports: append(WASIImports(), meter.DefaultLimits().Imports...)}
	}
	if wasi && !o.WASI {
		return nil, []elicit.Problem{{Code: "wasi_not_granted"}}
	}
	metered, outline, refusal := meter.Read(module, limits)
	if refusal != nil {
		return nil, []elicit.Problem{refused(refusal)}
	}
	m := &Module{Digest: guardian.Digest(module), WASI: wasi, Metered: metered}
	m.Resets = !outline.Starts() && !outline.Rearranges()
	m.Imports, m.Instance = outline.Imports(), outline.Instance()
	least, most := outline.Pages()
	m.Sizes = Sizes{Module: len(module), Metered: len(metered), Functions: outline.Functions(),
		LongestBody: outline.LongestBody(), Data: outline.DataBytes(), PagesLeast: least, PagesMost: most}
	c := contract{outline: outline}
	c.exports()
	m.ABI = c.version()
	_, _, m.Initialize = outline.Function(Initialize)
	m.Manifest = c.manifest()
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return m, nil
}

// SettingsFuel is the budget of a settings check under a permit of that fuel. Where there is a data document, the
// guest may read all of it once, at the start, while no question waits.
func SettingsFuel(permitted int64, data bool) int64 {
	if data {
		return DataFuel
	}
	return permitted
}

// refused is a refusal of the meter as a problem.
func refused(r *meter.Refusal) elicit.Problem {
	p := elicit.Problem{Code: r.Code, Args: []elicit.Arg{elicit.Num("offset", r.Offset), elicit.Str("detail", r.Detail)}}
	if r.Code == meter.ImportRefused {
		p.Args = append(p.Args, elicit.Str("import", r.Import))
	}
	return p
}

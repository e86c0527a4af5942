// Package meter rewrites a guardian's Wasm module so that every call into it ends after a bounded amount of work, at
// the same point on every engine. It needs no clock, no cancellation and no help from the engine: the guest counts its
// own steps down in a global it cannot name and traps when they are spent. README.md says what is charged and why the
// bound holds.
package meter

// Version is the number of the charging rules ("fuel=3"). Two rewriters of one version give the same bytes for the
// same module and limits; any change of what is charged is another version, because recorded fuel would not repeat.
const Version = 3

// The names the rewriter exports for the host. A module that already exports a name with ReservedPrefix is refused.
const (
	ReservedPrefix = "elicit_meter_"
	FuelExport     = "elicit_meter_fuel"    // mutable i64: fuel left; the host sets it before each call
	DepthExport    = "elicit_meter_depth"   // mutable i32: frame weight left; the host restores it after a trap
	ReasonExport   = "elicit_meter_reason"  // mutable i32: why the rewriter trapped, one of the Reason numbers
	VersionExport  = "elicit_meter_version" // immutable i32: Version
)

// Counters is how many globals the rewriter appends behind the guest's own: fuel, depth, reason, version, in this
// order.
const Counters = 4

// The values of ReasonExport. A trap that leaves ReasonNone is the guest's own.
const (
	ReasonNone  = 0
	ReasonFuel  = 1
	ReasonDepth = 2
)

// ManifestSection names the only custom section that survives the rewriting.
const ManifestSection = "elicit.guardian"

// Limits bound what a module may be and may use. A zero is the default; a number above the hard maximum is the hard
// maximum, so no configuration can switch a limit off.
type Limits struct {
	ModuleBytes   int // the module as handed in
	Functions     int // defined functions
	BodyBytes     int // one function body before rewriting; after it, at most twice this
	DataBytes     int // all data segments together
	ManifestBytes int // the elicit.guardian section
	MemoryPages   int // 64 KiB each; a declared maximum above it is lowered
	TableEntries  int // each table; likewise
	Depth         int // frame weight: one for a call, more for a frame of 64 slots and up
	Fuel          int // what the fuel global starts with: the budget of a start section
	// Imports are the functions the guest may import. Nil stands for the guardian ABI's own.
	Imports []Import
	// Runtime says that the guest brings a language's whole runtime along: WithRuntime's defaults and maxima hold.
	Runtime bool
}

// Import is one function a guest may import. Params and Results have a letter for each value: i and I for i32 and i64,
// f and F for f32 and f64.
type Import struct {
	Module, Name, Params, Results string
	Fuel                          int // what a call costs besides the 129 that any call of an import costs
	// Counted says that the last parameter is a number of bytes. Each 8 of them cost one fuel more, taken before the
	// call. Such a function may be called by its name alone: no reference to it may exist.
	Counted bool
}

// Refusal says why a module was not rewritten. Offset counts bytes of the module handed in; Detail names the thing
// found and is for people.
type Refusal struct {
	Code   string
	Offset int
	Detail string
	Import string // module.name of an import that was refused
}

// Error makes a refusal usable where Go wants an error.
func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// The codes of a Refusal.
const (
	Malformed      = "malformed_module"    // not a core module: truncated, bad LEB128, sections out of order
	Invalid        = "invalid_module"      // an index, a type or the stack is wrong
	Unsupported    = "unsupported_feature" // a proposal outside the pinned set
	ImportRefused  = "import_refused"
	NameReserved   = "reserved_name"
	ModuleTooLarge = "module_too_large"
	BodyTooLarge   = "body_too_large"
	DataTooLarge   = "data_too_large"
	MemoryTooLarge = "memory_too_large"
	TableTooLarge  = "table_too_large"
	TooMany        = "too_many_parts" // functions, tables, parameters, locals
	BadManifest    = "bad_manifest_section"
)

// Limits nobody configures. They bound the frames of the guest and the memory of the rewriter.
const (
	maxArity  = 128   // parameters, and results, of one type
	maxLocals = 4_096 // of one function, parameters included
	maxTables = 4

	// Engines take more of these, each another number: V8 100,000 imports and exports, wasmtime names of 100,000 bytes.
	maxTypes     = 10_000
	maxLinks     = 1_000 // imports, and exports
	maxNameBytes = 1_024
	maxGlobals   = 10_000
	maxSegments  = 10_000 // of data, and of elements

	runtimeSegments = 100_000 // of data, with Limits.Runtime: Go's linker begins one behind each stretch of zeros

	// Loads cost more where memory may be much larger than what processors keep close, and indirect calls where they may
	// go to so many functions, or take and give so many values.
	farPages   = 32
	farTargets = 512
	wideCall   = 32
)

// DefaultLimits are what a zero Limits stands for.
func DefaultLimits() Limits {
	return Limits{
		ModuleBytes: 512 << 10, Functions: 10_000, BodyBytes: 32 << 10, DataBytes: 256 << 10, ManifestBytes: 16 << 10,
		MemoryPages: 32, TableEntries: 4_096, Depth: 256, Fuel: 5_000_000, Imports: guardianImports(),
	}
}

// HardLimits are what no configuration exceeds.
func HardLimits() Limits {
	return Limits{
		ModuleBytes: 1 << 20, Functions: 20_000, BodyBytes: 128 << 10, DataBytes: 512 << 10, ManifestBytes: 16 << 10,
		MemoryPages: 256, TableEntries: 65_536, Depth: 1_024, Fuel: 50_000_000, Imports: guardianImports(),
	}
}

// WithRuntime are the defaults for a guest with Limits.Runtime, and no configuration exceeds them. Standard Go makes of
// a small program a module of 2 to 3.5 MB with a few thousand functions, which begins with 3 MiB of memory.
func WithRuntime() Limits {
	l := HardLimits()
	l.ModuleBytes, l.DataBytes, l.Runtime = 4<<20, 2<<20, true
	return l
}

func guardianImports() []Import {
	const module = "elicit_guardian_v1"
	return []Import{
		{Module: module, Name: "log", Params: "iii", Fuel: 128},
		{Module: module, Name: "data_size", Results: "i", Fuel: 128},
		{Module: module, Name: "data_read", Params: "iii", Results: "i", Fuel: 128, Counted: true},
	}
}

func (l Limits) settled() Limits {
	d, h := DefaultLimits(), HardLimits()
	if l.Runtime {
		d, h = WithRuntime(), WithRuntime()
		d.Fuel = DefaultLimits().Fuel
	}
	settle := func(v, normal, most int) int {
		if v <= 0 {
			return normal
		}
		return min(v, most)
	}
	l.ModuleBytes = settle(l.ModuleBytes, d.ModuleBytes, h.ModuleBytes)
	l.Functions = settle(l.Functions, d.Functions, h.Functions)
	l.BodyBytes = settle(l.BodyBytes, d.BodyBytes, h.BodyBytes)
	l.DataBytes = settle(l.DataBytes, d.DataBytes, h.DataBytes)
	l.ManifestBytes = settle(l.ManifestBytes, d.ManifestBytes, h.ManifestBytes)
	l.MemoryPages = settle(l.MemoryPages, d.MemoryPages, h.MemoryPages)
	l.TableEntries = settle(l.TableEntries, d.TableEntries, h.TableEntries)
	l.Depth = settle(l.Depth, d.Depth, h.Depth)
	l.Fuel = settle(l.Fuel, d.Fuel, h.Fuel)
	if l.Imports == nil {
		l.Imports = d.Imports
	}
	return l
}

// Rewrite checks a module whole and returns its metered twin, or why there is none. The bytes handed in are not kept
// and not changed; the result depends on them and the limits alone. Time and memory are linear in the module, whatever
// it holds.
func Rewrite(module []byte, limits Limits) ([]byte, *Refusal) {
	metered, _, refusal := Read(module, limits)
	return metered, refusal
}

// Read is Rewrite, and tells what the module holds besides.
func Read(module []byte, limits Limits) ([]byte, *Outline, *Refusal) {
	limits = limits.settled()
	if len(module) > limits.ModuleBytes {
		const detail = "the module has more bytes than the limit"
		return nil, nil, &Refusal{Code: ModuleTooLarge, Offset: limits.ModuleBytes, Detail: detail}
	}
	m := &guest{limits: limits}
	if refusal := m.read(module); refusal != nil {
		return nil, nil, refusal
	}
	return m.write(), &Outline{m}, nil
}

// Manifest returns the content of the elicit.guardian section, nil when there is none. The bytes belong to module. It
// looks at section framing alone, so it serves before and after Rewrite.
func Manifest(module []byte) ([]byte, *Refusal) {
	r := &reader{src: module, end: len(module)}
	r.header()
	var found []byte
	for r.more() {
		id, at := r.byte(), r.at
		body := r.part(r.index())
		if id != 0 {
			continue
		}
		if name := body.name(); name == ManifestSection && body.no == nil {
			if found != nil {
				return nil, &Refusal{Code: BadManifest, Offset: at, Detail: "more than one elicit.guardian section"}
			}
			found = body.src[body.at:body.end:body.end]
		}
		r.adopt(body)
	}
	return found, r.no
}

// ImportsFrom reports whether the module imports anything under that module name. Like Manifest it looks at framing
// alone; what is malformed imports nothing, and Rewrite says why.
func ImportsFrom(module []byte, name string) bool {
	r := &reader{src: module, end: len(module)}
	r.header()
	for r.more() {
		id := r.byte()
		body := r.part(r.index())
		if id != 2 {
			continue
		}
		for n := body.count(); n > 0 && body.no == nil; n-- {
			if body.name() == name {
				return true
			}
			body.name()
			if body.byte() != 0 {
				return false // not a function: refused wherever it comes from
			}
			body.u32()
		}
		return false
	}
	return false
}

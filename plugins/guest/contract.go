package guest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// The guardian ABI this host speaks. A guest of the same major and of this minor or an older one may run.
const (
	Major = 1
	Minor = 0
)

// The names of the ABI (plugins/ABI.md).
const (
	Memory        = "memory"
	Alloc         = "elicit_alloc"
	Evaluate      = "elicit_evaluate"
	CheckSettings = "elicit_check_settings"
	Initialize    = "_initialize"
	VersionGlobal = "elicit_guardian_abi"
	versionMarker = "elicit_guardian_abi_" // then MAJOR_MINOR: a function nobody calls
	command       = "_start"
)

// Limits of one evaluation that no permit changes.
const (
	MaxQuestion = guardian.MaxQuestion // bytes of a question or a settings document
	MaxOutput   = guardian.MaxOutput   // bytes of a verdict
	DefaultFuel = guardian.DefaultFuel
	MaxFuel     = guardian.MaxFuel
	MaxData     = guardian.MaxData // bytes of a data document
	DataFuel    = 250_000_000      // of a settings check with a data document: 59 for each of its bytes at the most
	StartFuel   = 5_000_000        // what a start section may use; the budget is charged with what it did use
)

// required are the functions a guest must export, in the meter's letters.
var required = [...]struct{ name, params, results string }{
	{Alloc, "i", "i"}, {Evaluate, "ii", "I"}, {CheckSettings, "ii", "I"},
}

// contract collects what a module that may be metered still lacks.
type contract struct {
	outline  *meter.Outline
	problems []elicit.Problem
}

func (c *contract) report(code string, args ...elicit.Arg) {
	c.problems = append(c.problems, elicit.Problem{Code: code, Args: args})
}

func (c *contract) exports() {
	if !c.outline.Memory(Memory) {
		c.report("missing_export", elicit.Str("name", Memory), elicit.Str("expected", "a memory"))
	}
	for _, f := range required {
		want := spelled(f.params, f.results)
		params, results, ok := c.outline.Function(f.name)
		switch {
		case !ok:
			c.report("missing_export", elicit.Str("name", f.name), elicit.Str("expected", want))
		case params != f.params || results != f.results:
			c.report("wrong_export", elicit.Str("name", f.name), elicit.Str("expected", want),
				elicit.Str("got", spelled(params, results)))
		}
	}
	if params, results, ok := c.outline.Function(Initialize); ok && params+results != "" {
		c.report("wrong_export", elicit.Str("name", Initialize), elicit.Str("expected", spelled("", "")),
			elicit.Str("got", spelled(params, results)))
	}
	if _, _, ok := c.outline.Function(command); ok {
		c.report("is_a_command")
	}
}

// spelled writes a function's type for people: (i32, i32) -> i64.
func spelled(params, results string) string {
	return "(" + types(params) + ") -> " + map[bool]string{true: "nothing", false: types(results)}[results == ""]
}

func types(letters string) string {
	list := make([]string, len(letters))
	for i := range len(letters) {
		list[i] = map[byte]string{'i': "i32", 'I': "i64", 'f': "f32", 'F': "f64", 'r': "funcref",
			'e': "externref"}[letters[i]]
	}
	return strings.Join(list, ", ")
}

// version finds the ABI that the guest was built for. It is the value of the immutable i32 global elicit_guardian_abi.
// For linkers that cannot make such a global, the name of the function elicit_guardian_abi_MAJOR_MINOR tells it.
// Neither needs any code of the guest to run.
func (c *contract) version() int32 {
	var found []int32
	if of, mutable, value, ok := c.outline.Global(VersionGlobal); ok && of == "i" && !mutable {
		found = append(found, int32(value))
	}
	for _, name := range c.outline.Named(versionMarker) {
		if params, results, ok := c.outline.Function(name); ok && params+results == "" {
			if v, ok := readVersion(name[len(versionMarker):]); ok {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		c.report("abi_missing", elicit.Str("marker", versionMarker+strconv.Itoa(Major)+"_"+strconv.Itoa(Minor)))
		return 0
	}
	if least, most := slices.Min(found), slices.Max(found); least != most {
		c.report("abi_ambiguous", elicit.Str("one", dotted(least)), elicit.Str("other", dotted(most)))
		return 0
	}
	got := found[0]
	if got>>16 != Major || got&0xffff > Minor {
		c.report("unknown_abi", elicit.Str("version", dotted(got)), elicit.Str("known", dotted(Major<<16|Minor)))
	}
	return got
}

func readVersion(s string) (int32, bool) {
	major, minor, _ := strings.Cut(s, "_")
	a, bad := strconv.ParseUint(major, 10, 15)
	b, worse := strconv.ParseUint(minor, 10, 16)
	return int32(a)<<16 | int32(b), bad == nil && worse == nil
}

func dotted(version int32) string {
	return strconv.Itoa(int(version>>16)) + "." + strconv.Itoa(int(version&0xffff))
}

func (c *contract) manifest() guardian.Manifest {
	doc := c.outline.Manifest()
	if doc == nil {
		c.report("manifest_missing")
		return guardian.Manifest{}
	}
	m, problems := guardian.ParseManifest(doc)
	c.problems = append(c.problems, problems...)
	for _, i := range c.outline.Imports() {
		if strings.HasPrefix(i.Name, "data_") && i.Module != wasiModule && m.Data == "" && len(problems) == 0 {
			c.report("data_undeclared", elicit.Str("import", i.Module+"."+i.Name))
			break
		}
	}
	return m
}

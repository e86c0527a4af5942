package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// importsMost is the most imports of the module, and pagesMost the most pages of 64 KiB that it starts with. With fewer
// pages, it collects garbage more often.
const importsMost, pagesMost = 5, 96

// runtimeNeeds lists the WASI functions that the compiler's runtime imports, and random_get.
var runtimeNeeds = []string{"args_get", "args_sizes_get", "clock_time_get", "fd_write", "random_get"}

// TestImports tests that the module has the imports, exports and memory that ABI.md describes, and no others.
func TestImports(t *testing.T) {
	t.Parallel()
	r := wazero.NewRuntimeWithConfig(background, compiler().WithCustomSections(true))
	defer r.Close(background)
	module, err := r.CompileModule(background, read(t, path(t, built)))
	if err != nil {
		t.Fatal(err)
	}
	var imports []string
	for _, f := range module.ImportedFunctions() {
		from, name, _ := f.Import()
		if from != "wasi_snapshot_preview1" || !slices.Contains(runtimeNeeds, name) {
			t.Errorf("imports %s.%s", from, name)
		}
		imports = append(imports, name)
	}
	if len(imports) == 0 || len(imports) > importsMost || len(module.ImportedMemories()) != 0 {
		t.Errorf("%d imports, %d memories; at most %d and none", len(imports), len(module.ImportedMemories()), importsMost)
	}
	for _, name := range imports {
		if !strings.Contains(string(read(t, "ABI.md")), "`"+name+"`") {
			t.Errorf("ABI.md does not mention %s", name)
		}
	}
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	want := map[string][2][]api.ValueType{"_initialize": {}, "elicit_abi": {nil, {i32}}, "elicit_input": {{i32}, {i32}},
		"elicit_call": {{i32, i64, i64, i32}, {i64}}}
	for name, f := range module.ExportedFunctions() {
		signature, known := want[name]
		if !known || !slices.Equal(f.ParamTypes(), signature[0]) || !slices.Equal(f.ResultTypes(), signature[1]) {
			t.Errorf("exports %s%v %v", name, f.ParamTypes(), f.ResultTypes())
		}
		delete(want, name)
	}
	if len(want) != 0 {
		t.Errorf("does not export %v", want)
	}
	memory := module.ExportedMemories()["memory"]
	if memory == nil || len(module.ExportedMemories()) != 1 || memory.Min() > pagesMost {
		t.Fatalf("%d memories; the first starts with %d pages", len(module.ExportedMemories()), memory.Min())
	}
	t.Logf("%d imports: %s; memory starts with %d pages", len(imports), strings.Join(imports, " "), memory.Min())
	at := slices.IndexFunc(module.CustomSections(), func(s api.CustomSection) bool { return s.Name() == "elicit.abi" })
	if at < 0 {
		t.Fatal("no custom section elicit.abi")
	}
	if got := string(module.CustomSections()[at].Data()); got != strconv.Itoa(abi.Version) {
		t.Errorf("the custom section says version %s, the engine is %d", got, abi.Version)
	}
}

// TestDescribesItself compares the module's description with the table that it was built from.
func TestDescribesItself(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	version, err := d.ExportedFunction("elicit_abi").Call(background)
	if err != nil || version[0] != abi.Version {
		t.Errorf("elicit_abi: %v %v", version, err)
	}
	if _, got := d.call(abi.OpDescribe, 0, 0, "", abi.OK); got != string(abi.Describe(nil)) {
		t.Errorf("describe: %s", got)
	}
}

// TestSize measures the modules, plain and as a web server sends them. The budgets are in
// docs/reference/performance.md. Brotli takes twelve seconds at its quality 11, so only `build.sh check` asks for that,
// by ELICIT_BROTLI.
func TestSize(t *testing.T) {
	t.Parallel()
	quality := cmp.Or(os.Getenv("ELICIT_BROTLI"), "9")
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		measureSize(t, built, 5_340_000, quality, map[string]int{"9": 1_807_000, "11": 1_550_000})
	})
	t.Run("core", func(t *testing.T) {
		vectors.Night(t)
		t.Parallel()
		measureSize(t, forForms, 1_200_000, quality, map[string]int{"9": 440_000, "11": 390_000})
	})
	t.Run("browser", func(t *testing.T) {
		t.Parallel()
		measureSize(t, forBrowsers, 2_720_000, quality, map[string]int{"9": 990_000, "11": 850_000})
	})
}

func measureSize(t *testing.T, made func() (string, error), rawMost int, quality string, brotliMost map[string]int) {
	t.Helper()
	raw := len(read(t, path(t, made)))
	if file, err := os.Stat(path(t, made)); err != nil || file.Mode()&0o111 != 0 {
		t.Errorf("the module is a program (%v, %v): packages of Debian must have none that is no ELF file", file.Mode(), err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		absent(t, err.Error())
	}
	out, err := exec.Command("node", "-p", `const z = require("zlib"), b = require("fs").readFileSync(process.argv[1]);
		const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = z.constants;
		const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_QUALITY]: Number(process.argv[2]) };
		z.gzipSync(b, {level: 9}).length + " " + z.brotliCompressSync(b, {params}).length`,
		path(t, made), quality).CombinedOutput()
	var gzip, brotli int
	if _, scan := fmt.Sscan(string(out), &gzip, &brotli); err != nil || scan != nil {
		t.Fatalf("%v, %v: %s", err, scan, out)
	}
	t.Logf("%d bytes, %d under gzip 9, %d under brotli %s", raw, gzip, brotli, quality)
	if raw > rawMost || brotli > brotliMost[quality] {
		t.Errorf("at most %d and %d", rawMost, brotliMost[quality])
	}
}

package tck

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// TestEngines puts every case to V8 and to wasmtime, through hosts that share no line with ours. Wasmtime takes as long
// to compile a module as V8 to run its cases, so it has those of every fourth module by day.
func TestEngines(t *testing.T) {
	t.Parallel()
	bundle := t.TempDir()
	must.OK(t, Bundle(bundle))
	every := 4
	if vectors.Nightly() {
		every = 1
	}
	const realparts = "../../testdata/realparts"
	for _, e := range []struct {
		name, needs string
		command     []string // and the directory
		cases       int
	}{
		{"Node", "", []string{"node", "hosts/in_node.mjs", bundle}, allCases()},
		{"Node", "", []string{"node", "--no-liftoff", "hosts/in_node.mjs", bundle}, allCases()}, // V8's other compiler
		{"wasmtime", realparts + "/venv/.installed-from", []string{realparts + "/venv/bin/python", "-B",
			"hosts/in_wasmtime.py", bundle, strconv.Itoa(every)}, casesOf(every)},
	} {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(e.command[0]); err != nil || !exists(e.needs) {
				t.Skip("not installed; run testdata/realparts/setup.sh")
			}
			out, err := exec.Command(e.command[0], e.command[1:]...).CombinedOutput()
			last := lastLine(string(out))
			if want := fmt.Sprintf("%s: %d cases, 0 failed", e.name, e.cases); err != nil || last != want {
				t.Fatalf("%v: %.6000s", err, out)
			}
			t.Log(last)
		})
	}
}

// TestBrowser puts every case to Chromium, with the host that Node runs.
func TestBrowser(t *testing.T) {
	vectors.Night(t)
	t.Parallel()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	bundle := t.TempDir()
	must.OK(t, Bundle(bundle))
	said := make(chan string, 1)
	pages := http.NewServeMux()
	pages.Handle("GET /", http.FileServer(http.Dir(bundle)))
	pages.HandleFunc("POST /said", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		said <- string(text)
	})
	server := httptest.NewServer(pages)
	defer server.Close()
	browser := exec.Command(chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", server.URL+"/hosts/in_browser.html")
	must.OK(t, browser.Start())
	var why error
	ended := make(chan struct{})
	go func() {
		why = browser.Wait()
		close(ended)
	}()
	defer func() {
		_ = browser.Process.Kill()
		<-ended
	}()
	select {
	case text := <-said:
		if want := fmt.Sprintf("browser: %d cases, 0 failed", allCases()); text != want {
			t.Fatalf("%.6000s", text)
		}
		t.Log(text)
	case <-ended:
		t.Fatalf("the browser ended and said nothing: %v", why)
	}
}

func allCases() int { return casesOf(1) }

// casesOf counts those of each module whose place in its kit is a multiple of every.
func casesOf(every int) (count int) {
	for _, kit := range Kits() {
		for _, c := range kit.Cases {
			if slices.IndexFunc(kit.Modules, func(m Module) bool { return m.Name == c.Module })%every == 0 {
				count++
			}
		}
	}
	return count
}

func exists(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return file == "" || err == nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

var collect = flag.String("collect", "", "take the modules of kits and guests from this directory, dist/guests")

// collected writes cases/kits.json and cases/guests.json again. Compilers differ, so the modules are kept as this test
// last found them. The authors' cases say what to ask of them and what they must answer.
func collected(t *testing.T) {
	kits := answering(t, "kits", filepath.Join(*collect, "kits"), kitCases)
	guests := answering(t, "guests", *collect, guestCases)
	keep(t, "kits", kits)
	keep(t, "guests", guests)
	built := map[string]string{}
	for _, m := range append(kits.Modules, guests.Modules...) {
		built[m.Name] = fingerprint(t, m.Name)
	}
	raw, _ := json.MarshalIndent(built, "", "\t") // texts
	must.Write(t, append(raw, '\n'), recorded)
	t.Fatal("collected; run me again without -collect")
}

func kitCases(string) string { return "../pdk/cases" }

func guestCases(name string) string { return filepath.Join("../guests", name, "cases") }

func authored(t *testing.T, dir string) []guestcase.Case {
	t.Helper()
	cases, err := guestcase.In(dir)
	must.OK(t, err)
	return cases
}

// answering gives each module of a directory the cases that its author wrote.
func answering(t *testing.T, whose, dir string, cases func(name string) string) Kit {
	kit := Kit{TCK: 1, FuelVersion: meter.Version}
	for _, file := range glob(t, filepath.Join(dir, "*.wasm")) {
		name, taken := take(t, &kit, file)
		if !taken {
			continue
		}
		data, err := os.ReadFile(filepath.Join(cases(name), "..", "data.txt"))
		for _, c := range authored(t, cases(name)) {
			kit.add(t, name, whose == "guests", c)
			if last := &kit.Cases[len(kit.Cases)-1]; err == nil {
				text := string(data)
				last.Data, last.DataSize = &text, len(data)
			}
		}
	}
	return kit
}

// most is the size of the largest module that is kept here. Standard Go's are larger.
const most = 512 << 10

func take(t *testing.T, kit *Kit, file string) (name string, taken bool) {
	module := must.Read(t, file)
	name = strings.TrimSuffix(filepath.Base(file), ".wasm")
	if len(module) > most {
		t.Logf("%s is left out: %d bytes", name, len(module))
		return name, false
	}
	if info, err := os.Stat(file); err != nil || info.ModTime().Before(newest(t, name)) {
		t.Fatalf("%s is older than its source: %v", file, err)
	}
	if _, problems := guest.Read(module, guest.Options{}); problems != nil {
		t.Fatalf("%s: %s", name, problems[0].Code)
	}
	must.Write(t, module, fileOf(name))
	kit.Modules = append(kit.Modules, Module{Name: name})
	return name, true
}

// add adds a case with what its author wants of it. A question to a guest is what an engine asks: inspected, and only
// what the manifest declares. The kits answer what they declare and more, so theirs stays as it is.
func (k *Kit) add(t *testing.T, module string, asked bool, from guestcase.Case) {
	var e struct {
		Question, Verdict, Settings, Problems json.RawMessage
		Fault                                 string
	}
	if err := json.Unmarshal(from.Text, &e); err != nil {
		t.Fatalf("%s: %v", from.Name, err)
	}
	c := Case{Name: module + ": " + from.Name, Module: module, Call: "evaluate", Fuel: guest.DefaultFuel}
	in, out := e.Question, string(compact(t, e.Verdict))
	if e.Settings != nil {
		c.Call, in, out = "check_settings", e.Settings, `{"v":1,"problems":`+string(compact(t, e.Problems))+`}`
	}
	if c.Text = string(compact(t, in)); e.Fault != "" {
		c.Fault = e.Fault
	} else {
		c.Output = &out
	}
	if asked && c.Call == "evaluate" {
		c.Text = string(guestcase.Asked(manifest(t, module), []byte(c.Text)))
	}
	k.Cases = append(k.Cases, c)
}

// fileOf is the file of a module. Our own guardians are where the command takes them from.
func fileOf(name string) string {
	if exists(filepath.Join("../guests", name, "guardian.json")) {
		return filepath.Join("../guests/modules", name+".wasm")
	}
	return filepath.Join("modules", name+".wasm")
}

func manifest(t *testing.T, module string) guardian.Manifest {
	t.Helper()
	m, problems := guest.Read(must.Read(t, fileOf(module)), guest.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	return m.Manifest
}

func compact(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if len(raw) > 0 {
		if err := json.Compact(&b, raw); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
	}
	return b.Bytes()
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	must.OK(t, err)
	return files
}

// keep fills in fuel and digests, after the host has said what every author wants.
func keep(t *testing.T, name string, kit Kit) {
	if len(kit.Cases) == 0 {
		t.Logf("no %s", name)
		return
	}
	run := settle(t, kit)
	for i, c := range kit.Cases {
		got := run.Cases[i].Want
		if c.Want.Used, c.Want.Pages = got.Used, got.Pages; !c.Want.Equal(got) {
			t.Fatalf("%s\n got %v\nwant %v", c.Name, got, c.Want)
		}
	}
	must.OK(t, run.write(filepath.Join("cases", name+".json")))
	t.Logf("%d %s, %d cases", len(kit.Modules), name, len(kit.Cases))
}

const hostile = "../guests/hostile"

// TestAssembled holds that the hostile modules are what their texts say.
func TestAssembled(t *testing.T) {
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		t.Skip("no wat2wasm; it is in the package wabt")
	}
	texts, err := filepath.Glob(filepath.Join(hostile, "*.wat"))
	if err != nil || len(texts) < 30 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	var named []string
	for _, text := range texts {
		name := strings.TrimSuffix(filepath.Base(text), ".wat")
		named = append(named, name)
		module := assemble(t, text)
		file := filepath.Join("modules", name+".wasm")
		if *update {
			must.Write(t, module, file)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, module) {
			t.Errorf("%s is not what wat2wasm makes of %s: %v", file, text, err)
		}
	}
	for _, m := range Kits()["hostile"].Modules {
		if !slices.Contains(named, m.Name) {
			t.Errorf("%s has no text", m.Name)
		}
		named = slices.DeleteFunc(named, func(n string) bool { return n == m.Name })
	}
	if len(named) > 0 {
		t.Errorf("no case names %v", named)
	}
}

// assemble makes a module of a text. The line that begins with ";; elicit.guardian" holds its manifest, because the
// assembler knows no custom sections.
func assemble(t *testing.T, text string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.wasm")
	if said, err := exec.Command("wat2wasm", text, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", text, said)
	}
	module := must.Read(t, out)
	source := must.Text(t, text)
	const section = "elicit.guardian"
	_, manifest, said := strings.Cut(source, "\n;; "+section+" ")
	if !said {
		return module
	}
	manifest, _, _ = strings.Cut(manifest, "\n")
	content := append(append([]byte{byte(len(section))}, section...), manifest...)
	return append(append(append(module, 0), byte(len(content)&0x7f|0x80), byte(len(content)>>7)), content...)
}

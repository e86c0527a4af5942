package house

import (
	"archive/zip"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

const (
	modulePath = "github.com/elicit-engine/elicit"
	release    = "v0.99.0" // a version that exists in the test's own proxy alone
)

// published are the directories of the modules that a release publishes. The others have tests, examples and measures.
var published = []string{".", "ask/gosdk", "ask/otel", "cmd/elicit", "store/postgres", "store/redis", "store/sqlite"}

// mostModules bounds the modules in the graph of a program that requires the module at the top and nothing else.
const mostModules = 10

// TestInstall builds the command and programs as users do: with `go install MODULE/cmd/elicit@latest`, and with `go
// get` in a module of their own. A module proxy of files has the modules of this repository as a release of the working
// tree would have them, and every other module from earlier downloads. Nothing comes from the network. With -trimpath,
// packages that were built elsewhere need not be built again.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every package again")
	}
	downloaded := strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE")) + "/cache/download"
	released, bin, modules := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "modules")
	writeReleases(t, released)
	env := append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(released)+",file://"+filepath.ToSlash(downloaded),
		"GOSUMDB=off", "GOFLAGS=-modcacherw -trimpath -mod=mod", "GOBIN="+bin, "GOMODCACHE="+modules, "GOWORK=off",
		"CGO_ENABLED=0", "GOTOOLCHAIN=local")

	outside := t.TempDir()
	run(t, outside, env, "go", "install", modulePath+"/cmd/elicit@latest")
	name := "elicit"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	installed := filepath.Join(bin, name)
	got := run(t, outside, env, "go", "version", "-m", installed)
	for _, want := range []string{"\tmod\t" + modulePath + "/cmd/elicit\t" + release,
		"\tdep\t" + modulePath + "\t" + release, "github.com/tidwall/pretty"} {
		if !strings.Contains(got, want) || strings.Contains(got, "=>") {
			t.Errorf("the command was built from\n%s\nwant %q and no replacement", got, want)
		}
	}
	if got := run(t, outside, env, installed, "version"); !strings.HasPrefix(got, "elicit version "+release+"\n") {
		t.Errorf("the installed command has the version %q", got)
	}
	schema := filepath.Join(outside, "deploy.json")
	must.Write(t, `{"type":"object","properties":{"region":{"type":"string","enum":["eu","us"]}}}`, schema)
	if got := run(t, outside, env, installed, "check", schema, `{"region":"eu"}`); !strings.Contains(got, "eu") {
		t.Errorf("the installed command says %q", got)
	}

	app := dependent(t, env, program, modulePath+"@latest")
	if got := run(t, app, env, "go", "run", "."); got != "the server hears: decline\n" {
		t.Errorf("the program says %q", got)
	}
	list := run(t, app, env, "go", "list", "-m", "all")
	if n := strings.Count(list, "\n") - 1; n > mostModules || !strings.Contains(list, modulePath+" "+release+"\n") {
		t.Errorf("the program has %d other modules in its graph, at most %d:\n%s", n, mostModules, list)
	}

	var imports, modulesOf strings.Builder
	for _, dir := range published {
		if dir != "." && dir != "cmd/elicit" {
			imports.WriteString("\t_ \"" + modulePath + "/" + dir + "\"\n")
			modulesOf.WriteString(modulePath + "/" + dir + "@latest ")
		}
	}
	all := "package main\n\nimport (\n" + imports.String() + ")\n\nfunc main() {}\n"
	app = dependent(t, env, all, strings.Fields(modulesOf.String())...)
	run(t, app, env, "go", "build", "-o", filepath.Join(app, "all"), ".")
}

// dependent makes a module with one program, which requires modules in their versions.
func dependent(t *testing.T, env []string, source string, modules ...string) string {
	t.Helper()
	app := t.TempDir()
	must.Write(t, "module example.com/app\n\ngo 1.26\n", app, "go.mod")
	must.Write(t, source, app, "main.go")
	run(t, app, env, "go", append([]string{"get"}, modules...)...)
	return app
}

// program is a complete program that depends on the module.
const program = `package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/elicit-engine/elicit"
)

func main() {
	done := make(chan string)
	conn, err := elicit.Open(elicit.Connection{Server: "backup"}, elicit.Host{
		ToClient: func([]byte) {},
		ToServer: func(m []byte) {
			if strings.Contains(string(m), "decline") {
				done <- "decline"
			}
		},
		Ask: func(context.Context, elicit.Question) elicit.Answer { return elicit.Answer{Action: elicit.Decline} },
	}, elicit.Options{})
	if err != nil {
		panic(err)
	}
	const agreed = "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"
	conn.FromClient([]byte(` + "`" + `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{` + "`" + ` + agreed +
		` + "`" + `,"clientInfo":{"name":"c","version":"1"}}}` + "`" + `))
	conn.FromServer([]byte(` + "`" + `{"jsonrpc":"2.0","id":0,"result":{` + "`" + ` + agreed +
		` + "`" + `,"serverInfo":{"name":"s","version":"1"}}}` + "`" + `))
	conn.FromServer([]byte(` + "`" + `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create",` +
	`"params":{"message":"Where?","requestedSchema":` +
	`{"type":"object","properties":{"region":{"type":"string"}}}}}` + "`" + `))
	fmt.Println("the server hears:", <-done)
}
`

// writeReleases writes what a module proxy serves for one version of each module.
func writeReleases(t *testing.T, dir string) {
	t.Helper()
	for _, module := range published {
		path := strings.TrimSuffix(modulePath+"/"+module, "/.")
		writeRelease(t, filepath.Join(dir, filepath.FromSlash(path), "@v"), path, module)
	}
}

// writeRelease writes one version of a module: every file that git has or would add, without the modules in it. They
// require one another in the version that is next, which here is the one that the proxy has.
func writeRelease(t *testing.T, dir, path, module string) {
	t.Helper()
	must.OK(t, os.MkdirAll(dir, 0o755))
	out, err := os.Create(filepath.Join(dir, release+".zip"))
	must.OK(t, err)
	defer out.Close()
	z := zip.NewWriter(out)
	for _, file := range filesOf(t, module) {
		text := must.Read(t, module, file)
		if file == "go.mod" {
			text = []byte(ours.ReplaceAllString(string(text), "${1}"+release))
			must.Write(t, string(text), dir, release+".mod")
		}
		w, err := z.Create(path + "@" + release + "/" + file)
		if err == nil {
			_, err = w.Write(text)
		}
		must.OK(t, err)
	}
	must.OK(t, z.Close())
	must.Write(t, `{"Version":"`+release+`"}`, dir, release+".info")
	must.Write(t, release+"\n", dir, "list")
}

// ours finds a requirement of a module of this repository.
var ours = regexp.MustCompile(`(?m)^((?:require )?\s*` + regexp.QuoteMeta(modulePath) + `[a-z/]* )v[0-9.]+`)

// filesOf lists the files of the module in a directory.
func filesOf(t *testing.T, module string) (files []string) {
	t.Helper()
	all := listedByGit(t)
	inner := map[string]bool{}
	for _, file := range all {
		if path.Base(file) == "go.mod" && path.Dir(file) != module {
			inner[path.Dir(file)] = true
		}
	}
	for _, file := range all {
		rest, here := strings.CutPrefix(file, strings.TrimPrefix(module+"/", "./"))
		for dir := path.Dir(file); here && dir != module && dir != "."; dir = path.Dir(dir) {
			here = !inner[dir]
		}
		if info, err := os.Lstat(file); here && err == nil && info.Mode().IsRegular() {
			files = append(files, rest)
		}
	}
	return files
}

// TestVersions checks that all packages have one version. The modules of this repository require one another in it, and
// go.work has it in place of what is not published. The pages name no other one, and the list of changes begins with
// it.
func TestVersions(t *testing.T) {
	found := regexp.MustCompile(`(?m)^version = "(.*)"$`).FindStringSubmatch(
		must.Text(t, "bindings/python/pyproject.toml"))
	if found == nil {
		t.Fatal("pyproject.toml has no version")
	}
	for file, line := range map[string]string{
		"bindings/rust/Cargo.toml":      "\nversion = \"X\"\n",
		"bindings/rust/Cargo.lock":      "\nname = \"elicit-engine\"\nversion = \"X\"\n",
		"bindings/js/package.json":      "\n  \"version\": \"X\",\n",
		"bindings/js/package-lock.json": "\n  \"version\": \"X\",\n",
		"bindings/emacs/elicit.el":      "\n;; Version: X\n",
		"docs/hosts.md":                 " version X ",
	} {
		if want := strings.Replace(line, "X", found[1], 1); !strings.Contains(must.Text(t, file), want) {
			t.Errorf("%s has no %q", file, want)
		}
	}
	named := regexp.MustCompile(`(?:elicit[a-z._-]*|engine:)[-:](\d+\.\d+\.\d+)\b`)
	for _, file := range listedByGit(t, "bindings/*/README.md") {
		for _, other := range named.FindAllStringSubmatch(must.Text(t, file), -1) {
			if other[1] != found[1] {
				t.Errorf("%s names %s, and the version is %s", file, other[0], found[1])
			}
		}
	}
	_, newest, _ := strings.Cut(must.Text(t, "CHANGELOG.md"), "\n## ")
	if !strings.HasPrefix(newest, found[1]+"\n") {
		t.Errorf("CHANGELOG.md begins with %.20q", newest)
	}
	want := "v" + found[1]
	seen := 0
	for _, file := range append(listedByGit(t, "*go.mod"), "go.work") {
		for _, line := range ours.FindAllString(must.Text(t, file), -1) {
			if seen++; !strings.HasSuffix(line, " "+want) {
				t.Errorf("%s has %q; want %s", file, strings.TrimSpace(line), want)
			}
		}
	}
	if tagged := "for module in " + strings.Join(published[1:], " ") + "; do"; !strings.Contains(
		must.Text(t, ".github/workflows/release.yml"), tagged) {
		t.Errorf("release.yml does not tag the published modules: want %q", tagged)
	}
	if seen < 12 {
		t.Errorf("only %d requirements: the test has lost its subject", seen)
	}
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

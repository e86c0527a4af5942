package house

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const (
	modulePath = "github.com/elicit-engine/elicit"
	release    = "v0.99.0" // a version that exists in the test's own proxy alone
)

// TestInstall builds the command and a program as users do: with `go install MODULE/cmd/elicit@latest`, and with `go
// get` in a module of their own. A directory serves as proxy. It has this module as a release of the working tree would
// have it, and every other module from earlier downloads. Nothing comes from the network. With -trimpath, packages that
// were built elsewhere need not be built again.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every package again")
	}
	downloaded := strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE")) + "/cache/download"
	proxy, bin, modules := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "modules")
	writeRelease(t, filepath.Join(proxy, filepath.FromSlash(modulePath), "@v"))
	env := append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(downloaded),
		"GOSUMDB=off", "GOFLAGS=-modcacherw -trimpath -mod=mod", "GOBIN="+bin, "GOMODCACHE="+modules, "GOWORK=off",
		"CGO_ENABLED=0", "GOTOOLCHAIN=local")

	outside := t.TempDir()
	run(t, outside, env, "go", "install", modulePath+"/cmd/elicit@latest")
	name := "elicit"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	installed := filepath.Join(bin, name)
	if got := run(t, outside, env, "go", "version", "-m", installed); !strings.Contains(got, modulePath+"\t"+release) ||
		!strings.Contains(got, "github.com/tidwall/pretty") || strings.Contains(got, "=>") {
		t.Errorf("the command was built from\n%s", got)
	}
	schema := filepath.Join(outside, "deploy.json")
	write(t, schema, `{"type":"object","properties":{"region":{"type":"string","enum":["eu","us"]}}}`)
	if got := run(t, outside, env, installed, "check", schema, `{"region":"eu"}`); !strings.Contains(got, "eu") {
		t.Errorf("the installed command says %q", got)
	}

	app := t.TempDir()
	write(t, filepath.Join(app, "go.mod"), "module example.com/app\n\ngo 1.26\n")
	write(t, filepath.Join(app, "main.go"), program)
	run(t, app, env, "go", "get", modulePath+"@latest")
	if got := run(t, app, env, "go", "run", "."); got != "the server hears: decline\n" {
		t.Errorf("the program says %q", got)
	}
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

// writeRelease writes what a module proxy serves for one version: every file that git has or would add, without nested
// modules.
func writeRelease(t *testing.T, dir string) {
	t.Helper()
	files := listedByGit(t)
	var inner []string
	for _, file := range files {
		if at, ok := strings.CutSuffix(file, "/go.mod"); ok {
			inner = append(inner, at+"/")
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, release+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	z := zip.NewWriter(out)
files:
	for _, file := range files {
		for _, at := range inner {
			if strings.HasPrefix(file, at) {
				continue files
			}
		}
		if info, err := os.Lstat(file); file == "" || err != nil || !info.Mode().IsRegular() {
			continue
		}
		addFile(t, z, file)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, release+".mod"), string(mod))
	write(t, filepath.Join(dir, release+".info"), `{"Version":"`+release+`"}`)
	write(t, filepath.Join(dir, "list"), release+"\n")
}

func addFile(t *testing.T, z *zip.Writer, file string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	w, err := z.Create(modulePath + "@" + release + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, in); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
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

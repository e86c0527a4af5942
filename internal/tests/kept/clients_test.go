package kept

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestClients runs the programs that were written for the public interfaces of a commit, with the builds in dist.
// Those in Rust and Java run where their packages are built: in the tests of the crate, and in TestJava of cabi.
func TestClients(t *testing.T) {
	at, err := filepath.Abs(root)
	must.OK(t, err)
	want := append(txtar.Parse(read(t, "clients/want.txtar")).Files, txtar.Parse(read(t, "0.1/want.txtar")).Files...)
	library, clients := at+"/dist/libelicit.so.1", at+"/testdata/kept/clients/"
	for _, client := range []struct {
		name  string
		needs []string // files and programs
		run   []string
	}{
		{"client.go", []string{"go"}, []string{"go", "run", clients + "client.go"}},
		{"client.c", []string{library, "cc"}, []string{"sh", "-c", `cc -std=c11 -I dist "$0" -L dist -lelicit -o "$1" && ` +
			`LD_LIBRARY_PATH=dist "$1"`, clients + "client.c", filepath.Join(t.TempDir(), "client")}},
		{"client.py", []string{library, "python3"}, []string{"python3", clients + "client.py"}},
		{"client.mjs", []string{at + "/bindings/js/dist/elicit.wasm", "node"},
			[]string{"node", clients + "client.mjs", at + "/bindings/js/dist/index.js"}},
		{"client.lua", []string{library, "nvim"}, []string{"nvim", "--headless", "-i", "NONE", "-u", "NONE",
			"--cmd", "set rtp^=bindings/lua", "-c", "luafile " + clients + "client.lua", "-c", "qa!"}},
		{"client.el", []string{at + "/dist/elicit", "emacs"}, []string{"emacs", "-Q", "--batch", "-L", "bindings/emacs",
			"-l", at + "/testdata/kept/0.1/client.el"}},
	} {
		t.Run(client.name, func(t *testing.T) {
			for _, needed := range client.needs {
				if _, err := exec.LookPath(needed); err != nil && !strings.Contains(needed, "/dist/") {
					missing(t, needed)
				} else if _, err := os.Stat(needed); err != nil && strings.Contains(needed, "/dist/") {
					missing(t, needed)
				}
			}
			cmd := exec.CommandContext(t.Context(), client.run[0], client.run[1:]...)
			cmd.Dir = at
			cmd.Env = append(os.Environ(), "ELICIT_LIBRARY="+library, "PYTHONPATH="+at+"/bindings/python/src",
				"PYTHONDONTWRITEBYTECODE=1", "PATH="+at+"/dist:"+os.Getenv("PATH"))
			got, err := cmd.CombinedOutput()
			must.OK(t, err)
			for _, file := range want {
				if file.Name == client.name && string(file.Data) != string(got) {
					t.Errorf("the program prints\n%s\nand printed\n%s", got, file.Data)
				}
			}
		})
	}
}

// missing ends a test for which something is not built or not installed. CI has everything.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing; ./build.sh test builds and needs it", what)
}

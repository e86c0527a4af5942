// Command amalgam writes the engine as C: amalgam MODULE DIRECTORY.
//
// It lets wasm2c translate the module, and splits the result into files that a small machine can compile. Beside them
// it puts the C side by hand: elicit.h and elicit.c of cabi, and host.c of this directory.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/elicit-engine/elicit/engine/abi"
)

// translator is the version of wasm2c whose output split reads.
const translator = "1.0.32"

// written lists the files that the C library takes as they are.
var written = []string{"cabi/elicit.h", "cabi/elicit.c", "cabi/call.h", "cabi/libelicit.map",
	"wasm/amalgam/c/module.h", "wasm/amalgam/c/module.c", "wasm/amalgam/c/host.c", "wasm/amalgam/c/host.h",
	"wasm/amalgam/c/Makefile", "wasm/amalgam/c/CMakeLists.txt", "LICENSE", "NOTICE"}

// filesMost is how many files are written from a module at most.
const filesMost = 40

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage, at the top of the repository: amalgam MODULE DIRECTORY")
		os.Exit(2)
	}
	if err := amalgamate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "amalgam:", err)
		os.Exit(1)
	}
}

func amalgamate(from, to string) error {
	version, err := exec.Command("wasm2c", "--version").Output()
	if got := strings.TrimSpace(string(version)); err != nil || got != translator {
		return fmt.Errorf("wasm2c %s is needed, of the package wabt, and not %q (%v)", translator, got, err)
	}
	work, err := os.MkdirTemp("", "amalgam")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	wasm, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if wasm, err = ready(wasm); err != nil {
		return err
	}
	small, source := filepath.Join(work, "module.wasm"), filepath.Join(work, "module.c")
	if err := os.WriteFile(small, wasm, 0o600); err != nil {
		return err
	}
	if said, err := exec.Command("wasm2c", "-n", "elicit", "-o", source, small).CombinedOutput(); err != nil {
		return fmt.Errorf("wasm2c: %v: %s", err, said)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	files, err := split(text)
	if err != nil {
		return err
	}
	if len(files) > filesMost {
		return fmt.Errorf("%d files, and at most %d", len(files), filesMost)
	}
	files["ops.h"] = operations()
	for _, name := range written {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return err
		}
	}
	return replace(to, files)
}

// operations returns the numbers of the stateless operations, by name, for host.c.
func operations() []byte {
	var out bytes.Buffer
	out.WriteString("/* The numbers of the stateless operations. Generated. */\n")
	for _, name := range abi.Ops() {
		fmt.Fprintf(&out, "{%q, %d},\n", name, abi.EvalOp(name))
	}
	return out.Bytes()
}

// replace leaves exactly these files in a directory.
func replace(to string, files map[string][]byte) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	older, err := filepath.Glob(filepath.Join(to, "*.[ch]"))
	if err != nil {
		return err
	}
	for _, file := range older {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

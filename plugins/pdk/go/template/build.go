//go:build ignore

// Builds guardian.wasm: go run build.go. Go's linker exports functions only. This program therefore adds the exported
// constant with the ABI's number and the section with the manifest. "go run build.go -seal" only adds them, to a module
// that another compiler built.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	if len(os.Args) == 1 {
		if out, _ := exec.Command("go", "env", "GOMOD").Output(); string(bytes.TrimSpace(out)) == os.DevNull {
			run("go", "mod", "init", "guardian")
		}
		run("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-w", "-o", "guardian.wasm", ".")
	}
	module, err := os.ReadFile("guardian.wasm")
	check(err)
	manifest, err := os.ReadFile("guardian.json")
	check(err)
	check(os.WriteFile("guardian.wasm", seal(module, manifest), 0o644))
}

// seal adds the constant elicit_guardian_abi = 1<<16 and the section elicit.guardian. If nothing but the manifest
// changed, the compiler leaves an old module alone, which has both already. Then only the section is replaced.
func seal(module, manifest []byte) []byte {
	out := append([]byte{}, module[:8]...)
	globals, marked := uint64(0), bytes.Contains(exports(module), append(named("elicit_guardian_abi"), 3))
	for rest := module[8:]; len(rest) > 0; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		body := rest[1+n : 1+n+int(size)]
		rest = rest[1+n+int(size):]
		count, m := binary.Uvarint(body)
		switch {
		case id == 0 && bytes.HasPrefix(body, named("elicit.guardian")):
			continue
		case marked:
		case id == 6: // globals; Go imports none
			globals = count
			// i32, constant, i32.const 65536, end
			body = section(count+1, body[m:], []byte{0x7f, 0, 0x41, 0x80, 0x80, 0x04, 0x0b})
		case id == 7: // exports
			one := append(binary.AppendUvarint(named("elicit_guardian_abi"), 3), binary.AppendUvarint(nil, globals)...)
			body = section(count+1, body[m:], one)
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
	}
	custom := append(named("elicit.guardian"), manifest...)
	return append(binary.AppendUvarint(append(out, 0), uint64(len(custom))), custom...)
}

// exports is the body of the module's export section.
func exports(module []byte) []byte {
	for rest := module[8:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		if rest[0] == 7 {
			return rest[1+n : 1+n+int(size)]
		}
		rest = rest[1+n+int(size):]
	}
	return nil
}

func section(count uint64, items, one []byte) []byte {
	return append(append(binary.AppendUvarint(nil, count), items...), one...)
}

func named(s string) []byte { return append(binary.AppendUvarint(nil, uint64(len(s))), s...) }

func run(name string, args ...string) {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	check(c.Run())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

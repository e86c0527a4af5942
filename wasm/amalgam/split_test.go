package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSmallModule makes the C library from a module of a few functions, and runs it with the sanitizers. The glue has
// no warning.
func TestSmallModule(t *testing.T) {
	for _, tool := range []string{"wat2wasm", "wasm2c", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("%s is not installed: it is in the package wabt", tool)
		}
	}
	t.Chdir(smallModule(t))
	for _, compiler := range []string{"gcc", "clang"} {
		if _, err := exec.LookPath(compiler); err != nil {
			t.Logf("%s is not installed", compiler)
			continue
		}
		for _, file := range byHand {
			run(t, compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic-errors", "-O1", "-c", file, "-o", "one.o")
		}
		all, _ := filepath.Glob("*.c")
		run(t, compiler, append(strings.Fields("-std=c11 -O1 -g -w -fsanitize=address,undefined "+
			"-fno-sanitize-recover=all -o groups -lm -lpthread"), all...)...)
		run(t, "./groups")
	}
	run(t, "make", "-s", "libelicit.a", "libelicit.so.1")
	if _, err := exec.LookPath("cmake"); err == nil {
		run(t, "cmake", "-S", ".", "-B", "cmake")
		run(t, "cmake", "--build", "cmake")
	}
}

// TestRefusals gives split what wasm2c does not write for the engine.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"": "wasm2c wrote no type of functions",
		"  func_types[3] = wasm_rt_register_func_type(1, 1, WASM_RT_I32, WASM_RT_I32);": "no table",
		"  w2c_f7(instance);": "a start function",
		"static const u8 data_segment_data_w2c_d0[] = {\n  0x00, ":                                "a segment does not end",
		"static const u8 data_segment_data_w2c_d0[] = {\n  0x100, \n};":                           "out of range",
		"static const wasm_elem_segment_expr_t elem_segment_exprs_w2c_e1[] = {":                   "filled twice",
		"static u32 w2c_f17(Z_elicit_instance_t* instance, u32 w2c_p0) {\n  x;":                   "does not end",
		"static u32 w2c_f17(Z_elicit_instance_t* instance, u32 w2c_p0) {\n  CALL_INDIRECT(0);\n}": "another form",
		"static u32 w2c_f17(Z_elicit_instance_t* instance, u32 w2c_p0) {\n" +
			"  w2c_i0 = i32_load(&instance->w2c_memory, (u64)(w2c_i0) * 2);\n}": "another form",
	} {
		if _, err := split([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestData replaces the data of a module and removes a section of names, and takes no module that is cut in a section.
func TestData(t *testing.T) {
	const head, types = "\x00asm\x01\x00\x00\x00", "\x01\x04\x01\x60\x00\x00"
	const whole = head + "\x00\x05\x04note" + types + "\x0c\x01\x00" + "\x0b\x01\x00"
	memory := append(make([]byte, 300), "one\x00two"...)
	memory = append(memory, make([]byte, 40)...)
	memory[339] = '3'
	want := head + types + "\x0c\x01\x02" + "\x0b\x15\x02" + "\x00\x41\xac\x02\x0b\x07one\x00two" +
		"\x00\x41\xd3\x02\x0b\x013"
	for n := range len(whole) + 1 {
		got, err := withData([]byte(whole[:n]), memory)
		ends := n == len(head) || n == len(head)+7 || n == len(head)+13 || n == len(whole)-3 || n == len(whole)
		if ends != (err == nil) {
			t.Errorf("%d bytes: %v", n, err)
		}
		if n == len(whole) && string(got) != want {
			t.Errorf("%q", got)
		}
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

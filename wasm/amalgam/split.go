package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// perFile is how many bytes of functions a file has, before it ends with the function. gcc takes half a gigabyte for
// so much.
const perFile = 2 << 20

// output is what split has found so far.
type output struct {
	files map[string][]byte
	code  bytes.Buffer // the file that is not full yet

	goFunction, first, start  string
	globals, functions, table bytes.Buffer
}

var (
	typeLine     = regexp.MustCompile(`^  func_types\[(\d+)\] = \w+\(1, 1, WASM_RT_I32, WASM_RT_I32\);$`)
	declaration  = regexp.MustCompile(`^static (void|u32|u64) w2c_\w+\(Z_elicit_instance_t\*.*\);$`)
	definition   = regexp.MustCompile(`^static (?:void|u32|u64) w2c_\w+\(Z_elicit_instance_t\* instance.*\) {$`)
	globalLine   = regexp.MustCompile(`^  instance->(w2c_g\d+) = 0(u|ull);$`)
	elementLine  = regexp.MustCompile(`^  {(\d+), \(wasm_rt_function_ptr_t\)&(w2c_\w+), 0},$`)
	tableLine    = regexp.MustCompile(`^  funcref_table_init\(&instance->w2c_T0, \w+, \d+, (\d+)u, 0, \d+, .*\);$`)
	startLine    = regexp.MustCompile(`^  (w2c_f\d+)\(instance\);$`)
	indirectCall = regexp.MustCompile(`CALL_INDIRECT\(instance->w2c_T0, u32 \(\*\)\(void\*, u32\), (\d+), (\w+), ` +
		`instance->w2c_T0\.data\[(\w+)\]\.module_instance, (\w+)\)`)
)

// The accesses to memory, in the names of shorter. In a statement of its own, an access may jump.
var (
	loadStatement  = regexp.MustCompile(`^(\w+) = (\w+_load\w*)\(m, \(u64\)\((\w+)\)((?: \+ \w+)?)\);$`)
	storeStatement = regexp.MustCompile(`^(\w+_store\w*)\(m, \(u64\)\((\w+)\)((?: \+ \w+)?), (\w+)\);$`)
)

// callStatement is a call, after which memory may be elsewhere.
var callStatement = regexp.MustCompile(`^(\w+ = )?(elicit_f\d+|elicit_wasi_\w+|elicit_grow|CALL)\(m\b.*\);$`)

// shorter has the names of module.h for those of wasm2c. Names without static need a prefix.
var shorter = strings.NewReplacer(
	"Z_elicit_instance_t* instance", "elicit_module *m", "Z_elicit_instance_t*", "elicit_module *",
	"instance->Z_wasi_snapshot_preview1_instance", "m", "Z_wasi_snapshot_preview1Z_", "elicit_wasi_",
	"(&instance->w2c_memory)", "m", "&instance->w2c_memory", "m", "instance->w2c_memory.pages", "elicit_pages(m)",
	"wasm_rt_grow_memory", "elicit_grow", "FUNC_PROLOGUE", "ENTER(m)", "FUNC_EPILOGUE", "LEAVE(m)",
	"UNREACHABLE", "elicit_trap(m)", "instance->w2c_", "m->", "instance", "m",
	"w2c_f", "elicit_f", "w2c__", "elicit_w_", "w2c_elicit", "elicit_w", "w2c_", "")

// split reads what wasm2c has written, and returns the files by name.
func split(text []byte) (map[string][]byte, error) {
	o := &output{files: map[string][]byte{}}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); {
		n, err := o.take(lines[i:])
		if err != nil {
			return nil, fmt.Errorf("line %d of wasm2c: %w", i+1, err)
		}
		i += n
	}
	return o.finish()
}

// take reads the part of the source that begins with the first line, and returns how many lines it has.
func (o *output) take(lines []string) (int, error) {
	line := lines[0]
	switch {
	case definition.MatchString(line):
		return o.function(lines)
	case declaration.MatchString(line):
		fmt.Fprintln(&o.functions, strings.TrimPrefix(shorter.Replace(line), "static "))
	case strings.Contains(line, "elem_segment_exprs_w2c_e1["):
		return 0, errors.New("the table is filled twice")
	}
	for _, part := range []struct {
		pattern *regexp.Regexp
		read    func(m []string)
	}{
		{typeLine, func(m []string) { o.goFunction = m[1] }},
		{globalLine, func(m []string) {
			fmt.Fprintf(&o.globals, " %s %s;", map[string]string{"u": "u32", "ull": "u64"}[m[2]], shorter.Replace(m[1]))
		}},
		{elementLine, func(m []string) { fmt.Fprintf(&o.table, "  %s,\n", o.element(m[1], shorter.Replace(m[2]))) }},
		{tableLine, func(m []string) { o.first = m[1] }},
		{startLine, func(m []string) { o.start = shorter.Replace(m[1]) }},
	} {
		if m := part.pattern.FindStringSubmatch(line); m != nil {
			part.read(m)
		}
	}
	return 1, nil
}

// element returns the entry of a function in the table. Only functions of one type are called through it.
func (o *output) element(kind, function string) string {
	if kind != o.goFunction {
		return "0"
	}
	return function
}

// function moves a function to the file that is not full yet.
func (o *output) function(lines []string) (int, error) {
	for i, line := range lines {
		if strings.Contains(line, "CALL_INDIRECT") {
			m := indirectCall.FindStringSubmatch(line)
			if m == nil || m[1] != o.goFunction || m[2] != m[3] {
				return 0, fmt.Errorf("a call of another type: %s", line)
			}
			line = indirectCall.ReplaceAllString(line, "CALL(m, $2, $4)")
		}
		line = strings.TrimSpace(shorter.Replace(line))
		line = loadStatement.ReplaceAllString(line, "READ($2, $1, $3, 0$4);")
		line = storeStatement.ReplaceAllString(line, "WRITE($1, $2, 0$3, $4);")
		if strings.Contains(line, "(m, (u64)(") {
			return 0, fmt.Errorf("an access of another form: %s", line)
		}
		if callStatement.MatchString(line) {
			line += " AGAIN"
		}
		if i == 0 {
			line = strings.TrimPrefix(line, "static ")
		}
		if lines[i] == "}" {
			line = "TRAP\n}" // one place for all bad accesses makes the code a fifth smaller
			if strings.HasPrefix(lines[0], "static void") {
				line = "return;\n" + line
			}
		}
		o.code.WriteString(line + "\n")
		if lines[i] == "}" {
			if o.code.Len() >= perFile {
				o.flush()
			}
			return i + 1, nil
		}
	}
	return 0, errors.New("a function does not end")
}

// flush ends a file, and begins the next one.
func (o *output) flush() {
	o.files[fmt.Sprintf("code_%02d.c", len(o.files))] = append([]byte(head), o.code.Bytes()...)
	o.code.Reset()
}

// finish writes the header and the table.
func (o *output) finish() (map[string][]byte, error) {
	for _, missing := range []struct {
		what  string
		empty bool
	}{
		{"type of functions", o.goFunction == ""}, {"table", o.first == "" || o.table.Len() == 0},
		{"start", o.start == ""}, {"code", len(o.files) == 0 && o.code.Len() == 0}, {"globals", o.globals.Len() == 0},
	} {
		if missing.empty {
			return nil, fmt.Errorf("wasm2c wrote no %s that split knows", missing.what)
		}
	}
	o.flush()
	o.files["table.c"] = fmt.Appendf(nil, "%selicit_function *const elicit_table[] = {\n%s};\n", head, o.table.Bytes())
	o.files["generated.h"] = fmt.Appendf(nil, "/* Generated from the module. */\n"+
		"#define ELICIT_GLOBALS%s\n#define ELICIT_FIRST %s\n#define ELICIT_FUNCTIONS %d\n#define ELICIT_START %s\n\n%s",
		o.globals.Bytes(), o.first, bytes.Count(o.table.Bytes(), []byte("\n")), o.start, o.functions.Bytes())
	return o.files, nil
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// perFile is how many bytes of functions a file has, before it ends with the function.
const perFile = 3 << 19

// head begins each file.
const head = "/* Generated from the module. */\n#include \"module.h\"\n\n"

// output is what split has found so far.
type output struct {
	files map[string][]byte
	code  bytes.Buffer // the file that is not full yet

	types map[string]string // the number of the first type that is the same, by number
	known map[string]string // that number by the type

	first, pages                                     string
	globals, begin, functions, table, data, segments bytes.Buffer
}

var (
	typeLine     = regexp.MustCompile(`^  func_types\[(\d+)\] = \w+\((.*)\);$`)
	declaration  = regexp.MustCompile(`^static (void|u32|u64|f64) w2c_\w+\(Z_elicit_instance_t\*.*\);$`)
	definition   = regexp.MustCompile(`^static (?:void|u32|u64|f64) w2c_\w+\(Z_elicit_instance_t\* instance.*(?:\) {|, )$`)
	globalLine   = regexp.MustCompile(`^  instance->(w2c_g\d+) = (\d+)(u|ull);$`)
	elementLine  = regexp.MustCompile(`^  {(\d+), \(wasm_rt_function_ptr_t\)&(w2c_\w+), 0},$`)
	tableLine    = regexp.MustCompile(`^  funcref_table_init\(&instance->w2c_T0, \w+, \d+, (\d+)u, 0, \d+, .*\);$`)
	memoryLine   = regexp.MustCompile(`^  wasm_rt_allocate_memory\(&instance->w2c_memory, (\d+), \d+\);$`)
	segmentLine  = regexp.MustCompile(`^static const u8 (data_segment_\w+)\[\] = {$`)
	placeLine    = regexp.MustCompile(`^  LOAD_DATA\(instance->w2c_memory, (\d+)u, (data_segment_\w+), (\d+)\);$`)
	startLine    = regexp.MustCompile(`^  w2c_\w+\(instance\);$`)
	indirectCall = regexp.MustCompile(`CALL_INDIRECT\(instance->w2c_T0, (\w+ \(\*\)\()void\*(.*?\)), (\d+), (\w+), ` +
		`instance->w2c_T0\.data\[(\w+)\]\.module_instance`)
)

// The accesses to memory, in the names of shorter. In a statement of its own, an access may jump.
var (
	loadStatement  = regexp.MustCompile(`^(\w+) = (\w+_load\w*)\(m, \(u64\)\((\w+)\)((?: \+ \w+)?)\);$`)
	storeStatement = regexp.MustCompile(`^(\w+_store\w*)\(m, \(u64\)\((\w+)\)((?: \+ \w+)?), (\w+)\);$`)
)

// callStatement is a call, after which memory may be elsewhere.
var callStatement = regexp.MustCompile(`^(\w+ = )?((elicit_f\d+|elicit_w\w*|elicit_grow)\(m\b|CALL\().*\);$`)

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
	o := &output{files: map[string][]byte{}, types: map[string]string{}, known: map[string]string{}}
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
	case startLine.MatchString(line):
		return 0, errors.New("the module has a start function")
	}
	if m := segmentLine.FindStringSubmatch(line); m != nil {
		return o.segment(m[1], lines)
	}
	for _, part := range []struct {
		pattern *regexp.Regexp
		read    func(m []string)
	}{
		{typeLine, func(m []string) {
			if _, is := o.known[m[2]]; !is {
				o.known[m[2]] = m[1]
			}
			o.types[m[1]] = o.known[m[2]]
		}},
		{globalLine, func(m []string) {
			name := shorter.Replace(m[1])
			fmt.Fprintf(&o.globals, " %s %s;", map[string]string{"u": "u32", "ull": "u64"}[m[3]], name)
			fmt.Fprintf(&o.begin, " (m)->%s = %s%s;", name, m[2], m[3])
		}},
		{elementLine, func(m []string) {
			fmt.Fprintf(&o.table, "  {(elicit_any *)%s, %s},\n", shorter.Replace(m[2]), o.types[m[1]])
		}},
		{tableLine, func(m []string) { o.first = m[1] }},
		{memoryLine, func(m []string) { o.pages = m[1] }},
		{placeLine, func(m []string) { fmt.Fprintf(&o.segments, "  {%s, %s, %s},\n", m[2], m[1], m[3]) }},
	} {
		if m := part.pattern.FindStringSubmatch(line); m != nil {
			part.read(m)
		}
	}
	return 1, nil
}

// function moves a function to the file that is not full yet.
func (o *output) function(lines []string) (int, error) {
	for i, line := range lines {
		if strings.Contains(line, "CALL_INDIRECT") {
			m := indirectCall.FindStringSubmatch(line)
			if m == nil || o.types[m[3]] == "" || m[4] != m[5] {
				return 0, fmt.Errorf("a call of another form: %s", line)
			}
			line = indirectCall.ReplaceAllString(line, "CALL(${1}elicit_module *$2, "+o.types[m[3]]+", $4, m")
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

// segment takes the bytes of a part of memory.
func (o *output) segment(name string, lines []string) (int, error) {
	fmt.Fprintf(&o.data, "static const u8 %s[] = {\n", name)
	for i, line := range lines[1:] {
		if line == "};" {
			o.data.WriteString("};\n")
			return i + 2, nil
		}
		for b := range strings.FieldsSeq(line) {
			n, err := strconv.ParseUint(strings.TrimSuffix(b, ","), 0, 8)
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(&o.data, "%d,", n)
		}
		o.data.WriteByte('\n')
	}
	return 0, errors.New("a segment does not end")
}

// finish writes the header and the tables.
func (o *output) finish() (map[string][]byte, error) {
	for _, missing := range []struct {
		what  string
		empty bool
	}{
		{"type of functions", len(o.types) == 0}, {"table", o.first == "" || o.table.Len() == 0}, {"memory", o.pages == ""},
		{"data", o.segments.Len() == 0}, {"code", len(o.files) == 0 && o.code.Len() == 0},
		{"globals", o.globals.Len() == 0},
	} {
		if missing.empty {
			return nil, fmt.Errorf("wasm2c wrote no %s that split knows", missing.what)
		}
	}
	o.flush()
	o.files["tables.c"] = fmt.Appendf(nil, "%s%sconst elicit_segment elicit_segments[] = {\n%s};\n"+
		"const elicit_entry elicit_table[] = {\n%s};\n", head, o.data.Bytes(), o.segments.Bytes(), o.table.Bytes())
	o.files["generated.h"] = fmt.Appendf(nil, "/* Generated from the module. */\n"+
		"#define ELICIT_GLOBALS%s\n#define ELICIT_SET_GLOBALS(m)%s\n#define ELICIT_PAGES %s\n#define ELICIT_SEGMENTS %d\n"+
		"#define ELICIT_FIRST %s\n#define ELICIT_FUNCTIONS %d\n\n%s", o.globals.Bytes(), o.begin.Bytes(), o.pages,
		bytes.Count(o.segments.Bytes(), []byte("\n")), o.first, bytes.Count(o.table.Bytes(), []byte("\n")),
		o.functions.Bytes())
	return o.files, nil
}

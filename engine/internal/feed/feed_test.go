package main

import (
	"crypto/sha256"
	"debug/elf"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var (
	feedSeconds = flag.Int("feed", 0, "seconds that TestParsers lets libFuzzer run each parser")
	only        = flag.String("parsers", "", "the names of the parsers, or all")
)

// feeds are the parsers of parsers.go with their first inputs. These are the members of those names in the vectors of
// the families; "*" is every text. A second list is that of the part behind a byte 0xff. With variants, the first byte
// says which.
var feeds = []struct {
	name, families, members, second string
	variants, most                  int
	first                           []string
}{
	{"json", "json step", "document_text document event", "", 0, 256, nil},
	{"text", "risk json", "message title document_text", "", 0, 128, []string{"\ud7ff Pаss ﬁ\u0301٤Ⓐ Ѡ\ufe0f"}},
	{"pattern", "schema check", "pattern", "content default", 0, 128, []string{"(?=a)[^b]{1,3}\\d*$\xffab1"}},
	{"url", "risk policy", "url", "", 0, 256, []string{"https://a:b@[2001:db8::1]:8080/%2e?a#b"}},
	{"host", "risk policy", "host url known_hosts", "", 0, 128, []string{"bücher.example", "xn--bcher-kva.A."}},
	{"ip", "json", "ip", "", 0, 64, []string{"::", "2001:db8::1:0:0:1", "::ffff:10.0.0.1", "0x7f.1", "127.0.0.1", "1::",
		"1:2:3:4:5:6:7:8", "017700000001", "fe80::1%a", "64:ff9b::1.2.3.4"}},
	{"base64", "seal", "token", "", 0, 128, []string{"AA==", "AAA=", "AAAA", "/+8=", "_-8", "AAAA\n"}},
	{"shell", "impact risk", "command", "", 0, 256, nil},
	{"inline", "json", "program", "", 0, 256, []string{"import os\nos.remove('a')",
		"from pathlib import Path as P\n(P('a') / 'b').write_text('c')", "with open('a') as f, b() as c:\n  f.read()",
		"import subprocess as s\ns.run(['rm', '-rf', '/'], check=True)", "import requests\nrequests.get('https://a.b/c')",
		"def f(a, *b, **c):\n\treturn lambda d: [e for e in d if e]", "print(rb'\\x00', f'{x}', 0x1f, 1e5j)",
		"import json, sys; json.load(sys.stdin)['a'][0:1]", "class A(B):\n  @c\n  async def d(self): await e()",
		"match x:\n  case {'a': [b, *_]}: c = 1 \\\n + 2", "open('a', 'w').write('''b''')"}},
	{"schema", "schema lint", "schema schema_text", "", 0, 512, nil},
	{"answer", "check coerce", "schema", "content content_text", 0, 512, nil},
	{"format", "check coerce", "*", "", 9, 128, []string{"2026-01-02T03:04:05.6+01:00", "2024-02-29", "a.b@c.example",
		"23:59:60Z", "123e4567-e89b-12d3-a456-426614174000", "https://a.b/c", "a://[v1.6.]?0", "::ffff:1.2.3.4", "1.2.3.4",
		"\u22121,5"}},
	{"policy", "policy", "policy", "", 5, 512, nil},
	{"facts", "policy codex", "facts", "", 0, 512, nil},
	{"glob", "policy", "command server host tool path", "command server", 0, 128, []string{"*a[b-d]?\xffxxacq"}},
	{"config", "relay asking asker step", "config relay asking asker", "", 4, 512, nil},
	{"envelope", "relay wire acp", "message message_text request", "", 0, 512, nil},
	{"mcp", "wire relay", "params", "", 6, 512, nil},
	{"result", "wire relay", "result", "", 12, 512, nil},
	{"codex", "codex", "params", "result", 8, 512, nil},
	{"acp", "acp", "params", "", 2, 512, nil},
	{"hooks", "hooks", "input", "", 12, 512, nil},
	{"interrupts", "interrupts", "document document_text", "", 12, 512, nil},
	{"event", "step relay asking asker", "event", "", 4, 512, nil},
	{"record", "step", "event", "ref", 0, 256, nil},
	{"journal", "journal", "journal_text", "", 0, 2048, nil},
	{"state", "step asking", "state", "", 2, 1024, nil},
	{"seal", "seal", "token body", "", 2, 512, nil},
	{"manifest", "guardian step", "declared guardians", "", 0, 512, []string{
		`{"name":"a","version":"1","phases":["before_show"],"reads":["/request/*"],"settings":{},"codes":["weak"]}`}},
	{"verdict", "guardian step", "output review results", "", 3, 512, []string{
		`{"v":1,"decision":"ask","obligations":[{"do":"redact","pointer":"/answer/x"},{"do":"second_person"}]}`,
		`{"v":1,"decision":"deny","findings":[{"code":"a","message":"m","pointer":"/answer/x","severity":"low"}]}`}},
	{"risk", "risk", "message command title content", "", 3, 256, nil},
	{"lint", "lint schema", "schema request", "", 6, 512, nil},
}

// TestParsersAreFed compares the list of parsers.go with the one here.
func TestParsersAreFed(t *testing.T) {
	var names, fed []string
	for _, m := range regexp.MustCompile(`(?m)^\t"(\w+)": +`).FindAllStringSubmatch(must.Text(t, "parsers.go"), -1) {
		names = append(names, m[1])
	}
	for _, f := range feeds {
		fed = append(fed, f.name)
	}
	if !slices.Equal(names, fed) {
		t.Errorf("parsers.go has %v, and the inputs are for %v", names, fed)
	}
}

// TestParsers lets libFuzzer feed each parser.
func TestParsers(t *testing.T) {
	if *feedSeconds == 0 {
		t.Skip("./build.sh parsers runs this test")
	}
	dir := t.TempDir()
	keep, err := filepath.Abs("../../../dist/fuzz")
	must.OK(t, err)
	must.OK(t, os.MkdirAll(keep, 0o755))
	programs := map[bool]string{}
	total := 0
	for i, f := range feeds {
		if *only != "" && !slices.Contains(strings.Fields(*only), f.name) {
			continue
		}
		inner := slices.Contains(texts, f.name)
		if programs[inner] == "" {
			programs[inner] = built(t, inner, dir)
		}
		corpus, words := filepath.Join(dir, f.name), filepath.Join(dir, f.name+".words")
		must.OK(t, os.Mkdir(corpus, 0o755))
		must.OK(t, os.WriteFile(words, []byte(inputs(t, i, corpus)), 0o644))
		run := exec.Command(programs[inner], "-max_total_time="+strconv.Itoa(*feedSeconds), "-max_len="+strconv.Itoa(f.most),
			"-use_value_profile=0", "-entropic=0", "-reload=0", "-timeout=0", "-dict="+words, "-artifact_prefix="+keep+"/",
			"-print_final_stats=1", corpus)
		run.Env = append(os.Environ(), "ELICIT_PARSER="+f.name, "ELICIT_KEEP="+keep, "GOGC=400")
		out, err := run.CombinedOutput()
		executed := regexp.MustCompile(`stat::number_of_executed_units: (\d+)`).FindSubmatch(out)
		if err != nil || executed == nil {
			t.Errorf("%s: %v: the input is kept in dist/fuzz\n%s", f.name, err, out[max(0, len(out)-4000):])
			continue
		}
		n, _ := strconv.Atoi(string(executed[1]))
		if total += n; n < 1000 {
			t.Errorf("%s took %d inputs", f.name, n)
		}
		used := run.ProcessState.UserTime() + run.ProcessState.SystemTime()
		t.Logf("%-12s %12d executions %8.1f s of a processor", f.name, n, used.Seconds())
	}
	t.Logf("sum: %d parsers, %d executions", len(feeds), total)
}

// texts are the parsers of the packages in engine/internal, which need no others.
var texts = []string{"json", "text", "pattern", "host", "ip", "base64"}

// built returns the program with coverage in those packages, or in all of the engine. The counters of the others would
// take most of the time of a text.
func built(t *testing.T, inner bool, dir string) string {
	packages := []string{"..."}
	if inner {
		packages = []string{"internal/base64", "internal/fold", "internal/hostname", "internal/jsontext", "internal/pattern"}
	}
	program := filepath.Join(dir, strconv.Itoa(len(packages)))
	archive := exec.Command("go", "build", "-tags", "libfuzzer", "-buildmode=c-archive", "-o", program+".a")
	for _, name := range packages {
		archive.Args = append(archive.Args, "-gcflags=github.com/elicit-engine/elicit/engine/"+name+"=-d=libfuzzer")
	}
	archive.Env = append(os.Environ(), "CC=clang", "CGO_ENABLED=1")
	linked := exec.Command("clang", "-fsanitize=fuzzer", "-o", program, program+".a", "-lpthread")
	for _, build := range []*exec.Cmd{archive, linked} {
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	quiet(t, program)
	return program
}

// quiet makes the functions return at once that tell libFuzzer of each comparison of numbers. They take most of the
// time in code that searches tables, and no flag of the compiler leaves them out. Comparisons of texts are told.
func quiet(t *testing.T, program string) {
	back := map[string]string{"amd64": "\xc3", "arm64": "\xc0\x03\x5f\xd6"}[runtime.GOARCH]
	text, err := elf.Open(program)
	must.OK(t, err)
	defer text.Close()
	symbols, err := text.Symbols()
	must.OK(t, err)
	file, err := os.OpenFile(program, os.O_WRONLY, 0)
	must.OK(t, err)
	n := 0
	for _, s := range symbols {
		if told.MatchString(s.Name) {
			in := text.Sections[s.Section]
			_, err = file.WriteAt([]byte(back), int64(s.Value-in.Addr+in.Offset))
			must.OK(t, err)
			n++
		}
	}
	must.OK(t, file.Close())
	if n != 8 {
		t.Fatalf("%d functions tell libFuzzer of comparisons", n)
	}
}

var told = regexp.MustCompile(`^runtime\.libfuzzerTrace(Const)?Cmp[1248]$`)

// inputs writes the first inputs of a parser to a folder, and returns their words for a dictionary.
func inputs(t *testing.T, i int, folder string) string {
	f, n := feeds[i], 0
	texts := slices.Clone(f.first)
	for _, v := range vectors.Read(t, strings.Fields(f.families)...) {
		of := members(gjson.ParseBytes(v.In), strings.Fields(f.members), nil)
		behind := members(gjson.ParseBytes(v.In), strings.Fields(f.second), nil)
		for i, text := range of {
			if len(behind) > 0 {
				text += "\xff" + behind[i%len(behind)]
			}
			texts = append(texts, text)
		}
	}
	known, words := map[string]bool{}, map[string]bool{}
	for _, text := range texts {
		if len(text) > f.most || known[text] {
			continue
		}
		known[text] = true
		for _, word := range word.FindAllString(text, -1) {
			words[fmt.Sprintf("\"%s\"\n", plain(word))] = true
		}
		if f.variants > 0 {
			text = string(rune(n%f.variants)) + text
		}
		n++
		name := filepath.Join(folder, fmt.Sprintf("%x", sha256.Sum256([]byte(text))))
		must.OK(t, os.WriteFile(name, []byte(text), 0o644))
	}
	if n == 0 {
		t.Fatalf("%s has no first input", f.name)
	}
	var all strings.Builder
	for word := range words {
		all.WriteString(word)
	}
	return all.String()
}

// plain spells a word as a dictionary of libFuzzer does.
func plain(word string) (spelled string) {
	for _, c := range []byte(word) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			spelled += fmt.Sprintf("\\x%02x", c)
		} else {
			spelled += string(c)
		}
	}
	return spelled
}

var word = regexp.MustCompile(`"[A-Za-z_$.-]{2,24}"|[A-Za-z0-9_.-]{2,16}|[^A-Za-z0-9 ]{2,4}`)

// members appends the values of the members of those names, at any depth, also of messages in texts. A text is appended
// as it reads.
func members(v gjson.Result, names, to []string) []string {
	if v.Type == gjson.String && gjson.Valid(v.Str) {
		v = gjson.Parse(v.Str)
	}
	if v.Type == gjson.String && slices.Contains(names, "*") {
		to = append(to, v.String())
	}
	if !v.IsObject() && !v.IsArray() {
		return to
	}
	v.ForEach(func(name, value gjson.Result) bool {
		if name.Exists() && slices.Contains(names, name.String()) {
			to = append(to, value.String())
		}
		to = members(value, names, to)
		return true
	})
	return to
}

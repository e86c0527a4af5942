package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var feedSeconds = flag.Int("feed", 0, "seconds that TestFeed lets libFuzzer run, and 0 for a fixed number of inputs")

// inventedInputs is how many inputs libFuzzer invents when it has no time. A busy machine does the same work.
const inventedInputs = 2000

// TestFeed lets libFuzzer call every function. The engine and the C side are both built with coverage, with traced
// comparisons and with the address sanitizer. The first inputs are the vectors and one complete question of each kind.
func TestFeed(t *testing.T) {
	t.Parallel()
	if !vectors.Nightly() && *feedSeconds == 0 {
		t.Skip("./build.sh nightly runs this test, and TestFuzz feeds the library that ships") // all of Go is compiled again
	}
	if _, err := exec.LookPath("clang"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("clang is not installed")
	}
	dir := t.TempDir()
	program, corpus, words := filepath.Join(dir, "feed"), filepath.Join(dir, "corpus"), filepath.Join(dir, "words")
	archive := exec.Command("go", "build", "-asan", "-tags", "libfuzzer", "-gcflags=all=-d=libfuzzer",
		"-buildmode=c-archive", "-o", program+".a", ".")
	archive.Env = append(os.Environ(), "CC=clang", "CGO_ENABLED=1", "CGO_CFLAGS=-g -O1 -fsanitize=fuzzer-no-link,address")
	linked := exec.Command("clang", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-O1",
		"-fsanitize=fuzzer,address,undefined",
		"-fno-sanitize-recover=all", "-I.", "-o", program, "test/feed.c", program+".a", "-lpthread")
	for _, build := range []*exec.Cmd{archive, linked} {
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	must.OK(t, os.Mkdir(corpus, 0o755))
	must.OK(t, os.MkdirAll("../dist/fuzz", 0o755))
	first := feeds(t)
	for _, text := range first {
		must.OK(t, os.WriteFile(filepath.Join(corpus, fmt.Sprintf("%x", sha256.Sum256([]byte(text)))), []byte(text), 0o644))
	}
	must.OK(t, os.WriteFile(words, []byte(dictionary(t)), 0o644))
	// A schedule of the inputs that pays in an hour takes half of a short run's time.
	entropic, length := "-entropic=0", "-max_total_time="+strconv.Itoa(*feedSeconds)
	if *feedSeconds >= 60 {
		entropic = "-entropic=1"
	}
	if *feedSeconds == 0 {
		length = "-runs=" + strconv.Itoa(len(first)+inventedInputs)
	}
	run := exec.Command(program, entropic, length, "-timeout=60", "-max_len=8192", "-dict="+words,
		"-artifact_prefix=../dist/fuzz/", "-print_final_stats=1", corpus)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: the input is kept in dist/fuzz\n%s", err, tail(string(out)))
	}
	runs, reached := number(t, out, `stat::number_of_executed_units: (\d+)`), number(t, out, `DONE\s+cov: (\d+)`)
	t.Logf("%d runs, %d places reached", runs, reached)
	if runs < inventedInputs || reached < 5000 {
		t.Errorf("too few:\n%s", tail(string(out)))
	}
}

// feeds returns the first inputs: the operation of every vector, and a complete question of each kind.
func feeds(t *testing.T) (list []string) {
	for _, v := range vectors.Some(vectors.Read(t)) {
		if len(v.In) < 4096 {
			list = append(list, "e"+v.Op+" "+string(v.In))
		}
	}
	const schema = `{"type":"object","properties":{"region":{"type":"string","enum":["eu","us"]},` +
		`"n":{"type":"integer","minimum":1}},"required":["region"]}`
	const opened = "o{}\xff" + `i{"event":{"event":"opened","session":"s","server":"build","side":"answering",` +
		`"declared":["form","url"],"shown":["form","url"]}}`
	const form = `i{"event":{"event":"asked","session":"s","ref":"1","mode":"form","message":"Where?","schema":` + schema +
		`}}`
	const page = `i{"event":{"event":"asked","session":"s","ref":"2","mode":"url","message":"Sign in","link":"e",` +
		`"url":"https://example.com/"}}`
	module := "g" + must.Text(t, "../testdata/guests/no-links.wasm") // it contains no 0xff
	guarded := `o{"guardians":[{"name":"g","digest":"` + guardian.Digest([]byte(module[1:])) +
		`","declared":{"phases":["before_show"],"reads":["/request/mode","/request/url"]},"reads":["/request/mode"]}]}`
	const client = `m{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	const server = `w{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"s","version":"1"}}}`
	const call = `m{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"prune","arguments":{}}}`
	const create = `w{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Where?",` +
		`"requestedSchema":` + schema + `}}`
	const round = `w{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{` +
		`"method":"elicitation/create","params":{"message":"Where?","requestedSchema":` + schema + `}}},"requestState":"x"}}`
	const relayed = `l{"server":"build","role":"client","modes":["form","url"]}`
	list = append(list,
		strings.Join([]string{relayed, client, server, call, create, `v"action":"accept","content":{"region":"eu"}`,
			`b{"list":"grants"}`,
			`w{"jsonrpc":"2.0","id":2,"result":{}}`, `b{"event":{"event":"ended","end":"host"}}`, "k"}, "\xff"),
		strings.Join([]string{`l{"server":"build","ask":"client","keep_alive_ms":100}`, strings.Replace(client, `{},`,
			`{"elicitation":{"form":{}}},`, 1),
			server, call, create, `b{"event":{"event":"append_failed"}}`, `b{"event":{"event":"ticked"},"at":9000000000000}`,
			`b{"event":{"event":"received","from":"server","cut":true},"message":"{\"id\":2,\"result\""}`,
			`b{"event":{"event":"ended","end":"server"}}`, "k"}, "\xff"),
		strings.Join([]string{relayed, strings.Replace(call, `"arguments"`,
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
				`"io.modelcontextprotocol/clientCapabilities":{}},"arguments"`, 1), round,
			`v"action":"accept","content":{"region":"eu"}`,
			`w[{"jsonrpc":"2.0","id":2,"result":{}}]`, "k", "z"}, "\xff"))
	return append(list,
		strings.Join([]string{module, guarded, opened[4:], page}, "\xff"),
		strings.Join([]string{opened, form, `a"action":"accept","content":{"region":"moon"}`,
			`a"action":"accept","content":{"region":"eu"}`, `i{"save":"s"}`, "x"}, "\xff"),
		strings.Join([]string{opened, page, `a"action":"accept"`, `i{"event":{"event":"completed","session":"s","link":"e"}}`,
			`i{"event":{"event":"closed","session":"s"}}`}, "\xff"),
		strings.Join([]string{opened, form, `i{"event":{"event":"cancelled","session":"s","ref":"1"}}`, `a"action":"decline"`,
			`i{"list":"grants"}`, "z{}"}, "\xff"),
		strings.Join([]string{`f{"schema":` + schema + `}`, `c{"region":"eu","n":1}`, `c{"region":"eu","n":1e999}`,
			"h12345678", "y", "d", "s", "n123"}, "\xff"))
}

// dictionary returns the names in describe, and the names of the members in the vectors' inputs.
func dictionary(t *testing.T) string {
	var table abi.Table
	_, described, _ := table.Call(abi.OpDescribe, 0, nil, nil)
	names := regexp.MustCompile(`"[a-z_]{2,32}"`).FindAllString(string(described), -1)
	for _, v := range vectors.Read(t) {
		names = append(names, regexp.MustCompile(`"[A-Za-z$]{2,24}"`).FindAllString(string(v.In), 40)...)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range slices.Compact(names) {
		fmt.Fprintln(&text, strconv.Quote(name))
	}
	return text.String()
}

func number(t *testing.T, out []byte, pattern string) int {
	t.Helper()
	m := regexp.MustCompile(pattern).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no %s in\n%s", pattern, tail(string(out)))
	}
	n, err := strconv.Atoi(string(m[1]))
	must.OK(t, err)
	return n
}

package rivals

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestDocuments gives documents to the gate and to five parsers. The parser in Rust runs at night. A document that
// passes the gate means the same to each parser, except for the rows. Each parser refuses a document that the gate
// refuses, except for those in more.
func TestDocuments(t *testing.T) {
	readers := []*peer{node(t, "json"), python(t, "json"), jackson(t)}
	if vectors.Nightly() || *runs >= 100_000 { // it takes minutes to compile
		readers = append(readers, serde(t))
	}
	rows := []*difference{
		{rival: "serde", why: "infinite"}, // "number out of range"; ids and codes have bounds of their own
		{rival: "serde", why: "last bit"}, // it rounds so without its feature float_roundtrip
	}
	refused := map[string]int{}
	passed := 0
	batches(*runs, func(r []*rand.Rand) {
		docs := make([][]byte, len(r))
		var asked strings.Builder
		for i := range r {
			docs[i] = someDocument(r[i])
			fmt.Fprintf(&asked, " %x", docs[i])
		}
		read := make([][]string, len(readers))
		for i, p := range readers {
			read[i] = strings.Split(p.line(t, asked.String()[1:]), " ")
		}
		for i, doc := range docs {
			want := goReads(doc)
			canonical, code := gateReads(t, doc)
			if code != "" {
				refused[code]++
				for j, p := range readers {
					guessed := p.name == "Jackson" && bytes.IndexByte(doc, 0) >= 0 // UTF-16 or UTF-32 (RFC 4627, 3)
					if got := read[j][i]; got != "!" && !guessed && !strings.Contains(more[code], p.name) {
						t.Errorf("%q: the gate says %s, %s reads %s", doc, code, p.name, got)
					}
				}
				continue
			}
			passed++
			if want == "!" || goReads(canonical) != want {
				t.Errorf("%q: Go reads %s, and in %q %s", doc, want, canonical, goReads(canonical))
			}
			for j, p := range readers {
				if got := read[j][i]; got != want && !allow(rows, p.name, numbersDiffer(want, got)) {
					t.Errorf("%q: Go reads %s, %s reads %s", doc, want, p.name, got)
				}
			}
		}
	})
	t.Logf("%d passed, refused %v", passed, refused)
	if passed < *runs/5 || passed > *runs*4/5 {
		t.Errorf("%d of %d passed", passed, *runs)
	}
	shown(t, rows)
}

// more are the rivals that read more than RFC 8259 has, by the code of the gate's fault.
var more = map[string]string{
	"json_duplicate_key": "Node Python Jackson serde", // RFC 7493, 2.3: each keeps one of the members, and not the same
	"json_surrogate":     "Node Python Jackson",       // RFC 7493, 2.1: half a pair has no UTF-8
	"json_utf8":          "Node Jackson",              // U+FFFD (Encoding Standard, 4.1); long forms (RFC 3629, 3)
	"json_bom":           "Jackson",                   // RFC 8259, 8.1 lets a reader ignore a byte order mark
	"json_syntax":        "Python",                    // NaN, Infinity and -Infinity, see "Infinite and NaN Number Values"
	"json_number":        "Python",                    // the same, for -Infinity
}

func jackson(t *testing.T) *peer {
	return startPeer(t, "Jackson", parts+"/java/classes/JsonPeer.class", "java", "-Xshare:auto", "-XX:TieredStopAtLevel=1",
		"-cp", parts+"/java/lib/*:"+parts+"/java/classes", "JsonPeer")
}

func serde(t *testing.T) *peer {
	return startPeer(t, "serde", "", parts+"/rmcp/target/debug/json_peer")
}

// gateReads returns the canonical text of a document, or the code of its fault.
func gateReads(t *testing.T, doc []byte) (canonical []byte, code string) {
	var got struct {
		OK        bool
		Canonical json.RawMessage
		Problems  []struct{ Code string }
	}
	answer := abi.Eval("parse", fmt.Appendf(nil, `{"document_base64":"%s"}`, base64.StdEncoding.EncodeToString(doc)), nil)
	if err := json.Unmarshal(answer, &got); err != nil || got.OK == (len(got.Problems) > 0) {
		t.Fatalf("%q: %s", doc, answer)
	}
	if got.OK {
		return got.Canonical, ""
	}
	return nil, got.Problems[0].Code
}

// goReads writes a document as testdata/peer.mjs does.
func goReads(doc []byte) string {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "!"
	}
	if _, err := d.Token(); err != io.EOF {
		return "!"
	}
	return value(v)
}

func value(v any) string {
	var parts []string
	switch v := v.(type) {
	case nil:
		return "z"
	case bool:
		if v {
			return "t"
		}
		return "f"
	case json.Number:
		x, _ := strconv.ParseFloat(v.String(), 64) // beyond the range it is infinite
		if x == 0 {
			x = 0
		}
		return fmt.Sprintf("n%016x", math.Float64bits(x))
	case string:
		return "s" + hex.EncodeToString([]byte(v))
	case []any:
		for _, item := range v {
			parts = append(parts, value(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	members := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, value(name)+":"+value(members[name]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

var numberBits = regexp.MustCompile(`n[0-9a-f]{16}`)

// numbersDiffer says how two readings differ that are equal but for their numbers.
func numbersDiffer(want, got string) string {
	if strings.Contains(want, "n7ff0000000000000") || strings.Contains(want, "nfff0000000000000") {
		return "infinite"
	}
	ours, theirs := numberBits.FindAllString(want, -1), numberBits.FindAllString(got, -1)
	if numberBits.ReplaceAllString(want, "") != numberBits.ReplaceAllString(got, "") || len(ours) != len(theirs) {
		return "other"
	}
	for i := range ours {
		a, _ := strconv.ParseUint(ours[i][1:], 16, 64)
		b, _ := strconv.ParseUint(theirs[i][1:], 16, 64)
		if a-b+1 > 2 {
			return "other"
		}
	}
	return "last bit"
}

// someDocument draws a document, and spoils half of them.
func someDocument(r *rand.Rand) []byte {
	doc := someValue(r, 0)
	if r.Intn(4) == 0 {
		doc = pick(r, " ", "\t\n", "\r\n", "\ufeff", "\f", "\u00a0") + doc + pick(r, "", " ", "\n", ",", "{}", "\x00")
	}
	text := []byte(doc)
	for range max(0, r.Intn(5)-2) {
		at := r.Intn(len(text) + 1)
		end := min(len(text), at+r.Intn(4))
		text = slices.Concat(text[:at], []byte(pick(r, "", "", ",", `"`, `\`, "{", "}", "[", "]", ":", "0", "-", ".", "e",
			"\x00", "\x1f", "\x7f", "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "/**/", "//", "'", "NaN", "Infinity",
			"+", "null", "\u2028", `\u`, "\xe2\x82")), text[end:])
	}
	if len(text) == 0 {
		return []byte("0")
	}
	return text
}

func someValue(r *rand.Rand, depth int) string {
	space := func() string { return pick(r, "", "", "", " ", "\n", "\t\r") }
	kind := r.Intn(9)
	if depth > 3 && kind > 6 {
		kind -= 4
	}
	switch kind {
	case 0:
		return pick(r, "null", "true", "false", "null", "true", "false", "Null", "TRUE", "nul")
	case 1, 2, 3:
		return someNumber(r)
	case 4, 5, 6:
		return someString(r)
	case 7:
		var items []string
		for range r.Intn(4) {
			items = append(items, space()+someValue(r, depth+1)+space())
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for range r.Intn(4) {
		name := pick(r, `"a"`, `"id"`, `"__proto__"`, `"1"`, `"constructor"`, `""`, `"ID"`, someString(r))
		members = append(members, space()+name+space()+":"+space()+someValue(r, depth+1)+space())
	}
	return "{" + strings.Join(members, ",") + "}"
}

func someNumber(r *rand.Rand) string {
	digits := func() string {
		return strings.Repeat(pick(r, "0", "1", "9", "12", "907"), r.Intn(8)) + strconv.Itoa(r.Intn(1000))
	}
	if r.Intn(8) > 0 {
		whole := strings.TrimLeft(digits(), "0")
		return pick(r, "", "", "-") + pick(r, "0", "1"+whole, strconv.Itoa(r.Intn(100))) + pick(r, "", "", "."+digits()) +
			pick(r, "", "", "", "e"+strconv.Itoa(r.Intn(30)), "E+400", "e-0"+digits()[:1])
	}
	return pick(r, "", "-", "+") + pick(r, "0", digits(), "") + pick(r, "", "", "."+digits(), ".") +
		pick(r, "", "e", "E+", "e-") + pick(r, "", digits()[:1], "400")
}

func someString(r *rand.Rand) string {
	var b strings.Builder
	b.WriteByte('"')
	for range r.Intn(6) {
		if r.Intn(12) > 0 {
			b.WriteString(pick(r, "a", "é", "\U0001F600", "\ufeff", "\u2028", `\n`, `\/`, `\\`, `\"`, `\u0041`, `\u0000`,
				`\uD83D\uDE00`, `\uFFFF`, "\x7f", "\u202e", "\ufffd"))
			continue
		}
		b.WriteString(pick(r, `\ud83d`, `\ude00`, `\ude00\ud83d`, `\v`, `\'`, `\x41`, "\t", `\u004`))
	}
	return b.String() + `"`
}

var (
	runs = flag.Int("runs", 4000, "how much the tests draw that compare the engine with programs in other languages")
	seed = flag.Int64("seed", 1, "what is drawn")
)

const parts = "../../../testdata/realparts"

// peer is a program that answers each line with a line.
type peer struct {
	name string
	in   io.WriteCloser
	out  *bufio.Reader
}

// startPeer skips the test when the program is missing, but never in CI, because a skipped test proves nothing.
func startPeer(t *testing.T, name string, needs string, command ...string) *peer {
	t.Helper()
	path, err := exec.LookPath(command[0])
	if _, missing := os.Stat(needs); err == nil && needs != "" {
		err = missing
	}
	if err != nil {
		why := fmt.Sprintf("%v; run testdata/realparts/setup.sh", err)
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	c := exec.Command(path, command[1:]...)
	c.Stderr = os.Stderr
	in, out := must.Start(t, c)
	t.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			t.Error(name, err)
		}
	})
	return &peer{name, in, bufio.NewReader(out)}
}

func node(t *testing.T, kind string) *peer {
	modules, err := filepath.Abs(parts + "/node_modules")
	must.OK(t, err)
	return startPeer(t, "Node", modules, "node", "testdata/peer.mjs", kind, modules)
}

func python(t *testing.T, kind string) *peer {
	return startPeer(t, "Python", parts+"/venv", parts+"/venv/bin/python", "testdata/peer.py", kind)
}

func (p *peer) line(t *testing.T, asked string) string {
	t.Helper()
	go io.WriteString(p.in, asked+"\n") // it may answer before it has read all
	answer, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return strings.TrimSuffix(answer, "\n")
}

// judged asks for the verdicts on all cases.
func judged[V, C any](t *testing.T, p *peer, cases []C) (verdicts []V) {
	t.Helper()
	asked, err := json.Marshal(cases)
	must.OK(t, err)
	if err := json.Unmarshal([]byte(p.line(t, string(asked))), &verdicts); err != nil || len(verdicts) != len(cases) {
		t.Fatalf("%s: %d verdicts on %d cases, %v", p.name, len(verdicts), len(cases), err)
	}
	return verdicts
}

// batches calls judge with numbers from the seed on, some at a time.
func batches(of int, judge func(r []*rand.Rand)) {
	const most = 500
	for from := 0; from < of; from += most {
		list := make([]*rand.Rand, min(most, of-from))
		for i := range list {
			list[i] = rand.New(rand.NewSource(*seed<<32 + int64(from+i)))
		}
		judge(list)
	}
}

// difference is one way in which a rival reads otherwise, and why that is right. A row that nothing shows must go.
type difference struct {
	rival, why string
	seen       int
}

// allow reports that the difference has a row.
func allow(rows []*difference, rival, why string) bool {
	for _, d := range rows {
		if d.rival == rival && d.why == why {
			d.seen++
			return true
		}
	}
	return false
}

// shown logs how often each difference was seen, and fails for one that no large run shows.
func shown(t *testing.T, rows []*difference) {
	t.Helper()
	for _, d := range rows {
		if t.Logf("%s: %s: %d times", d.rival, d.why, d.seen); d.seen == 0 && *runs >= 100_000 {
			t.Errorf("%s no longer reads otherwise: %s", d.rival, d.why)
		}
	}
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.Intn(len(list))] }

package schema

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestCache(t *testing.T) {
	var c Cache
	doc := []byte(form8)
	first, _ := c.Compile(doc, Options{})
	if again, _ := c.Compile([]byte(form8), Options{}); again != first {
		t.Error("the same bytes were compiled twice")
	}
	if other, _ := c.Compile([]byte(form8+" "), Options{}); other == first {
		t.Error("other bytes share a form")
	}
	if other, _ := c.Compile(doc, Options{Limits: Limits{Text: 9}}); other == first {
		t.Error("other options share a form")
	}
	if form, problems := c.Compile(doc, Options{Profile: Strict20251125}); form != nil || problems == nil {
		t.Error("a strict profile was served from the tolerant one")
	}
	clear(doc) // the caller may overwrite its bytes
	if again, _ := c.Compile([]byte(form8), Options{}); again != first {
		t.Error("the cache holds the bytes of its caller")
	}
	same := strings.Replace(form8, "Tell us", "Tell me", 1)
	if other, _ := c.Compile([]byte(same), Options{}); other == first || !strings.HasPrefix(other.Help, "Tell me") {
		t.Error("a schema of the same length was taken for another")
	}
}

// TestCacheIsBounded checks the most entries and bytes kept, and that entries in use stay.
func TestCacheIsBounded(t *testing.T) {
	var c Cache
	used, _ := c.Compile([]byte(form8), Options{})
	for i := range 500 {
		pad := strings.Repeat(" ", i%5*20_000)
		c.Compile([]byte(fmt.Sprintf(`{"type":"object","properties":{"f%d":{"type":"string"}}}%s`, i, pad)),
			Options{Limits: Limits{Bytes: 1 << 20}})
		if form, _ := c.Compile([]byte(form8), Options{}); form != used {
			t.Fatalf("after %d others the schema in use was dropped", i)
		}
		total := 0
		for _, e := range c.list {
			total += len(e.schema)
		}
		if len(c.list) > maxCached || total > maxCachedBytes || total != c.bytes {
			t.Fatalf("%d entries of %d bytes, counted %d", len(c.list), total, c.bytes)
		}
	}
	if len(c.list) < 5 {
		t.Errorf("only %d entries are left", len(c.list))
	}
	huge := `{"type":"object","properties":{}}` + strings.Repeat(" ", maxCachedBytes)
	if form, _ := c.Compile([]byte(huge), Options{Limits: Limits{Bytes: 1 << 20}}); form == nil || len(c.list) < 5 {
		t.Error("one large schema emptied the cache")
	}
}

// TestCacheCounts checks that many small forms do not fill the memory.
func TestCacheCounts(t *testing.T) {
	var c Cache
	const most = 32
	for i := range 2 * most {
		c.Compile([]byte(fmt.Sprintf(`{"type":"object","properties":{"f%d":{"type":"string"}}}`, i)), Options{})
		if want := min(i+1, most); len(c.list) != want {
			t.Fatalf("%d entries after %d forms, want %d", len(c.list), i+1, want)
		}
	}
}

// TestCompileKeepsNoBytes checks that a form does not change with the bytes of its schema, however long it is.
func TestCompileKeepsNoBytes(t *testing.T) {
	for more := range 2 {
		doc := []byte(form8)
		form, problems := Compile(doc, Options{Limits: Limits{Bytes: len(doc) + more}})
		want := string(form.AppendJSON(nil))
		clear(doc)
		if got := string(form.AppendJSON(nil)); problems != nil || got != want {
			t.Errorf("with room for %d more bytes, the form became %s", more, got)
		}
	}
}

// TestLimits checks the defaults, and that no option raises the last bounds.
func TestLimits(t *testing.T) {
	for most, want := range map[int]Limits{0: {65_536, 32, 100, 1_000, 65_536}, 1: {1, 1, 1, 1, 1},
		math.MaxInt: {1_073_741_824, math.MaxInt, 512, 10_000, math.MaxInt}} {
		if got := (Limits{most, most, most, most, most}).WithDefaults(); got != want {
			t.Errorf("%d: %+v, want %+v", most, got, want)
		}
	}
}

func BenchmarkCompileAgain(b *testing.B) {
	var c Cache
	for i := range maxCached - 1 {
		c.Compile([]byte(fmt.Sprintf(`{"type":"object","properties":{"f%d":{"type":"string"}}}`, i)), Options{})
	}
	doc := []byte(form8)
	b.ReportAllocs()
	for b.Loop() {
		if f, _ := c.Compile(doc, Options{}); f == nil {
			b.Fatal("refused")
		}
	}
}

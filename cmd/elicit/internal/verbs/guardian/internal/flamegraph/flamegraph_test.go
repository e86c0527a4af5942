package flamegraph

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestSVG holds that the picture is XML whatever functions are called, and shows each with what it took.
func TestSVG(t *testing.T) {
	root := &Frame{Name: "all", Calls: []*Frame{
		{Name: "evaluate<T>&\"x\u202e\x1b", Own: 600, Calls: []*Frame{{Name: "json::end", Own: 300}}},
		{Name: "alloc", Own: 100},
		{Name: "too narrow to be seen", Own: 0},
	}}
	var out, again bytes.Buffer
	if err := SVG(&out, "fuel of <hosts>", "fuel", root); err != nil {
		t.Fatal(err)
	}
	_ = SVG(&again, "fuel of <hosts>", "fuel", root)
	if !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Error("the same tree gives another picture")
	}
	text := out.String()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	for _, want := range []string{
		`aria-label="fuel of &lt;hosts&gt;"`, `<title>all: 1000 fuel, 100.00%; 0 by itself</title>`,
		`<title>json::end: 300 fuel, 30.00%; 300 by itself</title><rect x="0.00" y="70" width="360.00"`,
		`<title>alloc: 100 fuel, 10.00%; 100 by itself</title><rect x="1080.00" y="52" width="120.00"`,
		"evaluate&lt;T&gt;&amp;&quot;x\ufffd\ufffd"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "narrow") || strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("it shows what it must not:\n%s", text)
	}
	if err := SVG(io.Discard, "", "fuel", &Frame{}); err != nil {
		t.Error(err)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		name    string
		letters int
		want    string
	}{{"ab", 2, "ab"}, {"abcdef", 4, "abc…"}, {"abcdef", 2, ""}, {"", 0, ""}, {"äöü", 3, "äöü"}} {
		if got := fit(c.name, c.letters); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.name, c.letters, got, c.want)
		}
	}
}

// Package flamegraph draws a flame graph: a picture in SVG, without scripts, of the cost of functions. Each function is
// as wide as its cost with that of the functions it called, and it lies below its caller.
//
//	err := flamegraph.SVG(os.Stdout, "Fuel of links", "fuel", root)
package flamegraph

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"unicode/utf8"
)

// Frame is a function at one place of the tree of calls. Own is its cost without that of its calls.
type Frame struct {
	Name  string
	Own   int64
	Calls []*Frame
}

// Total returns the cost of a frame with all frames below it.
func (f *Frame) Total() int64 {
	sum := f.Own
	for _, c := range f.Calls {
		sum += c.Total()
	}
	return sum
}

const (
	width     = 1200.0
	row       = 18
	header    = 34
	letter    = 6.6 // about the width of a letter in the 11 pixel typeface
	narrowest = 0.5 // pixels; narrower frames are not drawn
)

// SVG writes the picture of a tree. unit names the unit of the cost, such as "fuel". The same tree gives the same
// bytes. The error is that of w.
func SVG(w io.Writer, title, unit string, root *Frame) error {
	p := picture{unit: unit, whole: root.Total()}
	p.measure(root, 0, width)
	height := header + (p.deepest+1)*row + 8
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %d" width="%g" height="%d" `+
		`role="img" aria-label="%s">`+"\n",
		width, height, width, height, quoted(title))
	p.printf("<style>text{font:11px ui-monospace,monospace;fill:#1b1b1b}" +
		".t{font-size:13px}rect{stroke:#fff;stroke-width:.5}</style>\n")
	p.printf(`<rect width="100%%" height="100%%" fill="#fff"/>` + "\n")
	p.printf(`<text class="t" x="8" y="20">%s</text>`+"\n", quoted(title))
	p.draw(root, 0, 0, width)
	p.printf("</svg>\n")
	_, err := io.WriteString(w, p.text.String())
	return err
}

type picture struct {
	text    strings.Builder
	unit    string
	whole   int64
	deepest int
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.text, format, args...) }

// measure finds the deepest frame that is drawn.
func (p *picture) measure(f *Frame, depth int, wide float64) {
	if wide < narrowest {
		return
	}
	p.deepest = max(p.deepest, depth)
	for _, c := range f.Calls {
		p.measure(c, depth+1, p.wide(c))
	}
}

func (p *picture) wide(f *Frame) float64 {
	return width * float64(f.Total()) / float64(max(p.whole, 1))
}

// draw draws a frame with its callers above it and its calls below.
func (p *picture) draw(f *Frame, depth int, x, wide float64) {
	if wide < narrowest {
		return
	}
	y := header + depth*row
	share := 100 * float64(f.Total()) / float64(max(p.whole, 1))
	p.printf(`<g><title>%s: %d %s, %.2f%%; %d by itself</title><rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"/>`,
		quoted(f.Name), f.Total(), p.unit, share, f.Own, x, y, wide, row-1, colour(f.Name))
	if label := fit(f.Name, int((wide-6)/letter)); label != "" {
		p.printf(`<text x="%.2f" y="%d">%s</text>`, x+3, y+13, quoted(label))
	}
	p.printf("</g>\n")
	for _, c := range f.Calls {
		of := p.wide(c)
		p.draw(c, depth+1, x, of)
		x += of
	}
}

// fit shortens a name to so many letters; it returns "" when fewer than three fit.
func fit(name string, letters int) string {
	if utf8.RuneCountInString(name) <= letters {
		return name
	}
	if letters < 3 {
		return ""
	}
	return string([]rune(name)[:letters-1]) + "…"
}

// colour returns a light colour, always the same for a name.
func colour(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("hsl(%d 75%% %d%%)", 10+h.Sum32()%45, 68+h.Sum32()>>8%14)
}

// quoted escapes a text for an element or an attribute. It replaces characters that XML forbids or that nobody sees.
func quoted(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '&':
			out.WriteString("&amp;")
		case r == '"':
			out.WriteString("&quot;")
		case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff, r >= 0x200b && r <= 0x200f,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			out.WriteRune(0xfffd)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

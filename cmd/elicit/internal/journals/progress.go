package journals

import (
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// A reading that takes longer than patience shows how far it is, and from then on at most once in redraw.
const (
	patience = time.Second
	redraw   = 100 * time.Millisecond
)

// readingProgress tells a person how much of a file has been read.
type readingProgress struct {
	to    io.Writer
	name  string
	whole int64 // bytes to read
	now   func() time.Time
}

// ShowProgress makes the lines of a journal show on stderr how much of it has been read. It does nothing if stderr is
// no terminal or the journal is no file.
func (in *Input) ShowProgress(stderr io.Writer) {
	screen, ok := stderr.(*os.File)
	file, isFile := in.File.(*os.File)
	if !ok || !isFile || !term.IsTerminal(screen.Fd()) {
		return
	}
	if stat, err := file.Stat(); err == nil && stat.Mode().IsRegular() {
		in.Lines = readingProgress{stderr, in.Name, max(1, stat.Size()), time.Now}.lines(in.Lines)
	}
}

// lines returns the lines unchanged, and clears what it showed when they end.
func (p readingProgress) lines(lines iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var read, records int64
		next, drawn := p.now().Add(patience), false
		defer func() {
			if drawn {
				fmt.Fprint(p.to, "\r"+ansi.EraseEntireLine)
			}
		}()
		for line := range lines {
			if !yield(line) {
				return
			}
			read, records = read+int64(len(line)), records+1
			if now := p.now(); !now.Before(next) {
				fmt.Fprintf(p.to, "\r%s%3d %% of %s, %d records", ansi.EraseEntireLine, 100*read/p.whole, p.name, records)
				next, drawn = now.Add(redraw), true
			}
		}
	}
}

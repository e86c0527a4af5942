// Package logpage writes journals as one HTML file that a browser can open without a network.
//
// Everything that comes from a journal stands in the file as gzip in base64. So no text of a peer can become markup.
// The Content-Security-Policy of the page allows its own style and its own script, and no connection to anywhere.
//
//	p := logpage.New(logpage.About{Made: now})
//	p.Begin("elicit.journal")
//	p.Record(1, line)
//	p.Entry(logpage.Entry{Seq: 1, Line: "configured"})
//	p.End(logpage.Journal{Records: 1, Head: head})
//	err := p.Write(file, nil)
package logpage

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// MaxEntries bounds the entries of a page. Firefox draws no element that is much higher than the list of so many.
const MaxEntries = 300_000

// About is what holds for the whole page.
type About struct {
	Made    time.Time
	UTC     bool     // times are drawn in UTC, not in the zone of the reader
	Filters []string // the flags that chose the questions; nil for none
	Version string   // of the command
}

// Entry is a record in words. Question is the number of the question that it is about, -1 for none.
type Entry struct {
	Seq, At  int64
	Question int
	Line     string
	Lines    []Line
}

// Line is a line below the entry's own: the number of its question, and its text.
type Line [2]any

// Question is what the records tell of a question. Times are milliseconds since 1970, 0 for never.
type Question struct {
	ID       int    `json:"id"`
	Seq      int64  `json:"seq"`
	Asked    int64  `json:"asked"`
	Drawn    int64  `json:"drawn,omitempty"`
	Ended    int64  `json:"ended,omitempty"`
	Server   string `json:"server"`
	Tool     string `json:"tool,omitempty"`
	Message  string `json:"message"`
	Outcome  string `json:"outcome,omitempty"`
	Cause    string `json:"cause,omitempty"` // a code
	Why      string `json:"why,omitempty"`   // the cause as a sentence
	Severity string `json:"severity,omitempty"`
}

// Journal is what the command found at the end of a journal.
type Journal struct {
	Name    string `json:"name"`
	Records int64  `json:"records"` // that hold, also those that the filters left out
	Head    string `json:"head"`
	Ended   bool   `json:"ended"`
	Keyed   string `json:"keyed,omitempty"`   // a sentence about the codes of a keyed journal
	Problem string `json:"problem,omitempty"` // why reading stopped before the end
}

// Page collects the content of a page. Its methods are called in the order of the file: Begin, any of Record, Entry
// and Question, then End, for each journal.
type Page struct {
	about   About
	name    string
	words   *packed
	records *packed
	whole   []*packed
	held    map[int64][]byte // records of a page with filters, whose order is that of their questions
	entries int
	large   []string // journals that the engine of a page does not take
}

// maxReplay is the most bytes that the engine of a page takes: the journal as a JSON text, {"journal_text":"…"}. The
// script of the page has the same number.
const maxReplay = 4 << 20

// New begins a page.
func New(about About) *Page {
	p := &Page{about: about, words: newPacked()}
	p.say("page", map[string]any{"made": about.Made.UnixMilli(), "utc": about.UTC, "filters": about.Filters,
		"version": about.Version})
	return p
}

// Begin begins a journal.
func (p *Page) Begin(name string) {
	p.name, p.records, p.held = name, newPacked(), map[int64][]byte{}
}

// Record keeps the line of a record, with its newline. The same record may be given again.
func (p *Page) Record(seq int64, line []byte) {
	if p.about.Filters == nil {
		p.records.write(line)
	} else if p.held[seq] == nil {
		p.held[seq] = bytes.Clone(line)
	}
}

// Entry keeps a record in words.
func (p *Page) Entry(e Entry) {
	p.entries++
	p.say("entry", e.Seq, e.At, e.Question, e.Line, append([]Line{}, e.Lines...))
}

// Question keeps what is known of a question.
func (p *Page) Question(q Question) { p.say("question", q) }

// End ends a journal.
func (p *Page) End(j Journal) {
	j.Name = p.name
	for _, seq := range slices.Sorted(maps.Keys(p.held)) {
		p.records.write(p.held[seq])
	}
	if p.records.quoted+len(`{"journal_text":""}`) > maxReplay {
		p.large = append(p.large, p.name)
	}
	p.whole = append(p.whole, p.records)
	p.say("journal", j)
}

// TooLarge names the journals that the page cannot replay, because its engine reads no text of their size.
func (p *Page) TooLarge() []string { return p.large }

// Full reports whether the page holds as many entries as a browser can show.
func (p *Page) Full() bool { return p.entries >= MaxEntries }

// Journals is the number of journals that have ended.
func (p *Page) Journals() int { return len(p.whole) }

// Entries is the number of entries so far.
func (p *Page) Entries() int { return p.entries }

// say adds a line of JSON: ["kind", members…].
func (p *Page) say(kind string, members ...any) {
	text, err := json.Marshal(append([]any{kind}, members...))
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	p.words.write(append(text, '\n'))
}

// packed is a text that is compressed while it grows.
type packed struct {
	to     bytes.Buffer
	zip    *gzip.Writer
	quoted int // bytes of the text inside a JSON string
}

func newPacked() *packed {
	p := &packed{}
	p.zip = gzip.NewWriter(&p.to)
	return p
}

func (p *packed) write(text []byte) {
	_, _ = p.zip.Write(text) // a buffer takes everything
	for _, b := range text {
		switch {
		case b == '"', b == '\\', b == '\n', b == '\r', b == '\t', b == '\b', b == '\f':
			p.quoted += 2
		case b < ' ':
			p.quoted += len(`\u0000`)
		default:
			p.quoted++
		}
	}
}

func (p *packed) bytes() []byte {
	_ = p.zip.Close()
	return p.to.Bytes()
}

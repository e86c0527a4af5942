package host

import (
	"bytes"
	"strings"
)

// Level says how much a line of a guest's log matters.
type Level uint8

// The levels, as the guest numbers them. A higher number is Error.
const (
	Debug Level = iota
	Info
	Warn
	Error
)

// String is the level as people read it.
func (l Level) String() string { return [...]string{"debug", "info", "warn", "error"}[min(l, Error)] }

// Line is one line of a guest's log. It is a guest's word, told to people and to nothing that decides.
type Line struct {
	Level Level
	Text  string
}

// Limits of a log.
const (
	maxLine  = 1 << 10 // bytes; the rest of a line is dropped
	maxLines = 32      // the rest is dropped
)

// log collects lines. A program writes to its standard streams in pieces, which are cut at line ends.
type log struct {
	lines   []Line
	streams [2][]byte // standard output and standard error, up to the last line end
}

func (l *log) add(level uint32, text []byte) {
	if len(l.lines) < maxLines {
		text = text[:min(len(text), maxLine)]
		l.lines = append(l.lines, Line{Level(min(level, uint32(Error))), strings.ToValidUTF8(string(text), "\ufffd")})
	}
}

// write adds a piece of a stream.
func (l *log) write(stream int, piece []byte) {
	for len(l.lines) < maxLines {
		line, rest, whole := bytes.Cut(piece, []byte{'\n'})
		kept := &l.streams[stream]
		*kept = append(*kept, line[:min(len(line), maxLine-len(*kept))]...)
		if !whole {
			return
		}
		l.end(stream)
		piece = rest
	}
}

func (l *log) end(stream int) {
	l.add(uint32(Info)+uint32(stream), l.streams[stream])
	l.streams[stream] = l.streams[stream][:0]
}

// flush ends lines that have no end.
func (l *log) flush() {
	for stream := range l.streams {
		if len(l.streams[stream]) > 0 {
			l.end(stream)
		}
	}
}

// said answers elicit_guardian_v1.log. A line that is not in the guest's memory is dropped.
func (l *log) said(m memory, level, ptr, n uint32) {
	if text := m.at(ptr, n); text != nil {
		l.add(level, text)
	}
}

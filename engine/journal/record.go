// Package journal writes and reads the record of a run: one line of JSON for every input, bound to the line before it
// by a hash. History, audit, crash recovery, bug reports and golden tests all use this one file.
//
// A record has the input (time, random bytes, event) and its effects. It never has values that the person typed into
// sensitive fields, because the engine withholds them before it makes a record. The chain reveals every change, cut or
// swap of records. It does not reveal the loss of whole records at the end, or a newly made chain. To notice
// those, keep the last hash elsewhere, or key the journal (see SplitMAC).
//
// A line of format 2, broken here for reading:
//
//	{"v":2,"seq":3,"at":2000,"random":"64 hex digits","event":{"event":"asked",…},"effects":[{"effect":"show",…}],
//	 "sum":"SHA-256 of all effects in full","prev":"hash of line 2","hash":"SHA-256 of this line up to here"}
//
// The hash covers the bytes from the brace to the end of prev, so a line has one spelling, and nothing of it can be
// written in another way. The member mac of a keyed journal stands behind the hash and is not covered.
//
// Package engine makes the events and effects, a host keeps the lines, and this package knows neither. Append writes a
// line, Read reads one, Chain reads many, and Last finds the end of a chain to go on from. Files: record.go, reader.go,
// member.go, mac.go.
package journal

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// Version is the newest number of the record format, which stands first in every record. Format 1 called the member
// "random" "dice". Format 3 is spelled like format 2, and has a decision that format 2 had otherwise: see
// docs/reference/abi.md. All formats are read and replayed. A journal may have records of several formats.
const Version = 3

// usual is the format of a record without such a decision.
const usual = 2

// MaxRecord is the most bytes of one record. Readers refuse longer lines. A record reaches this size if all texts have
// the engine's limits and every character has to be escaped. It also bounds the work of a reader whose file somebody
// has filled with one endless line.
const MaxRecord = 8 << 20

// Head is the end of a chain: its number of records and the hash of the last one. The zero value begins a chain. Seq
// counts from 1, so the zero value has no record before it.
type Head struct {
	Seq  int64
	Hash [digest.Size]byte
}

// Record is one line of a journal. Event and Effects are raw JSON. Append computes Seq from the head and reads nothing
// of it here. Read sets all members but MAC, which Chain and Last set.
type Record struct {
	Version int // of the record's format; 0 means 2
	Seq     int64
	At      int64
	Now     int64 // what deadlines followed, 0 for At
	Random  [32]byte
	Event   []byte
	Effects []byte // the effects of the event, shortened for reading
	Sum     string // hex SHA-256 of the complete effects without sensitive values
	MAC     string // in a keyed journal: the hex digits of the line's code, which was not checked
}

// Append appends the record that follows head as one line without its newline, and returns the new head. Event and
// Effects must be JSON without a line break, and Sum 64 hex digits. Append checks none of that: its caller is the
// engine. dst may have bytes before the record.
func Append(dst []byte, head Head, r Record) ([]byte, Head) {
	dst = slices.Grow(dst, len(r.Event)+len(r.Effects)+aroundRecord)
	start := len(dst)
	dst = append(dst, `{"v":`...)
	version := cmp.Or(r.Version, usual)
	dst = strconv.AppendInt(dst, int64(version), 10)
	dst = append(dst, `,"seq":`...)
	dst = strconv.AppendInt(dst, head.Seq+1, 10)
	dst = append(dst, `,"at":`...)
	dst = strconv.AppendInt(dst, r.At, 10)
	if r.Now != 0 {
		dst = append(dst, `,"now":`...)
		dst = strconv.AppendInt(dst, r.Now, 10)
	}
	dst = append(append(append(dst, ',', '"'), memberNames[randomAt(version)]...), '"', ':', '"')
	dst = digest.AppendHex(dst, r.Random[:])
	dst = append(dst, `","event":`...)
	dst = append(dst, r.Event...)
	dst = append(dst, `,"effects":`...)
	dst = append(dst, r.Effects...)
	dst = append(dst, `,"sum":"`...)
	dst = append(dst, r.Sum...)
	dst = append(dst, `","prev":"`...)
	dst = digest.AppendHex(dst, head.Hash[:])
	dst = append(dst, '"')
	// The brace that closes the record is not in yet. It comes after the hash, which cannot cover itself.
	next := Head{Seq: head.Seq + 1, Hash: digest.Sum256(dst[start:])}
	dst = append(dst, hashMember...)
	dst = digest.AppendHex(dst, next.Hash[:])
	return append(dst, '"', '}'), next
}

// aroundRecord is room for everything of a record but its event and its effects.
const aroundRecord = 512

const (
	hashMember = `,"hash":"`
	tailLen    = len(hashMember) + 2*digest.Size + len(`"}`)
)

// Read reads one line, without its newline, that must follow head. The record's Event and Effects alias the line. The
// problem has one of the codes journal_cut, journal_unreadable, journal_version, journal_gap, journal_edited or
// journal_unchained.
func Read(line []byte, head Head) (Record, Head, *elicit.Problem) {
	fail := func(code string, args ...elicit.Arg) (Record, Head, *elicit.Problem) {
		args = append([]elicit.Arg{elicit.Num("record", int(head.Seq+1))}, args...)
		return Record{}, head, &elicit.Problem{Code: code, Args: args}
	}
	// One pass over a hostile line: syntax, depth, UTF-8 and the places of the members.
	m, f := membersOf(line)
	if f != nil {
		// A process that died in the middle of a write leaves such a line at the end. A host cuts it off and goes on.
		if f.Code == "json_truncated" || f.Code == "json_empty" {
			return fail("journal_cut")
		}
		return fail("journal_unreadable", elicit.Str("fault", f.Code), elicit.Num("offset", f.Start))
	}
	// The hash must be the last member and spelled as Append spells it, or the bytes before it could not be told.
	if len(line) < tailLen || string(line[len(line)-tailLen:len(line)-tailLen+len(hashMember)]) != hashMember {
		return fail("journal_unreadable", elicit.Str("fault", "no_hash"), elicit.Num("offset", 0))
	}
	// Before the hash: a later format may compute it otherwise, and "unknown version" is then the true reason.
	version := int(m.number(atVersion))
	if v := string(m[atVersion]); version < 1 || version > Version || v != strconv.Itoa(version) {
		return fail("journal_version", elicit.Str("found", v[:min(32, len(v))]), elicit.Num("known", Version))
	}
	// Three checks, three different findings: a changed line, a missing or repeated line, and a line of another chain.
	next := Head{Seq: head.Seq + 1, Hash: digest.Sum256(line[:len(line)-tailLen])}
	if !m.isHash(atHash, next.Hash) {
		return fail("journal_edited")
	}
	if seq := m.number(atSeq); seq != next.Seq {
		return fail("journal_gap", elicit.Raw("found", strconv.FormatInt(seq, 10)))
	}
	if !m.isHash(atPrev, head.Hash) {
		return fail("journal_unchained")
	}
	r := Record{Version: version, Seq: next.Seq, At: m.number(atTime), Now: m.number(atNow), Sum: m.text(atSum),
		Event: m[atEvent], Effects: m[atEffects]}
	if !digest.ReadHex(r.Random[:], m.text(randomAt(version))) {
		return fail("journal_unreadable", elicit.Str("fault", memberNames[randomAt(version)]), elicit.Num("offset", 0))
	}
	return r, next, nil
}

// Last reads a line of a journal, with its newline, without the lines before it, and returns the head after it. It is
// for a writer that goes on with a journal: a reader verifies the whole chain. ok is false for a line that is cut or
// changed, or no record. It believes the line: the hash proves that the line is whole and unchanged, and nothing about
// the lines before it. An attacker who writes the file can make such a line, which only a keyed journal shows.
func Last(line []byte) (rec Record, head Head, ok bool) {
	line, whole := bytes.CutSuffix(line, []byte{'\n'})
	line, mac := SplitMAC(line)
	m, fault := membersOf(line)
	before := Head{Seq: m.number(atSeq) - 1}
	if !whole || fault != nil || before.Seq < 0 || !digest.ReadHex(before.Hash[:], m.text(atPrev)) {
		return Record{}, Head{}, false
	}
	rec, head, problem := Read(line, before)
	rec.MAC = string(mac)
	return rec, head, problem == nil
}

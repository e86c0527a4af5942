package journal

import (
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// members are the raw values of one record, which alias its line. A missing member is nil.
type members [memberCount][]byte

const (
	atVersion = iota
	atSeq
	atTime
	atNow
	atRandom1 // in format 1
	atRandom
	atEvent
	atEffects
	atSum
	atPrev
	atHash
	memberCount
)

var memberNames = [memberCount]string{"v", "seq", "at", "now", "dice", "random", "event", "effects", "sum",
	"prev", "hash"}

// randomAt is the place of the random bytes among the members of a format.
func randomAt(version int) int {
	if version == 1 {
		return atRandom1
	}
	return atRandom
}

// membersOf passes one line through the gate and splits it in the same pass. Of a member that stands twice the gate
// makes a fault, so no two readers can see two values. The depth has room for the deepest event. Unknown members are no
// fault here: the hash covers them, and no engine writes any.
func membersOf(line []byte) (m members, fault *jsontext.Fault) {
	var s jsontext.Scanner
	s.Reset(line, jsontext.Limits{Bytes: MaxRecord, Depth: 140})
	if s.Peek() != jsontext.KindObject {
		s.Skip()
	} else {
		for s.Enter(); s.More(); {
			key := s.Key()
			raw := s.Skip()
			for i, name := range memberNames {
				if key.Equal(name) {
					m[i] = raw
				}
			}
		}
	}
	s.End()
	return m, s.Fault()
}

// 0 for what is no integer. The callers then find that the number does not fit: no record has seq 0, and format 0 is
// unknown.
func (m *members) number(i int) int64 {
	if len(m[i]) == 0 || m[i][0] != '-' && (m[i][0] < '0' || m[i][0] > '9') {
		return 0
	}
	n, _ := jsontext.Number{Raw: m[i]}.Int()
	return n
}

// text is "" for a member that is missing or no string. The result is a copy.
func (m *members) text(i int) string {
	if len(m[i]) == 0 || m[i][0] != '"' {
		return ""
	}
	var s jsontext.Scanner
	s.Reset(m[i], jsontext.Limits{Bytes: MaxRecord})
	return s.Text().String()
}

// isHash compares without decoding, because a record has only one spelling.
func (m *members) isHash(i int, hash [32]byte) bool {
	var want [2 + 2*len(hash)]byte
	return string(m[i]) == string(append(digest.AppendHex(append(want[:0], '"'), hash[:]), '"'))
}

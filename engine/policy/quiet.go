package policy

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// quiet is the hours in which a layer lets no one be asked. Minutes count from midnight in the person's time zone. If
// from is after to, the hours span midnight. If both are equal, the whole day is quiet. The offset is fixed, because
// the engine has no table of time zones. A file for a place with summer time is wrong by an hour for a part of the
// year, unless its author changes it.
type quiet struct {
	from, to int
	offset   int // minutes east of UTC
	then     Outcome
	reason   elicit.Reason
}

const day = 24 * 60

// LooksAtTime reports whether some layer has quiet hours. Otherwise Facts.At changes no decision.
func (s Stack) LooksAtTime() bool {
	return slices.ContainsFunc(s.layers, func(p ranked) bool { return p.quiet != nil })
}

// at reports whether a time in milliseconds since 1970 is in the quiet hours. The first minute is quiet, the last is
// not.
func (q *quiet) at(ms int64) bool {
	// The second addition keeps the result positive for times before 1970 and for negative offsets.
	minute := int(((ms/60_000+int64(q.offset))%day + day) % day)
	if q.from < q.to {
		return minute >= q.from && minute < q.to
	}
	return minute >= q.from || minute < q.to
}

// applyQuiet spares the person in the quiet hours of any layer. Requests that ask no one go on. Like barAsking it looks
// at every opinion: a cancel, which is looser than decline, must not hide an ask. declines stands for an ask that
// replaces a decline (DeclinesUnasked): nobody can be asked now, so it declines again. A review counts as an ask here.
func (t *tally) applyQuiet(s *Stack) {
	if t.facts.At == 0 || max(t.asked, t.askedAbove) == 0 || t.outcome == Accept || t.outcome == Decline {
		return
	}
	declines := DeclinesUnasked(t.reasons)
	for i := range s.layers {
		q := s.layers[i].quiet
		switch {
		case q == nil || !q.at(t.facts.At):
		case declines:
			t.tighten(Decline, t.say(q.reason))
		default:
			t.tighten(q.then, t.say(q.reason))
		}
	}
}

// quiet reads {"from","to","offset","then"?}. If the hours cannot be read, the whole day is quiet.
func (p *parser) quiet(v gjson.Result) {
	q := &quiet{then: Cancel}
	p.policy.quiet = q
	args := make([]elicit.Arg, 0, 3)
	readable := v.IsObject()
	if !readable {
		p.wrongType(v, "object")
		v = gjson.Result{}
	}
	var seen []string
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		ok := true
		switch key := k.String(); key {
		case "from":
			q.from, ok = p.clock(v)
		case "to":
			q.to, ok = p.clock(v)
		case "offset":
			q.offset, ok = p.offset(v)
		case "then":
			word, known := p.word(v, quietWords...)
			if !known || word == "decline" {
				q.then = Decline
			}
		default:
			p.unknownKey(v)
			return true
		}
		if seen = append(seen, k.String()); k.String() != "then" && ok {
			args = append(args, elicit.Str(k.String(), v.String()))
		}
		readable = readable && ok
		return true
	})
	for _, key := range quietKeys[:3] {
		if v.IsObject() && !slices.Contains(seen, key) {
			p.missing(v, key)
			readable = false
		}
	}
	if !readable {
		// Equal ends make the whole day quiet (at).
		q.from, q.to, q.then, args = 0, 0, Decline, nil
	}
	q.reason = elicit.Reason{Code: codeQuiet, Layer: p.policy.layer.String(), Args: args}
}

// clock reads a time of day, "00:00" to "23:59", in minutes.
func (p *parser) clock(v gjson.Result) (int, bool) {
	s := v.Str
	if v.Type == gjson.String && len(s) == 5 && s[2] == ':' {
		hour, ok := two(s[:2], 23)
		minute, fine := two(s[3:], 59)
		if ok && fine {
			return hour*60 + minute, true
		}
	}
	p.unknownValue(v, "a time such as 22:00")
	return 0, false
}

// offset reads "Z", or "+hh:mm" or "-hh:mm" up to 14:59, in minutes.
func (p *parser) offset(v gjson.Result) (int, bool) {
	s := v.Str
	if v.Type == gjson.String && s == "Z" {
		return 0, true
	}
	if v.Type == gjson.String && len(s) == 6 && s[3] == ':' && (s[0] == '+' || s[0] == '-') {
		hour, ok := two(s[1:3], 14)
		minute, fine := two(s[4:], 59)
		if ok && fine {
			sign := 1
			if s[0] == '-' {
				sign = -1
			}
			return sign * (hour*60 + minute), true
		}
	}
	p.unknownValue(v, "Z", "an offset such as +01:00")
	return 0, false
}

// two reads two digits. s has exactly two bytes.
func two(s string, most uint64) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 8) // it takes no sign, blank or underscore
	return int(n), err == nil && n <= most
}

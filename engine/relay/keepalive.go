package relay

import (
	"math"
	"strconv"

	"github.com/elicit-engine/elicit/engine/wire"
)

// pulse is what a client that asked for progress of a call has been told of it. Clients give a call up after a minute
// or so, and a person may need longer; many start that minute again with every sign of progress.
type pulse struct {
	token []byte  // the client's own, raw; nil when it asked for no progress, and then it never gets any
	heard bool    // the server has said how far it is
	last  float64 // the greatest number that the server has said
	total []byte  // said with it, raw; empty for none
	beats int     // our own numbers since
	said  float64 // the latest of them
}

// nudge is how far, by parts of its size, our numbers may go beyond the server's last one. Progress has to increase, so
// they have to stay below the next one that the server says.
const nudge = 1e-6

// maxTotal bounds what is remembered of a number that may have as many digits as a message has room for.
const maxTotal = 32

// heard notes how far the server says that it is with a call.
func (m *Machine) heard(msg *message) {
	if !wire.ValidID(msg.progressToken) {
		return
	}
	if k := m.calls.byToken[keyOf(msg.progressToken)]; k != nil {
		k.pulse.hear(msg.progress, msg.total)
	}
}

// hear notes how far the server says that it is.
func (u *pulse) hear(progress, total []byte) {
	n, err := strconv.ParseFloat(string(progress), 64)
	if err != nil || u.heard && n <= u.last {
		return
	}
	u.heard, u.last, u.beats, u.total = true, n, 0, u.total[:0]
	if wire.TypeOf(total) == wire.Number && len(total) <= maxTotal {
		u.total = append(u.total, total...)
	}
}

// beat is the next sign of progress; nil when no number is left. It comes ever closer to the last number plus a nudge.
// Before the server has said any number it comes closer to 0 from below, because 0 is what servers like to begin with.
func (u *pulse) beat() []byte {
	u.beats++
	n := float64(u.beats)
	next := -nudge / n
	if u.heard {
		next = u.last + nudge*max(1, math.Abs(u.last))*n/(n+1)
	}
	if u.said != 0 && next <= u.said {
		next = math.Nextafter(u.said, math.Inf(1))
	}
	text := number(next)
	if text == nil {
		return nil
	}
	u.said = next
	params := append(append([]byte(`{"progressToken":`), u.token...), `,"progress":`...)
	params = append(params, text...)
	if len(u.total) > 0 {
		params = append(append(params, `,"total":`...), u.total...)
	}
	return wire.AppendNotification(nil, methodProgress.String(), append(params, '}'))
}

// keepAlive sees to it that calls which wait for somebody show signs of life, from one interval after now.
func (m *Machine) keepAlive() {
	if m.config.KeepAlive > 0 && !m.beating {
		m.beating = true
		m.after(m.config.KeepAlive, m.beat)
	}
}

// beat gives a sign of life for every call that waits, and comes again as long as there is one.
func (m *Machine) beat() {
	m.beating = false
	if m.ending.begun || m.ending.silent {
		return
	}
	for _, k := range m.waiting() {
		m.keepAlive()
		if sign := k.pulse.beat(); sign != nil {
			// It was due before the message of this step, and a progress of the server that passes behind it must be higher.
			m.pass = append(m.pass, Send{To: Client, Message: sign})
		}
	}
}

// waiting lists every call with a token that waits for an answer rather than for the server: it is in our hands, or one
// of its questions is open. A question that may belong to any of several tool calls counts for each that was made
// before it.
func (m *Machine) waiting() (list []*call) {
	if len(m.calls.byToken) == 0 {
		return nil
	}
	parents, stray := map[string]bool{}, -1
	for _, q := range m.questions {
		if q.request.Parent == "" {
			stray = max(stray, q.born)
		}
		parents[q.request.Parent] = true
	}
	for _, k := range m.calls.all() {
		if k.pulse.token != nil && (!k.atServer || k.pauses > 0 || k.parent != "" && parents[k.parent] ||
			k.method == methodToolsCall && k.born <= stray) {
			list = append(list, k)
		}
	}
	return list
}

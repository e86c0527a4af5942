package proxy

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/elicit-engine/elicit/engine/wire"
)

// pulse is what a client that asked for progress of a call has been told of it. Clients give a call up after a minute
// or so, and a person may need longer; many start that minute anew with every sign of progress.
type pulse struct {
	token []byte  // the client's own, raw; nil when it asked for no progress, and then it never hears any
	heard bool    // the server has said how far it is
	last  float64 // the greatest number the server has said
	total []byte  // said with it, raw; nil for none
	beats int     // our own numbers since
	said  float64 // the latest of them
}

const methodProgress = "notifications/progress"

// nudge is how far, by parts of its size, our numbers may go beyond the server's last one. Progress has to increase, so
// they have to stay below the next one it says.
const nudge = 1e-6

// maxTotal bounds what is remembered of a number that may have as many digits as a message has room for.
const maxTotal = 32

// readToken is the progress token in the params of a request, raw; nil for none.
func readToken(params wire.Object) []byte {
	meta, ok := params.Child("_meta")
	if !ok {
		return nil
	}
	token := meta.Get("progressToken")
	if !wire.ValidID(token) { // tokens are what ids are: text or integers
		return nil
	}
	return bytes.Clone(token)
}

// hear notes how far the server says it is.
func (u *pulse) hear(params wire.Object) {
	n, err := strconv.ParseFloat(string(params.Get("progress")), 64)
	if err != nil || u.heard && n <= u.last {
		return
	}
	u.heard, u.last, u.beats, u.total = true, n, 0, nil
	if total := params.Get("total"); wire.TypeOf(total) == wire.Number && len(total) <= maxTotal {
		u.total = bytes.Clone(total)
	}
}

// beat is the next sign of progress; nil when no number is left. It comes ever closer to the last number plus a nudge,
// and before the server has said any it comes closer to 0 from below, because 0 is what servers like to begin with.
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
	number, err := json.Marshal(next)
	if err != nil {
		return nil
	}
	u.said = next
	params := append(append([]byte(`{"progressToken":`), u.token...), `,"progress":`...)
	params = append(params, number...)
	if u.total != nil {
		params = append(append(params, `,"total":`...), u.total...)
	}
	return wire.AppendNotification(nil, methodProgress, append(params, '}'))
}

// keepAlive sees to it that calls which wait for somebody show signs of life, from one interval after now.
func (p *Proxy) keepAlive() {
	if p.o.KeepAlive > 0 && !p.beating {
		p.beating = true
		p.after(p.o.KeepAlive, p.beat)
	}
}

// beat gives a sign of life for every call that waits, and comes again as long as there is one. A client that does not
// read has signs enough.
func (p *Proxy) beat() {
	p.beating = false
	if p.ending.begun || p.ending.silent {
		return
	}
	busy := p.toClient.full(softBound)
	for _, k := range p.waiting() {
		p.keepAlive()
		if busy {
			continue
		}
		if sign := k.pulse.beat(); sign != nil {
			p.toClient.put(ended(sign))
		}
	}
}

// waiting is every call with a token that waits for an answer rather than for the server: it is in our hands, or one of
// its questions is open. A question that may belong to any of several tool calls counts for each that was there before it.
func (p *Proxy) waiting() (list []*call) {
	parents, stray := map[string]bool{}, -1
	for _, q := range p.questions {
		if q.request.Parent == "" {
			stray = max(stray, q.born)
		}
		parents[q.request.Parent] = true
	}
	for _, k := range p.calls.byToken {
		if k.serverID == nil || k.pauses > 0 || parents[k.key] || k.method == "tools/call" && k.born <= stray {
			list = append(list, k)
		}
	}
	return list
}

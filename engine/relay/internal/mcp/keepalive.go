package mcp

import (
	"math"
	"strconv"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// progress is the progress that a client was told about a call, if the client asked for it. Clients give a call up
// after about a minute, and a person may need longer. Many clients restart that minute at every progress notification.
//
// The numbers of one token must increase (MCP 2025-11-25, Progress), and the server sends its own. The machine sends
// numbers between two of the server's. said is the last of them, and 0 before the first.
type progress struct {
	token    []byte  // the client's own, raw; nil if it asked for no progress, and then it never gets any
	reported bool    // the server has reported progress
	last     float64 // the greatest number that the server has reported
	total    []byte  // the total reported with it, raw; empty for none
	signs    int     // notifications of the machine since then
	said     float64 // the number in the latest of them
}

// maxAhead is how far the machine's numbers may exceed the server's last one, as a fraction of it. Progress must
// increase, so the machine's numbers have to stay below the server's next one. A server that counts files goes from 3
// to 4, and the machine uses 3.0000015 and so on. A server with steps below the millionth part of its number may fall
// behind the machine. A client may then ignore that report.
const maxAhead = 1e-6

// maxTotal is the most bytes kept of a total, which may have as many digits as fit a message.
const maxTotal = 32

// signs are for the calls whose progress a client wants to hear of.
//
// due is true exactly while a timer of signProgress runs, so there is at most one.
type signs struct {
	tokens map[gate.Key]*call // open calls by the client's progress token
	due    bool               // a progress notification is scheduled
}

// watch notes the token of a call.
//
// A second call with the same token replaces the first, as in a client that reads tokens by a map.
func (l *signs) watch(k *call) {
	if k.progress.token != nil {
		l.tokens[gate.KeyOf(k.progress.token)] = k
	}
}

// forget forgets the token of a call.
func (l *signs) forget(k *call) {
	if k.progress.token == nil {
		return
	}
	if token := gate.KeyOf(k.progress.token); l.tokens[token] == k {
		delete(l.tokens, token)
	}
}

// report records the progress that the server reports for a call.
func (l *signs) report(msg *gate.Message) {
	if !wire.ValidID(msg.ProgressToken) {
		return
	}
	if k := l.tokens[gate.KeyOf(msg.ProgressToken)]; k != nil {
		k.progress.report(msg.Progress, msg.Total)
	}
}

// report records the progress that the server reports.
func (u *progress) report(progress, total []byte) {
	n, err := strconv.ParseFloat(string(progress), 64)
	if err != nil || u.reported && n <= u.last {
		return
	}
	u.reported, u.last, u.signs, u.total = true, n, 0, u.total[:0]
	if wire.TypeOf(total) == wire.Number && len(total) <= maxTotal {
		u.total = append(u.total, total...)
	}
}

// next returns the next progress notification of the machine, or nil if no number is left. The numbers approach the
// server's last number plus maxAhead of it. Before the server has reported a number, they approach 0 from below,
// because servers often begin with 0.
//
//	before a report   -1e-6, -5e-7, -3.3e-7, …          below the 0 with which servers begin
//	after a report n  n + 1e-6·max(1,|n|)·k/(k+1)       for the k-th sign since
func (u *progress) next() []byte {
	u.signs++
	n := float64(u.signs)
	next := -maxAhead / n
	if u.reported {
		next = u.last + maxAhead*max(1, math.Abs(u.last))*n/(n+1)
	}
	// A server may report 1 after a sign of -1e-6, and never a lower number. Rounding may still give an equal one.
	if u.said != 0 && next <= u.said {
		next = math.Nextafter(u.said, math.Inf(1))
	}
	text := number(next)
	if text == nil {
		return nil
	}
	u.said = next
	params := jsontext.Begin(nil)
	params.Raw("progressToken", u.token)
	params.Raw("progress", text)
	if len(u.total) > 0 {
		params.Raw("total", u.total)
	}
	return wire.AppendNotification(nil, nameOf(methodProgress), params.End())
}

// keepAlive schedules progress notifications for waiting calls. The first one comes after one interval.
func (c *conn) keepAlive() {
	if c.config.KeepAlive > 0 && !c.signs.due {
		c.signs.due = true
		c.Clock.After(c.config.KeepAlive, c.signProgress)
	}
}

// signProgress sends a progress notification for every waiting call. It repeats as long as there is one.
func (c *conn) signProgress() {
	c.signs.due = false
	if !c.Takes(nil) || len(c.signs.tokens) == 0 {
		return
	}
	for _, k := range waiting(c.Calls, c.calls.Questions()) {
		c.keepAlive()
		if sign := k.progress.next(); sign != nil {
			// It was due before this step's message, and a progress of the server that passes after it must be higher.
			c.calls.Hurry(sign)
		}
	}
}

// waiting lists every call with a token that waits for an answer and not for the server: the machine has the call, or
// one of its questions is open. A question that may belong to several tool calls counts for each call that came before
// it.
//
// A call at the server counts as waiting if a question of it is open: the server waits for the person.
func waiting(calls *link.Calls, questions []*link.Question) (list []*call) {
	parents, stray := map[string]bool{}, -1
	for _, q := range questions {
		if q.Request.Parent == "" {
			stray = max(stray, q.Serial)
		}
		parents[q.Request.Parent] = true
	}
	for _, c := range calls.All() {
		k := of(c)
		if k.progress.token != nil && (!k.AtServer || k.pauses > 0 || k.parent != "" && parents[k.parent] ||
			k.method == methodToolsCall && k.Serial <= stray) {
			list = append(list, k)
		}
	}
	return list
}

// number returns the JSON text of a float, or nil if JSON cannot spell it.
func number(f float64) []byte {
	if math.IsInf(f, 0) {
		return nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}

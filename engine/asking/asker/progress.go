package asker

import "github.com/elicit-engine/elicit/engine/wire/mcp"

// These are the milliseconds between two notifications of progress. Many clients give a call up after a minute without
// one.
const (
	usualProgress = 10 * 1000
	leastProgress = 100
)

// waitingText is what a client may show meanwhile.
const waitingText = "Waiting for the person to answer."

// beat is the sign of life of a run: its client hears from time to time that a person thinks, and waits on.
//
// At most one notification of a call is on its way, and its moment is in sessions.beats. count makes the numbers
// increase, as MCP wants it for one token.
type beat struct {
	token   []byte // under which the client hears of progress, nil for none
	count   int64
	sending bool      // a notification is on its way
	held    *Returned // the end of the run, which waits for it: nothing follows the response of a call
}

// progressEvery is how many milliseconds lie between two notifications, 0 for none.
func (c *Config) progressEvery() int64 {
	switch {
	case c.Progress < 0:
		return 0
	case c.Progress == 0:
		return usualProgress
	}
	return max(c.Progress, leastProgress)
}

func (c *Config) beatOf(token []byte) beat {
	if c.progressEvery() == 0 {
		return beat{}
	}
	return beat{token: mcp.ProgressToken(token)}
}

// beatLater lets the client of a run hear of it after a while, unless it is about to. The moment stays when a question
// is answered: several short ones are as long for the client.
func (m *sessions) beatLater(r *run) {
	if name := r.called.Call; r.beat.token != nil && !r.beat.sending && m.beats.at[name] == 0 {
		m.beats.set(name, m.clock.elapsed+m.config.progressEvery())
	}
}

// beatDue tells the clients whose moment has come that a person thinks. The next notification of a call waits until
// this one has left, so a client that reads slowly gets fewer.
//
// A call without an open question gets none: its handler works, and reports progress itself.
func (m *sessions) beatDue(calls map[string]*run, closing bool) {
	for name := m.beats.due(m.clock.elapsed); name != ""; name = m.beats.due(m.clock.elapsed) {
		if r := calls[name]; r != nil && len(r.asks) > 0 && !closing {
			r.beat.count++
			r.beat.sending = true
			params := mcp.AppendProgress(nil, r.beat.token, r.beat.count, waitingText)
			m.emit(Progress{name, mcp.MethodProgress, params})
		}
	}
}

// progressed takes the end of a notification.
func (m *Machine) progressed(ev Progressed) {
	r := m.calls[ev.Call]
	if r == nil || !r.beat.sending {
		return
	}
	if r.beat.sending = false; r.beat.held != nil {
		m.returned(*r.beat.held)
	} else if len(r.asks) > 0 {
		m.sessions.beatLater(r)
	}
}

package pending

import "github.com/elicit-engine/elicit/engine/internal/few"

// rates holds what each server has left of its rate. A server that is not in it has its full allowance.
type rates struct{ few.Map[string, rate] }

// rate is one server's allowance: level counts in sixty-thousandths of a request, so that a rate a minute refills by
// whole steps each millisecond and equal inputs give equal levels on every machine. Example: 7 requests a minute add 7
// units each millisecond, and a request costs 60,000 units. A rate as a float would depend on the machine, and a replay
// on another one would refuse another request.
type rate struct {
	level int64
	// In the engine's clock. A time before it refills nothing, so a clock that is set back gives no requests.
	at int64
}

// WholeRequest is one request in the units of a level.
const WholeRequest = 60_000

// maxRates bounds the table of allowances; full ones say nothing and are dropped first. Servers are named by the host,
// so more than 4,096 with a rate that is not full are no attack of a peer. The map then grows beyond the bound rather
// than forgiving what somebody has spent.
const maxRates = 4096

// has reports whether server may make one more request. It changes nothing, so a refusal leaves no trace in the table:
// a replay that never sees the refused request refills to the same level.
func (rs *rates) has(server string, at int64, l Limits) bool {
	r, known := rs.Find(server)
	if !known {
		return full(l) >= WholeRequest
	}
	return r.refill(at, l).level >= WholeRequest
}

// spend takes one request out of server's allowance, which must have one.
func (rs *rates) spend(server string, at int64, l Limits) {
	r, known := rs.Find(server)
	if !known {
		if rs.Len() >= maxRates {
			rs.dropFull(at, l)
		}
		r = rate{full(l), at}
	}
	r = r.refill(at, l)
	r.level -= WholeRequest
	rs.Set(server, r)
}

// full is the level of a server that has asked nothing lately: a burst of whole requests.
func full(l Limits) int64 { return int64(l.Burst) * WholeRequest }

func (r rate) refill(at int64, l Limits) rate {
	return rate{Refill(r.level, at-r.at, int64(l.PerMinute), full(l)), max(r.at, at)}
}

// Refill is a level after milliseconds at a rate of perMinute requests, at most full. A level counts in
// sixty-thousandths of a request, so that a rate a minute refills by whole steps each millisecond. A level below
// nothing comes back from there. The comparison in front stands for level + passed * perMinute > full and cannot
// overflow.
func Refill(level, passed, perMinute, full int64) int64 {
	if min(passed, perMinute) > 0 {
		if passed > (full-level)/perMinute {
			return full
		}
		level += passed * perMinute
	}
	return min(level, full)
}

// dropFull forgets servers whose allowance is full. They would be given the same again.
func (rs *rates) dropFull(at int64, l Limits) {
	for server, r := range rs.All() {
		if r.refill(at, l).level >= full(l) {
			rs.Delete(server)
		}
	}
}

// Allowance is what a server has left of its rate, in sixty-thousandths of a request, and when that was so.
func (t *Table) Allowance(server string) (level, at int64) {
	if r, known := t.rates.Find(server); known {
		return r.level, r.at
	}
	return full(t.limits), 0
}

// SetAllowance restores, at the time now, what Allowance told. It never raises what the server already has left here,
// and a time that has not come yet counts as now. The lower of both levels holds: a server must not get a full rate by
// having one of its sessions moved here.
func (t *Table) SetAllowance(server string, level, at, now int64) {
	t.rates.restore(server, rate{level, at}, now, t.limits)
}

// restore takes the lower of the saved level and the one here, both as of now. A saved moment in the future counts as
// now, so a forged one refills nothing.
func (rs *rates) restore(server string, saved rate, now int64, l Limits) {
	r := rate{max(saved.level, 0), min(max(saved.at, 0), now)}.refill(now, l)
	if here, known := rs.Find(server); known {
		r.level = min(r.level, here.refill(now, l).level)
	}
	rs.Set(server, r)
}

// session is the limits as they stand for the rate of a session; a rate without a burst lets one through at a time.
func (l Limits) session() Limits {
	return Limits{PerMinute: l.PerMinuteSession, Burst: max(1, l.BurstSession)}
}

// admissions is the limits as they stand for requests of every kind. A server that may ask a person so
// often may also be admitted so often.
func (l Limits) admissions() Limits {
	return Limits{PerMinute: max(l.AdmittedPerMinute, l.PerMinute), Burst: max(l.AdmittedBurst, l.Burst)}
}

// SessionAllowance is Allowance for a session; it reports false when the session has spent nothing.
func (t *Table) SessionAllowance(session string) (level, at int64, spent bool) {
	r, spent := t.sessionRates.Find(session)
	return r.level, r.at, spent
}

// SetSessionAllowance restores, at the time now, what SessionAllowance told.
func (t *Table) SetSessionAllowance(session string, level, at, now int64) {
	if t.limits.PerMinuteSession > 0 {
		fresh := rate{max(level, 0), min(max(at, 0), now)}.refill(now, t.limits.session())
		t.sessionRates.Set(session, fresh)
	}
}

// ForgetSession drops what is kept of a session that is over.
func (t *Table) ForgetSession(session string) { t.sessionRates.Delete(session) }

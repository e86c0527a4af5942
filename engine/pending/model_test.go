package pending

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// model is Table once more, written to be read and not to be fast: plain items in one list, every question answered by
// looking through it.
type model struct {
	limits       Limits
	items        []*Item
	turns        map[string]uint64
	turn         uint64
	rates        rates
	sessionRates rates
	ended        []Ended
}

func newModel(limits Limits) *model {
	return &model{limits: limits, turns: map[string]uint64{}, rates: rates{}, sessionRates: rates{}}
}

func (m *model) find(id elicit.ID) *Item {
	for _, it := range m.items {
		if it.ID == id {
			return it
		}
	}
	return nil
}

func (m *model) where(keep func(*Item) bool) (found []Item) {
	for _, it := range m.items {
		if keep(it) {
			found = append(found, *it)
		}
	}
	return found
}

func (m *model) admit(session, server, ref string, at int64) Refusal {
	open := m.where(func(it *Item) bool { return it.Session == session && it.State != Awaiting })
	for _, it := range open {
		if it.Ref == ref {
			return RefInUse
		}
	}
	if !m.rates.spend(server, at, m.limits) {
		return RateLimited
	}
	if len(open) >= m.limits.Queue {
		return QueueFull
	}
	return Admitted
}

func (m *model) hold(it Item, at int64) bool {
	it.State = Queued
	if m.limits.AnswerTTL > 0 {
		it.Deadline = at + m.limits.AnswerTTL
	}
	return m.restore(it)
}

func (m *model) restore(it Item) bool {
	if m.find(it.ID) != nil {
		return false
	}
	m.items = append(m.items, &it)
	return true
}

func (m *model) waiting() int {
	return len(m.where(func(it *Item) bool { return it.State == Queued }))
}

func (m *model) next() (next []Item) {
	for len(m.where(func(it *Item) bool { return it.State == Shown })) < m.limits.Shown {
		var pick *Item
		for _, it := range m.items {
			if it.State == Queued && (pick == nil || m.turns[it.Server] < m.turns[pick.Server]) {
				pick = it
			}
		}
		if pick == nil {
			break
		}
		m.turn++
		m.turns[pick.Server] = m.turn
		pick.State = Shown
		next = append(next, *pick)
	}
	return next
}

func (m *model) consent(id elicit.ID, at int64) Item {
	it := m.find(id)
	it.State, it.Deadline = Awaiting, 0
	if m.limits.PageTTL > 0 {
		it.Deadline = at + m.limits.PageTTL
	}
	return *it
}

func (m *model) complete(session, link string) (Item, bool) {
	for _, it := range m.items {
		if link != "" && it.Session == session && it.Link == link {
			it.Finished = true
			return *it, it.State == Awaiting
		}
	}
	return Item{}, false
}

func (m *model) due(at int64) []Item {
	return m.where(func(it *Item) bool { return it.Deadline != 0 && it.Deadline <= at })
}

func (m *model) wake() (first int64) {
	for _, it := range m.items {
		if it.Deadline != 0 && (first == 0 || it.Deadline < first) {
			first = it.Deadline
		}
	}
	return first
}

func (m *model) extend(id elicit.ID, at int64) (int64, bool) {
	it := m.find(id)
	if it == nil {
		return 0, false
	}
	if it.Deadline != 0 {
		it.Deadline = max(it.Deadline, at)
	}
	return it.Deadline, true
}

func (m *model) settle(id elicit.ID, outcome elicit.Outcome, cause elicit.Cause) bool {
	it := m.find(id)
	if it == nil {
		return false
	}
	m.remember(Ended{id, it.Session, outcome, cause})
	m.items = slices.DeleteFunc(m.items, func(o *Item) bool { return o == it })
	return true
}

func (m *model) remember(e Ended) {
	m.ended = append(m.ended, e)
	m.ended = m.ended[max(0, len(m.ended)-m.limits.Ended):]
}

func (m *model) endedOf(session string) (list []Ended) {
	for _, e := range m.ended {
		if e.Session == session {
			list = append(list, e)
		}
	}
	return list
}

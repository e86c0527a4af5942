// Package few has a map that is small while it holds little. An empty map of Go and its first eight places take about
// 250 bytes. A process has an engine for each session, and most of the engine's maps hold one key.
package few

import "iter"

// searched is how many keys are searched one by one.
const searched = 8

// Map is a map. The zero value is empty and ready to use. The order of All depends on the calls alone, until there are
// more than a few keys. The order of a Go map is random, and effects must never follow it. Whoever needs an order over
// many keys sorts them: see sortedNames of package engine.
type Map[K comparable, V any] struct {
	// Either rows or all holds the keys, never both. Once there is a map, there is one for good.
	rows []row[K, V] // nil once there is a map
	all  map[K]V
}

type row[K comparable, V any] struct {
	key   K
	value V
}

// Find returns the value of a key.
func (m *Map[K, V]) Find(key K) (value V, known bool) {
	for i := range m.rows {
		if m.rows[i].key == key {
			return m.rows[i].value, true
		}
	}
	value, known = m.all[key]
	return value, known
}

// At returns the value of a key, or the zero value.
func (m *Map[K, V]) At(key K) V {
	value, _ := m.Find(key)
	return value
}

// Set gives a key a value.
func (m *Map[K, V]) Set(key K, value V) {
	if m.all != nil {
		m.all[key] = value
		return
	}
	for i := range m.rows {
		if m.rows[i].key == key {
			m.rows[i].value = value
			return
		}
	}
	if len(m.rows) < searched {
		m.rows = append(m.rows, row[K, V]{key, value})
		return
	}
	// The keys move, so that Find looks at one place only for a map of any size.
	m.all = make(map[K]V, 2*searched)
	for _, r := range m.rows {
		m.all[r.key] = r.value
	}
	m.all[key], m.rows = value, nil
}

// Delete forgets a key. The last row takes the place of the deleted one. Nothing happens for a key that is not
// there.
func (m *Map[K, V]) Delete(key K) {
	delete(m.all, key)
	for i := range m.rows {
		if m.rows[i].key == key {
			last := len(m.rows) - 1
			m.rows[i], m.rows[last] = m.rows[last], row[K, V]{}
			m.rows = m.rows[:last]
			return
		}
	}
}

// Len counts the keys.
func (m *Map[K, V]) Len() int { return len(m.rows) + len(m.all) }

// All visits each key with its value. The visitor may delete the key that it is given, and no other. The
// visitor may not set a new key.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i := len(m.rows) - 1; i >= 0; i-- { // a deleted row is replaced by one that was visited
			if !yield(m.rows[i].key, m.rows[i].value) {
				return
			}
		}
		for key, value := range m.all {
			if !yield(key, value) {
				return
			}
		}
	}
}

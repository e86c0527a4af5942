package atrest

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Change is what a store is given for a change that gives its session the version. Salts are derived from random, which
// must be new for each change.
//
// c stays as it is. Session and the order of lists are as in c, so a driver needs no other code for an encrypted store.
func (r *Ring) Change(c stored.Change, version uint64, random [32]byte) stored.Change {
	sealed := c
	sealed.Session, sealed.Records, sealed.Entries = r.Session(c.Session), nil, nil
	at := func(kind string, index int) place { return place{kind, sealed.Session, version, uint64(index)} }
	if c.State != nil {
		sealed.State = r.seal(c.State, &random, at("state", 0))
	}
	for i, line := range c.Records {
		sealed.Records = append(sealed.Records, r.seal(line, &random, at("record", i)))
	}
	for _, e := range c.Entries {
		id := r.code("entry", c.Session, e.ID)
		e.Session = c.Session
		sealed.Entries = append(sealed.Entries, stored.Entry{ID: id, At: e.At, Server: r.code("server", e.Server),
			Tool: r.code("tool", e.Tool), Outcome: r.code("outcome", e.Outcome),
			Body: r.seal(appendEntry(nil, &e), &random, place{"entry", sealed.Session + " " + id, uint64(e.At), 0})})
	}
	return sealed
}

// State opens the state of a session.
func (r *Ring) State(sealed []byte, session string, version uint64) ([]byte, error) {
	return r.open(sealed, place{"state", r.Session(session), version, 0})
}

// Record is the place of a record in the journal of a session.
type Record struct {
	Version uint64
	Index   int
}

// Record opens a record of a session. last is the record before, nil for the first that is read.
//
// at comes from the store, so it is compared with last. A gap between two versions shows in the chain of the journal.
// One before the first record that is left of a change may not: a new journal may begin behind it.
func (r *Ring) Record(sealed []byte, session string, at Record, last *Record) ([]byte, error) {
	if last != nil && (at.Version < last.Version || at.Version == last.Version && at.Index != last.Index+1 ||
		at.Version > last.Version && at.Index != 0) {
		return nil, ErrTampered // a record was moved, repeated or left out
	}
	return r.open(sealed, place{"record", r.Session(session), at.Version, uint64(at.Index)})
}

// Entry opens an entry of the history, whose session and id are codes.
func (r *Ring) Entry(sealed *stored.Entry) (e stored.Entry, err error) {
	plain, err := r.open(sealed.Body, place{"entry", sealed.Session + " " + sealed.ID, uint64(sealed.At), 0})
	if err == nil && !readEntry(plain, &e) {
		err = ErrTampered
	}
	return e, err
}

// Query is what a store is asked for a query. Ask the query again of what was opened, without Before: the store has
// another order within a moment. If it searches for a text, the store gives every entry that the other members select,
// and the limit counts those that are left.
func (r *Ring) Query(q stored.Query) stored.Query {
	q.Server, q.Tool, q.Outcome = r.code("server", q.Server), r.code("tool", q.Tool), r.code("outcome", q.Outcome)
	if q.Session != "" {
		q.Session = r.Session(q.Session)
	}
	if b := q.Before; b != nil {
		q.Before = &stored.Entry{At: b.At, Session: r.Session(b.Session), ID: r.code("entry", b.Session, b.ID)}
	}
	if q.Text != "" {
		q.Text, q.Limit = "", min(q.Limit, 0) // a limit that is none stays one
	}
	return q
}

// appendEntry writes an entry as every version wrote it.
func appendEntry(dst []byte, e *stored.Entry) []byte {
	o := jsontext.With(dst, "Session", e.Session, "ID", e.ID)
	o.Int("At", e.At)
	o.Strs("Server", e.Server, "Tool", e.Tool, "Outcome", e.Outcome, "Text", e.Text)
	if e.Body == nil {
		o.Raw("Body", []byte("null"))
	} else {
		o.Str("Body", string(base64.Append(nil, e.Body)))
	}
	return o.End()
}

// readEntry reads what appendEntry has written. Members that a later version adds are skipped.
func readEntry(plain []byte, e *stored.Entry) (ok bool) {
	if jsontext.Check(plain, jsontext.Limits{Bytes: len(plain), LoneSurrogates: true}) != nil {
		return false
	}
	ok = true
	gjson.ParseBytes(plain).ForEach(func(name, v gjson.Result) bool {
		switch name.String() {
		case "Session":
			e.Session = v.String()
		case "ID":
			e.ID = v.String()
		case "At":
			e.At = v.Int()
		case "Server":
			e.Server = v.String()
		case "Tool":
			e.Tool = v.String()
		case "Outcome":
			e.Outcome = v.String()
		case "Text":
			e.Text = v.String()
		case "Body":
			if v.Type == gjson.String {
				e.Body, ok = base64.Read([]byte{}, v.String())
			}
		}
		return ok
	})
	return ok
}

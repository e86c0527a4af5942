//go:build !browser

package abi

import (
	"errors"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/asking/atrest"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/seal"
)

// evalEncrypt makes what an encrypted store is given: {"names":base64url,"keys":[{"id","secret":base64url}…]} and any
// of these, each of which comes back encrypted under its name:
//
//	"session":text, "redeemed":id
//	"change":{"session","version","state_base64"?,"records_base64"?:[…],"entries"?:[entry…]}, with "random":64 hex digits
//	"query":{"session"?,"server"?,"tool"?,"outcome"?,"text"?,"limit"?,"before"?:{"session","id","at"}}
//
// An entry is {"id","at","server"?,"tool"?,"outcome"?,"text"?,"body_base64"?}. No member at all checks the keys.
// Drivers of stores in other languages call it for each write, so one implementation encrypts for all of them. Names
// are made into codes: a store sees equal names as equal codes, and cannot read them.
func evalEncrypt(in gjson.Result, dst []byte) []byte {
	r := strict.Of(in)
	ring := readStoreRing(&r)
	hasSession, session, hasRedeemed, redeemed := r.Has("session"), r.Opt("session"), r.Has("redeemed"), r.Opt("redeemed")
	hasChange, hasQuery := r.Has("change"), r.Has("query")
	var change stored.Change
	var version uint64
	var random [32]byte
	r.Object("change", func(c *strict.Reader) { change, version = readSealable(c) })
	if text := r.Take("random"); text.Exists() != hasChange || hasChange && !digest.ReadHex(random[:], text.String()) {
		r.Report("bad_input", "random")
	}
	var query stored.Query
	r.Object("query", func(q *strict.Reader) { query = readQuery(q) })
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return appendProblem(dst, r.Problems...)
	}
	// The members come in the order session, redeemed, change, query.
	o := jsontext.Begin(dst)
	if hasSession {
		o.Str("session", ring.Session(session))
	}
	if hasRedeemed {
		o.Str("redeemed", ring.Redeemed(redeemed))
	}
	if hasChange {
		o.Name("change", func(dst []byte) []byte { return appendSealed(dst, ring.Change(change, version, random)) })
	}
	if hasQuery {
		o.Name("query", func(dst []byte) []byte { return appendQuery(dst, ring.Query(query)) })
	}
	return o.End()
}

// evalDecrypt opens what an encrypted store holds: {"names","keys"} and one of these, which comes back in clear:
//
//	"sessions":[code…]
//	"state":{"session","version","sealed_base64"}
//	"record":{"session","version","index","sealed_base64","last"?:{"version","index"}}
//	"entry":{"session":code,"id":code,"at","body_base64"}
//
// A text that cannot be opened causes one problem: stored_plain, stored_tampered or stored_unknown_key. version and
// index are part of what was encrypted. A store that gives an older state, or records in another order, is found out by
// them.
func evalDecrypt(in gjson.Result, dst []byte) []byte {
	r := strict.Of(in)
	ring := readStoreRing(&r)
	// Each member that is there adds what opens it. All members are read before any is opened, so that a misspelt one
	// is told first.
	var open []func(o *jsontext.Object) error
	// One code that cannot be opened fails the list: half a list of sessions would look like a whole one.
	if codes := r.Strs("sessions"); r.Has("sessions") {
		open = append(open, func(o *jsontext.Object) error {
			for i, code := range codes {
				name, err := ring.Name(code)
				if codes[i] = name; err != nil {
					return err
				}
			}
			jsontext.Strings(o, "sessions", codes)
			return nil
		})
	}
	sealed := func(name string, read func(s *strict.Reader) func() ([]byte, error)) {
		r.Object(name, func(s *strict.Reader) {
			run := read(s)
			open = append(open, func(o *jsontext.Object) error {
				plain, err := run()
				o.Str(name+"_base64", string(base64.Append(nil, plain)))
				return err
			})
		})
	}
	sealed("state", func(s *strict.Reader) func() ([]byte, error) {
		session, version, text := s.Str("session"), readVersion(s), readBytes(s, "sealed")
		return func() ([]byte, error) { return ring.State(text, session, version) }
	})
	sealed("record", func(s *strict.Reader) func() ([]byte, error) {
		session, at, text := s.Str("session"), readRecord(s), readBytes(s, "sealed")
		var last *atrest.Record
		s.Object("last", func(l *strict.Reader) { at := readRecord(l); last = &at })
		return func() ([]byte, error) { return ring.Record(text, session, at, last) }
	})
	r.Object("entry", func(s *strict.Reader) {
		entry := stored.Entry{Session: s.Str("session"), ID: s.Str("id"), At: s.Time("at"), Body: readBytes(s, "body")}
		open = append(open, func(o *jsontext.Object) error {
			plain, err := ring.Entry(&entry)
			o.Name("entry", func(dst []byte) []byte { return appendStored(dst, &plain) })
			return err
		})
	})
	// Exactly one member to open.
	if r.RefuseUnknown(); len(r.Problems) == 0 && len(open) != 1 {
		r.ReportAt("", "bad_input")
	}
	if len(r.Problems) > 0 {
		return appendProblem(dst, r.Problems...)
	}
	o := jsontext.Begin(dst)
	if err := open[0](&o); err != nil {
		return appendProblem(dst, storedProblem(err))
	}
	return o.End()
}

// Tampered also stands for a wrong key of the same id: nothing tells them apart.
func storedProblem(err error) elicit.Problem {
	var id atrest.UnknownKey
	switch {
	case errors.As(err, &id):
		return elicit.Problem{Code: "stored_unknown_key", Args: []elicit.Arg{elicit.Str("key", string(id))}}
	case errors.Is(err, atrest.ErrPlain):
		return elicit.Problem{Code: "stored_plain"}
	}
	return elicit.Problem{Code: "stored_tampered"}
}

// readStoreRing takes the secret for names and the keys. Without a ring there is a problem. The secret for names must
// not change, or the names in the store would have other codes.
func readStoreRing(r *strict.Reader) *atrest.Ring {
	keys := readRing(r)
	secret, ok := base64.ReadURL(nil, []byte(r.Str("names")))
	names, err := seal.NewKey("names", secret)
	if !ok || err != nil {
		r.Report("bad_input", "names")
	}
	if len(r.Problems) > 0 {
		return nil
	}
	// It fails only where the process allows nothing but the algorithms of FIPS 140.
	ring, err := atrest.New(names, keys)
	if err != nil {
		r.ReportAt("", "seal_forbidden")
	}
	return ring
}

// readSealable takes a change of a session. Without state_base64 the state is left as it is, which is another thing
// than an empty one. version is the one that the change leads to.
func readSealable(c *strict.Reader) (change stored.Change, version uint64) {
	change.Session, version = c.Str("session"), readVersion(c)
	if c.Has("state_base64") {
		change.State = readBytes(c, "state")
	}
	for i, text := range c.Strs("records_base64") {
		line, ok := base64.Read([]byte{}, text)
		if !ok {
			c.ReportAt(strict.Element("records_base64", i), "bad_input")
		}
		change.Records = append(change.Records, line)
	}
	c.Objects("entries", "bad_input", stored.MaxParts, func(e *strict.Reader) {
		one := stored.Entry{ID: e.Str("id"), At: e.Time("at"), Server: e.Opt("server"), Tool: e.Opt("tool"),
			Outcome: e.Opt("outcome"), Text: e.Opt("text")}
		if e.Has("body_base64") {
			one.Body = readBytes(e, "body")
		}
		change.Entries = append(change.Entries, one)
	})
	return change, version
}

// readQuery takes the filters of a list of questions. before is the last entry that the caller has seen.
func readQuery(r *strict.Reader) stored.Query {
	q := stored.Query{Session: r.Opt("session"), Server: r.Opt("server"), Tool: r.Opt("tool"), Outcome: r.Opt("outcome"),
		Text: r.Opt("text"), Limit: r.Count("limit")}
	r.Object("before", func(b *strict.Reader) {
		q.Before = &stored.Entry{Session: b.Str("session"), ID: b.Str("id"), At: b.Time("at")}
	})
	return q
}

// readRecord takes the place of a record: the version of the session that wrote it, and its index among the records of
// that change.
func readRecord(r *strict.Reader) atrest.Record {
	index, ok := strict.Integer(r.Take("index"))
	if !ok || index < 0 || index >= stored.MaxParts {
		r.Report("bad_input", "index")
	}
	return atrest.Record{Version: readVersion(r), Index: int(index)}
}

// readVersion takes the version of a session. Those of a store in Go may be larger than the numbers of JavaScript. Up
// to 2^63-1. It is written as a number, and read as text here, so no float rounds it.
func readVersion(r *strict.Reader) uint64 {
	version, err := strconv.ParseUint(r.Take("version").Raw, 10, 63)
	if err != nil || version == 0 {
		r.Report("bad_input", "version")
	}
	return version
}

// readBytes takes bytes that must be there.
func readBytes(r *strict.Reader, name string) []byte {
	out, ok := base64.Read([]byte{}, r.Str(name+"_base64"))
	if !ok {
		r.Report("bad_input", name+"_base64")
	}
	return out
}

func appendSealed(dst []byte, c stored.Change) []byte {
	o := jsontext.With(dst, "session", c.Session)
	if c.State != nil {
		o.Str("state_base64", string(base64.Append(nil, c.State)))
	}
	o.Each("records_base64", len(c.Records), func(dst []byte, i int) []byte {
		return jsontext.AppendString(dst, base64.Append(nil, c.Records[i]))
	})
	o.Each("entries", len(c.Entries), func(dst []byte, i int) []byte {
		return appendStored(dst, &c.Entries[i])
	})
	return o.End()
}

// appendStored writes an entry. Sealed and plain ones have the same shape.
func appendStored(dst []byte, e *stored.Entry) []byte {
	o := jsontext.Begin(dst)
	o.OptStr("session", e.Session)
	o.Str("id", e.ID)
	o.Int("at", e.At)
	o.Strs("server", e.Server, "tool", e.Tool, "outcome", e.Outcome, "text", e.Text)
	o.Str("body_base64", string(base64.Append(nil, e.Body)))
	return o.End()
}

func appendQuery(dst []byte, q stored.Query) []byte {
	o := jsontext.Begin(dst)
	o.OptStrs("session", q.Session, "server", q.Server, "tool", q.Tool, "outcome", q.Outcome)
	o.OptInt("limit", int64(q.Limit))
	if b := q.Before; b != nil {
		o.Name("before", func(dst []byte) []byte {
			o := jsontext.With(dst, "session", b.Session, "id", b.ID)
			o.Int("at", b.At)
			return o.End()
		})
	}
	return o.End()
}

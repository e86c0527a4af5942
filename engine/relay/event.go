package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// End is an end of the connection, or the host in between.
type End uint8

// These are the ends. The zero value is none of them.
const (
	Client End = iota + 1
	Server
	Host
)

var endNames = [...]string{Client: "client", Server: "server", Host: "host"}

// String returns the JSON spelling, or "" for none.
func (e End) String() string {
	if int(e) < len(endNames) {
		return endNames[e]
	}
	return ""
}

// other returns the end that messages of e go to.
func (e End) other() End {
	if e == Client {
		return Server
	}
	return Client
}

// readEnd reads the JSON spelling of an end.
func readEnd(s string) End {
	for e, name := range endNames {
		if name != "" && s == name {
			return End(e)
		}
	}
	return 0
}

// Event is something that happened outside: Received, Ended, AppendFailed, or an event of the engine about what the
// host shows (answered, noted, drafted, extended, preferred, completed, consulted, revoked, unmuted, forgotten,
// configured, ticked).
type Event interface {
	// AppendJSON appends the event's canonical JSON, whose first member is "event".
	AppendJSON(dst []byte) []byte
}

// Received is a message from one end. Its bytes are in Input.Message, without their line end.
//
// The host splits the stream, and gives one line without its line end, or one message of another framing. It must not
// give the two halves of one message as two: each would be refused.
type Received struct {
	From End
	Cut  bool // the message was longer than the host accepts; Input.Message has its beginning
}

// Ended says that an end has closed its stream. With Host, the host is about to leave: everything open is settled
// while both ends can still be reached.
//
// A second Ended of the same end has no effect.
type Ended struct{ End End }

// AppendFailed says that an Append of the last step could not be made durable. The host has performed no effect of
// that step after it.
//
// It is the only event that looks back at a step. The host reports it before any other input, because the next step
// forgets the effects that were not performed.
type AppendFailed struct{}

// AppendJSON appends {"event":"received","from","cut"?}.
func (e Received) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "received", "from", e.From.String())
	o.OptTrue("cut", e.Cut)
	return o.End()
}

// AppendJSON appends {"event":"ended","end"}.
func (e Ended) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "ended", "end", e.End.String())
}

// AppendJSON appends {"event":"append_failed"}.
func (AppendFailed) AppendJSON(dst []byte) []byte { return append(dst, `{"event":"append_failed"}`...) }

// EventNames lists the events that only a connection takes.
func EventNames() []string { return []string{"received", "ended", "append_failed"} }

// ReadEvent reads the JSON of an event: one of EventNames, or an event of the engine. It refuses unknown events and
// members. doc must have passed the gate of jsontext.
func ReadEvent(doc []byte) (Event, []elicit.Problem) {
	o, ok := wire.ReadObject(doc)
	if !ok {
		return nil, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	name, _ := wire.Text(o.Get("event"))
	var given Event
	var known []string
	switch name {
	case "received":
		from, _ := wire.Text(o.Get("from"))
		ev := Received{From: readEnd(from), Cut: wire.True(o.Get("cut"))}
		// Host is an end for Ended only. The host sends no messages of its own as Received.
		if ev.From != Client && ev.From != Server {
			return nil, []elicit.Problem{{Code: "unknown_end", Pointer: "/from"}}
		}
		given, known = ev, []string{"event", "from", "cut"}
	case "ended":
		end, _ := wire.Text(o.Get("end"))
		ev := Ended{End: readEnd(end)}
		if ev.End == 0 {
			return nil, []elicit.Problem{{Code: "unknown_end", Pointer: "/end"}}
		}
		given, known = ev, []string{"event", "end"}
	case "append_failed":
		given, known = AppendFailed{}, []string{"event"}
	default:
		ev, problems := event.Read(doc)
		if len(problems) > 0 {
			return nil, problems
		}
		return ev, nil
	}
	for _, m := range o.Members {
		if !slices.Contains(known, m.Name) {
			return nil, []elicit.Problem{{Code: "unknown_member", Pointer: string(jsontext.AppendToken(nil, m.Name))}}
		}
	}
	return given, nil
}

package relay

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// End is an end of the connection, or the host in between.
type End uint8

// The ends. The zero value is none of them.
const (
	Client End = iota + 1
	Server
	Host
)

var endNames = [...]string{Client: "client", Server: "server", Host: "host"}

// String is the end as JSON spells it, "" for none.
func (e End) String() string {
	if int(e) < len(endNames) {
		return endNames[e]
	}
	return ""
}

// other is the end that a message of e is for.
func (e End) other() End {
	if e == Client {
		return Server
	}
	return Client
}

// readEnd reads the spelling of an end.
func readEnd(s string) End {
	for e, name := range endNames {
		if name != "" && s == name {
			return End(e)
		}
	}
	return 0
}

// Event is something that happened outside: Received, Ended, AppendFailed, or an event of the engine about what the host
// shows (answered, noted, drafted, extended, completed, consulted, revoked, unmuted, forgotten, configured, ticked).
type Event interface {
	// AppendJSON appends the event's canonical JSON, whose first member is "event".
	AppendJSON(dst []byte) []byte
}

// Received is a message that came from one end. Its bytes stand beside it, in Input.Message, without their line end.
type Received struct {
	From End
	Cut  bool // the message was longer than the host takes; Input.Message holds its beginning
}

// Ended says that an end has closed its stream. Host says that the host is about to leave: what is open is settled while
// both ends can still hear it.
type Ended struct{ End End }

// AppendFailed says that an Append of the last step could not be made durable. The host has performed nothing of that step
// that came after it.
type AppendFailed struct{}

// AppendJSON appends {"event":"received","from","cut"?}.
func (e Received) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("event", "received")
	o.Str("from", e.From.String())
	o.OptTrue("cut", e.Cut)
	return o.End()
}

// AppendJSON appends {"event":"ended","end"}.
func (e Ended) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("event", "ended")
	o.Str("end", e.End.String())
	return o.End()
}

// AppendJSON appends {"event":"append_failed"}.
func (AppendFailed) AppendJSON(dst []byte) []byte { return append(dst, `{"event":"append_failed"}`...) }

// EventNames lists the events that only a connection takes.
func EventNames() []string { return []string{"received", "ended", "append_failed"} }

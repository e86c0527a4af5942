package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

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

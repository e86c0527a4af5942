package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Takes is what the peer of a question can be given beside the action and the content. The zero value is nothing, which
// is right for most protocols.
type Takes uint8

// These are the parts of an answer that a protocol may have a place for.
const (
	TakesEdit        Takes = 1 << iota // other arguments for the held call
	TakesDeclineNote                   // a note with a decline
	TakesAcceptNote                    // a note with an accept
)

// takesNames are spelled as the options of an interrupt.
var takesNames = [...]string{"edit", "decline_note", "accept_note"}

// TakesNames lists the name of every part in the order in which AppendJSON writes them.
func TakesNames() []string { return takesNames[:] }

// ReadTakes returns the part with a name, or false.
func ReadTakes(name string) (Takes, bool) {
	for i, known := range takesNames {
		if known == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Note reports whether a note reaches the peer with an action. A cancel has no words in any protocol. Words for whoever
// asked go with a yes or a no.
func (t Takes) Note(a Action) bool {
	return a == Accept && t&TakesAcceptNote != 0 || a == Decline && t&TakesDeclineNote != 0
}

// Names lists the parts in t.
func (t Takes) Names() (list []string) {
	for i, name := range takesNames {
		if t&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// AppendJSON appends the list of names.
func (t Takes) AppendJSON(dst []byte) []byte { return jsontext.AppendStrings(dst, t.Names()) }

// AppendHeld appends what a question says of a held call and of its answer: "command_at"?, "arguments"?,
// "arguments_schema"?, "held_call"?, "description"?, "definition"? and "takes"?. Arguments are written as they came,
// because the held call goes on with exactly these bytes when nobody edits them.
func (r *Request) AppendHeld(o *jsontext.Object) {
	o.OptStr("command_at", r.CommandAt)
	o.Document("arguments", r.Arguments, jsontext.Unread)
	o.Document("arguments_schema", r.ArgumentsSchema, jsontext.Unread)
	o.OptTrue("held_call", r.HeldCall)
	o.OptStrs("description", r.Description, "definition", r.Definition)
	if r.Takes != 0 {
		o.Name("takes", r.Takes.AppendJSON)
	}
}

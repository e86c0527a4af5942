// Package relay is the machine for one connection between a client and a server of MCP, or between a client and an
// agent of ACP, which has the place of the server. It reads every message of both ends. It forwards messages that both
// ends read alike, and gives the server's questions to an engine, which it contains.
//
// A Machine is pure, as the engine is: time and random bytes are in the input, and everything that the host must do
// comes out as effects. It has no clock, no goroutine and no I/O. It takes one message at a time, without its line
// end.
//
//	m, effects, problems := relay.New(config, relay.Input{At: now, Random: random})
//	perform(effects)
//	effects = m.Step(relay.Input{At: now, Random: random, Event: relay.Received{From: relay.Server}, Message: line})
//	perform(effects)                     // forward, send, append, show, …
//
// The host performs the effects of one step in order, and reports events. An Append must be durable before a later
// effect of the same step is performed. If it cannot be made durable, the host drops the rest of the step and reports
// AppendFailed.
//
// Either end may be the host itself. An editor that is the client gives its own requests to the machine as messages
// received from the client, and takes the messages that are sent to the client. See Role.
//
// A Machine is not safe for concurrent use. Package drive has the loop for Go hosts.
//
// # Reading order
//
// A Machine is made of parts. A part has its own fields and methods. It leads neither to the machine nor to another
// part. Read relay.go first. It has Step, and most fields are parts. Then follow a message:
//
//   - receive.go takes it through the gate, which is a package under internal.
//   - fromclient.go and fromserver.go say what happens to it. dropped.go looks at answers that cannot be read.
//   - A dialogue knows the words of one protocol. MCP, ACP and the Codex app-server are packages under internal. They
//     see the connection through package link, which also has the open calls, the clock and the ids of the machine's
//     own requests. port.go is the machine behind it. protocol.go and agents.go choose the dialogue.
//   - Package decider, also under internal, asks the engine and performs its effects. client.go has what the client was
//     asked, and patience.go gives it up.
//   - outbox.go collects the effects of a step. refuse.go has the answers of the machine that contain no decision.
//   - timer.go says when the host must wake the machine. ending.go ends everything.
//
// # One question
//
// A client opens the session with {"id":1,"method":"initialize","params":{"capabilities":{},…}}. The host can show
// forms. The server then gets the same bytes with "capabilities":{"elicitation":{"form":{}}}, as a Send. Its answer
// comes back as a Forward. Later the server sends an elicitation/create under the id 7, and a person answers it. These
// are the effects:
//
//	step of the request    question ref=7, show id=$1     (after the Append of each record)
//	step of Answered $1    settled ref=7, send to=server {"id":7,"result":{…}}
//
// The client sees nothing of it. With AskClient, a Send to the client takes the place of the Show, and the client's
// answer takes the place of Answered.
//
// # Invariants
//
// These hold between two steps:
//
//   - Every request of the client that went to the server is in Calls, until the client has its one answer or has
//     cancelled it. The answer is the server's or the machine's, and never both.
//   - The server gets at most one answer under an id. A second request under an open id is refused, under no id.
//   - A message passes only if the gate has found one meaning in it. The machine forwards odd spellings of that meaning
//     in its own spelling.
//   - No message that contains a decision comes before the records of that decision.
//   - An id that begins with Prefix is never taken from a peer for a request. A peer that sends one gets an error.
//   - Everything that a peer can make the machine remember has a bound: calls, bytes, rounds, tasks, refs, timers.
package relay

// Package elicit decides what happens when a program wants to ask a person something, and asks the person when that is
// the decision. It is the front door of the module: a program that stands between an MCP client and an MCP server, or
// that is one of them, needs no other package to begin with.
//
// Open makes a connection. Give it every message of both ends; it passes most of them on as they are. A question of the
// server is decided by policy, inspected, and put before a person through the host's Ask. The answer is checked before
// it is sent.
//
//	conn, err := elicit.Open(elicit.Connection{Server: "backup"}, elicit.Host{
//		ToClient: func(message []byte) { fmt.Printf("%s\n", message) },
//		ToServer: func(message []byte) { fmt.Fprintf(server, "%s\n", message) },
//		Ask: func(ctx context.Context, q elicit.Question) elicit.Answer {
//			return elicit.Answer{Action: elicit.Decline} // or draw q.Form and return what the person typed
//		},
//	}, elicit.Options{})
//	…
//	err = conn.FromServer(line) // for each line that the server writes
//
// Config is the engine's configuration: policy, limits, guardians. docs/configuration.md lists every member.
//
// Deeper packages give more control. Package engine/drive is the same loop with every effect visible, engine/relay is
// the pure machine of a connection, and engine is the pure machine of a question. Package plugins/host runs guardians.
package elicit

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/drive"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/schema"
)

// The nouns that a program meets. They are the engine's own types under shorter names.
type (
	ID      = nouns.ID      // names one question
	Mode    = nouns.Mode    // how a person answers: in a form, or by visiting a page
	Action  = nouns.Action  // what the person did
	Cause   = nouns.Cause   // who or what settled a question
	Problem = nouns.Problem // an input is wrong
	Reason  = nouns.Reason  // why a decision was made
	Finding = nouns.Finding // something a person should know before they answer
	Form    = schema.Form   // what a question asks for, ready to draw
	Grant   = engine.Grant  // a person's yes that is remembered
	Wish    = engine.Wish   // for how long a person wants a yes remembered
	Role    = relay.Role    // what the host is
	Asker   = relay.Asker   // who is asked what policy leaves open
	Options = drive.Options // journal, guests, clock and randomness of a connection
	Effect  = relay.Effect  // something a host may want to know or do
)

// The values of those types that a program spells itself.
const (
	FormMode = nouns.Form
	URLMode  = nouns.URL

	Accept  = nouns.Accept
	Decline = nouns.Decline
	Cancel  = nouns.Cancel

	Between  = relay.Between
	AsClient = relay.AsClient
	AsServer = relay.AsServer

	AskHost   = relay.AskHost
	AskClient = relay.AskClient
	AskPolicy = relay.AskPolicy
	AskNobody = relay.AskNobody
)

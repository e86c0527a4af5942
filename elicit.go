// Package elicit decides what happens when a program wants to ask a person something. If the decision is to ask, it
// asks the person. It is the first package of the module to use: a program between an MCP client and an MCP server, or
// a program that is one of them, needs no other package to begin with.
//
// Open makes a connection. Give it every message of both ends; it forwards most of them unchanged. Policy decides about
// a question of the server, and checks inspect it. The host's Ask asks the person. The answer is checked before it is
// sent.
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
// Config is the engine's configuration: policy, limits, guardians. docs/reference/configuration.md lists every member.
//
// Deeper packages give more control. Package engine/drive is the same loop with every effect visible. Package
// engine/relay is the pure machine of a connection, and package engine is the pure machine of a question. Package
// plugins/host runs guardians.
package elicit

import (
	"github.com/elicit-engine/elicit/engine/drive"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/schema"
)

// These are the nouns that a program needs: the engine's own types under shorter names.
type (
	ID       = nouns.ID       // names one question
	Mode     = nouns.Mode     // how a person answers: in a form, or by visiting a page
	Action   = nouns.Action   // what the person did
	Cause    = nouns.Cause    // who or what settled a question
	Problem  = nouns.Problem  // an input is wrong
	Reason   = nouns.Reason   // why a decision was made
	Finding  = nouns.Finding  // something a person should know before they answer
	Form     = schema.Form    // what a question asks for, ready to draw
	Grant    = nouns.Grant    // a person's yes that is remembered
	Wish     = nouns.Wish     // for how long a person wants a yes remembered
	Role     = relay.Role     // what the host is
	Asker    = relay.Asker    // who is asked about a question that policy leaves open
	Protocol = relay.Protocol // what the ends of a connection speak
	Options  = drive.Options  // journal, guests, clock and random bytes of a connection
	Effect   = relay.Effect   // something a host may want to know or do
)

// These are the values of those types that a program writes itself.
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
	AskEither = relay.AskEither
	AskPolicy = relay.AskPolicy
	AskNobody = relay.AskNobody
)

// Package asking is the machine of the asking side: it puts the questions of a server's tools to the person behind a
// client.
//
// A tool poses a question in a call, and waits. The machine decides the question with an engine, chooses how it reaches
// the person by what the client declared, checks the answer, and settles the question. How the question travels is no
// concern of the tool:
//
//   - a request elicitation/create to the client, in a form or as a URL,
//   - a result input_required, after which the client makes the call again (2026-07-28),
//   - the error -32042, which lists a URL to visit first (2025-11-25, servers that cannot send requests),
//   - a page that the server itself hosts, offered as a URL, for secrets,
//   - a text for the model, which asks the person and calls a tool with the answer, for clients with none of these.
//
// In all but the first, the call ends while the person thinks, and runs again from its beginning later. Questions are
// known by their call and position. A handler that runs again and poses the same question at the same position gets the
// answer at once.
//
//	m, effects, problems := asking.New(config, asking.Input{At: now, Random: random})
//	effects = m.Step(asking.Input{At: now, Random: random, Event: asking.Called{Call: "1", Target: "deploy"}})
//	effects = m.Step(asking.Input{At: now, Random: random, Event: asking.Posed{Call: "1", Question: question}})
//	perform(effects)                     // append, send, interrupt, page, settle, …
//
// The machine is pure: time and random bytes are in the input. It is also a value. Save returns its state as JSON, and
// Load goes on with it, in this process or another, so a store can keep a machine between two steps.
//
// A Machine is not safe for concurrent use.
//
// # The life of a question
//
//	posed → decided by the engine → its turn → put in one of the ways above → answered and checked → settled
//
// A question is settled once. An answer that does not fit is put again while attempts are left. The end of a
// call ends its questions too. The engine sees every question, also one that no client can be asked, and its records
// are the journal of the machine.
//
// # An example
//
// A client of 2026-07-28 calls deploy, and its handler poses a form. Each line is one step, less the records:
//
//	Called 1, deploy        nothing
//	Posed 1, position 0     interrupt {"offer":"input_required","requests":{"q0.0":{…}},"body":{…},…}, wake
//	Returned 1              the client has all of it in the body, and the machine forgets the call
//	Called 2, deploy        nothing; Answers has the body, and Responses {"q0.0":{"action":"accept",…}}
//	Posed 2, position 0     settle {"position":0,"outcome":"accept","content":{…},…}
//	Returned 2              the call is over
//
// # Invariants
//
// These hold for every order of events, and the first four are asserted in every step; see invariants.go.
//
//   - A question is settled once, while it is open.
//   - Only an accept carries content.
//   - An answer that must not pass the client or a model comes from a page of the server: one with a secret in it, or
//     one for another person than the caller.
//   - Each call has one place in the order of calls.
//   - A link, an id and a handle of a request cannot be guessed, and no two are alike.
//   - A handler that runs again gets the outcome that its first run got, for the same question at the same position.
//   - A machine that was saved and loaded goes on as if it had not been.
//
// # Reading order
//
// A Machine is made of parts. A part has its own fields and leads neither to the machine nor to another part. Most
// calls lead to a file further down this list. A test holds the list complete, and counts the calls that lead back up.
//
//   - asking.go has Step. It hands each event to its handler.
//   - A machine as JSON: state.go. look.go tells a host what it has missed while another process
//     made the steps.
//   - What a handler does: question.go takes what it asks, once.go what it computes, call.go its beginning and end.
//   - engine.go steps the engine and performs its effects.
//   - What a person does: answer.go, and page.go for the server's own pages.
//   - put.go puts a question before the person. client.go chooses the way and spells the question, with
//     spelling.go, confirm.go and fallback.go.
//   - What is open: questions.go, calls.go.
//   - What all of these use: invariants.go, outbox.go, event.go, effect.go, config_keys.go, config.go.
package asking

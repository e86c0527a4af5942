// Package engine decides what happens to a question that a program wants to ask a person: whether it is fit to be
// asked, whether policy lets it be asked, what the person should be warned of, when it is its turn, whether the answer
// fits, and what the peer is told.
//
// The engine is one pure function. It takes an Input, which is an event with the time and 32 random bytes, and returns
// the effects that its host must perform. It has no clock, no goroutine and no I/O. It asks for everything that it
// needs as an effect, and gets it back as an event. The journal of the inputs is therefore the complete run, and Replay
// proves it.
//
//	e := engine.New()
//	for input := range inputs {          // event.Opened, event.Asked, event.Answered, event.Ticked, …
//		for _, next := range e.Step(input) {
//			perform(next)                // effect.Append first and durably, then effect.Reply, effect.Show, …
//		}
//	}
//
// Package event has the events, package effect the effects, and package elicit what both are made of. This package has
// the machine, its limits and configuration keys, and what reads journals: Replay, Simulate and Reask.
//
// An Engine is not safe for concurrent use. Package drive has a loop for Go programs that is.
//
// # The life of a question
//
//	asked → admitted → compiled → inspected → decided → [guardians] → queued → shown → answered → [guardians] → settled
//
// A question may end at every arrow. It ends with one Reply, which has an outcome and a cause. Two ends have no reply:
// the peer took the question back, or its session was closed. A question in URL mode gets its reply when the person
// consents to visit the page. It stays open until the page is finished, or until its time is up.
//
// # One step as JSON
//
// The operation run (package abi) shows inputs and effects as text. This question has no config, so a person is asked:
//
//	in:  {"at":2000,"event":{"event":"asked","session":"s","ref":"7","mode":"form","message":"Deploy where?",
//	     "schema":{"type":"object","properties":{"region":{"type":"string"}},"required":["region"]}}}
//	out: {"effect":"show","session":"s","id":"$1","ref":"7","server":"deployer","mode":"form","kind":"form",
//	     "message":"Deploy where?","form":{…},"findings":[],"reasons":[{"code":"approval_policy_asks",…}]}
//
// An answer without region is a Problem "missing" at /region, and the question stays open. A fitting answer is a Reply
// with the outcome accept. The same answer once more is a Problem "already_settled", which names that outcome.
//
// # Invariants
//
// These hold for every order of events. Properties in the tests draw orders of events to look for one that breaks them.
// The first four are also asserted in every step; see invariants.go.
//
//   - A question has one reply, and none after it was withdrawn.
//   - Only an accept carries content or arguments, and the content fits the form.
//   - A question is in the map of questions as long as it has a place in time, and its session is open.
//   - Deadlines follow a clock that never goes back.
//   - An answer reaches only the question of its id, in its own session and from the person who was asked. An answer
//     that comes too late is a Problem that names how the question ended.
//   - No value of a sensitive field, and nothing else that is a secret by its form, is in a record.
//   - The same events give the same bytes. The effects of a step depend on the engine and the Input alone, never on
//     the order of a map.
//
// Between two steps these hold too:
//
//   - The outbox is empty, and nothing keeps a pointer to the last step.
//   - Engine.wake is the earliest deadline of the table, in the engine's own clock.
//   - The head of the chain is the hash of the last Append effect. An input without a record leaves it as it is.
//   - Every question in the table has its session in the map of sessions.
//
// # What bounds memory
//
// A peer chooses texts, handles, names and the number of its questions. Each of them has a bound:
//
//   - Open questions: the limit queue for a session, the limit held_calls for calls of our own client, and 512 KiB of
//     text (maxHeld) for all that a session holds, pages included.
//   - What a session remembers: 64 typed values, 32 accepted messages in 64 KiB, 64 fetched hosts, 50 reviews and 100
//     grants. The oldest goes first, except with hosts and grants, where the first stay.
//   - What outlives a session: 64 visited hosts and 64 names of servers for each of at most 1,024 principals, 4,096
//     grants that hold always, and the ends of the last questions (the limit ended).
//   - The journal: records of events that change nothing share an allowance (flood.go).
//
// # Reading order
//
// The engine is made of parts. A part has its own fields and leads neither to the engine nor to another part. A step
// calls the parts in order. Most calls lead to a file further down this list. A test holds the list complete, and
// counts the calls that lead back up.
//
//   - engine.go has Step. It hands each event to its handler, and makes the record.
//   - A question from its arrival to the person: ask.go, then show.go.
//   - Guardians before it is shown, and again before an answer is sent: consulting.go.
//   - An answer from its arrival to the reply: answer.go, then sending.go.
//   - The decision: decide.go weighs policy, findings and grants. remember.go says which grant an answer makes.
//     facts.go reads what a form tells.
//   - Other events, and time: ending.go, configured.go. A session as JSON: resume.go, resume_read.go, save.go.
//   - What guardians are asked and say: consultation.go, consult_read.go, consult_review.go.
//   - What an answer brings, checked without the rest of the engine: answer_guarded.go, answer_extras.go, edit.go,
//     edit_masked.go, draft.go, answer_check.go, secrets.go.
//   - The questions that wait: open_find.go, idle.go, invariants.go, open_ends.go, open_joined.go,
//     open_questions.go. One of them: question.go, surface.go.
//   - The open sessions: sessions.go. One of them: session.go, pause.go, suggestion.go, changed.go, hasty.go,
//     labels.go, reviews.go. What outlives them: visited_hosts.go, known_servers.go, grant.go.
//   - The configuration: config.go, config_keys.go, guardian_guests.go.
//   - The journal: record.go, flood.go, kept.go, record_problem.go, begun.go.
//   - What all of these use: outbox.go, clock.go, content.go.
//   - Journals read again: replay.go, simulate.go, simulate_haste.go, simulate_recorded.go, guardian_reask.go.
package engine

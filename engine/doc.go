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
//   - The same events give the same bytes. What a step does depends on the engine and the Input alone, never on the
//     order of a map.
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

// Package asker is the asking side of one process: the sessions of all its clients, and every transaction with the
// store that they share with other processes.
//
// A session is a machine of package asking. A step of it is a transaction: load its state, step, commit the new state
// if nobody else did meanwhile, and only then let the effects happen. This package decides all of it: which session a
// call belongs to, what a conflict and a lost reply mean, when to try again, what other processes have decided
// meanwhile, which sessions are due, and what stays in memory.
//
//	m, problems := asker.New(config)
//	effects := m.Step(asker.Input{At: now, Elapsed: passed, Random: random, Event: asker.Called{Call: "c1", …}})
//	perform(effects)                // load, commit, watch, send, reply, wake, …
//	effects = m.Step(… asker.Committed{Session: name, Version: version})
//
// The machine is pure: time and random bytes are in the input. A host has a clock, random bytes, keys, a store, a way
// to send, and handlers. It performs the effects of a step in order, and reports what came of those that have a result.
// A host decides nothing.
//
// A Machine is not safe for concurrent use.
//
// # Transactions
//
//	event → (watch) → (load) → step → commit → (append) → effects
//	                    ↑                 │
//	                    └── conflicted ───┘
//
// Events of one session wait in a queue while the store works on the first. A commit that failed may count
// nevertheless. So each commit has a name, and a state knows the names of the last ones: the machine loads, and looks
// whether its own is among them. An event that must not be lost, such as the answer of a client or the end of a run, is
// tried again after ever longer pauses. All others fail with NoStore.
//
// Whoever waits in this process hears of what other processes decide by Hinted, and by every state that is loaded.
//
// # The life of a call
//
//	called → (unseal → (redeem)) → begin → (start) → reply → posed … → returned → (seal) → reply
//
// The first reply lets the handler run. A call without a sealed state and without a session in the store runs at once,
// and its session hears of it with its first question. A call that brings an answer is looked up first. See standing
// for what its session may say: run, wait for another run, take the result of another run, or be refused.
//
// # Invariants
//
// These hold between two steps:
//
//   - Each event that somebody waits for has one Reply, in the same step or later.
//   - A session has at most one effect on its way (await). Its queue waits until the result is back.
//   - No effect of a session's step leaves before the commit of that step. There are two exceptions: a host without a
//     store, and a call whose client carries all of it.
//   - An answer lets a handler run once, in all processes. A second run with it needs the handler's key, or the
//     certainty that the first run has not got the answer.
//   - The order of effects depends on the events alone, never on the order of a map.
//
// # Reading order
//
// asker.go has Step. calls.go is the life of a call, again.go of one that is made again, asks.go what its
// handler does, and acts.go what a person or a model does. They hand jobs to the sessions: sessions.go, session.go,
// taken.go, commit.go and perform.go.
//
// sweep.go lets time pass for sessions of processes that are gone. saved.go has the format at rest, names.go the names
// of sessions, timers.go their moments, event.go, effect.go and codes.go what goes in and out.
package asker

// Package guarded has the table of sensitive places, and knows what Elicit's own protection rests on: its files,
// sockets and processes, and the settings of the agents that load it.
//
//	report := impact.Read("rm -r ~/.claude", impact.Options{})
//	guarded.Of(&report, guarded.Work{}) // {settings .claude/settings*}
//
// Names in what it returns come from its own tables and never from the request.
package guarded

package event_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Every host, in whatever language, gives its events in this spelling.
func ExampleRead() {
	ev, problems := event.Read([]byte(`{"event":"answered","session":"s1","id":"00","action":"decline","mute":true}`))
	if answer, ok := ev.(event.Answered); ok && len(problems) == 0 {
		fmt.Println(answer.Action, answer.Mute)
	}
	_, problems = event.Read([]byte(`{"event":"completed","session":"s1","link":"l","done":true}`))
	for _, p := range problems {
		fmt.Println(p.Code, p.Pointer)
	}
	// Output:
	// decline true
	// unknown_member /done
}

// An event writes itself, and leaves out what has its zero value.
func ExampleOpened() {
	opened := event.Opened{Session: "s1", Server: "backup", Side: elicit.Answering,
		Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true, URL: true}}
	fmt.Printf("%s\n", opened.AppendJSON(nil))
	// Output:
	// {"event":"opened","session":"s1","server":"backup","side":"answering","declared":["form"],"shown":["form","url"]}
}

package interrupts_test

import (
	"fmt"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/interrupts"
)

// A response of OpenAI waits for two approvals. The person allows one and refuses the other with a note.
func ExampleDecode() {
	run, problems := interrupts.Decode(interrupts.OpenAI, []byte(`{"output":[
		{"type":"mcp_approval_request","id":"r1","server_label":"files","name":"read","arguments":"{\"path\":\"a\"}"},
		{"type":"mcp_approval_request","id":"r2","server_label":"files","name":"delete","arguments":"{\"path\":\"b\"}"}]}`))
	if problems != nil {
		panic(problems)
	}
	for i := range run.Questions {
		q := &run.Questions[i]
		fmt.Printf("%s %s %s %v\n", q.Key, q.Request.Tool, q.Arguments, q.Options.Names())
	}
	reply, _ := run.Append(nil, []interrupts.Answer{{Key: "r1", Action: elicit.Accept},
		{Key: "r2", Action: elicit.Decline, Note: "keep it"}})
	for item := range strings.SplitAfterSeq(string(reply), "},") {
		fmt.Println(item)
	}
	// Output:
	// r1 read {"path":"a"} [accept decline decline_note accept_note]
	// r2 delete {"path":"b"} [accept decline decline_note accept_note]
	// [{"type":"mcp_approval_response","approval_request_id":"r1","approve":true},
	// {"type":"mcp_approval_response","approval_request_id":"r2","approve":false,"reason":"keep it"}]
}

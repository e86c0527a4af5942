package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// asksIfTold is a server with one tool. The tool asks for a day if the server was told that it may ask. The tool says
// what the server was told and how that ended.
func asksIfTold() {
	var told, call json.RawMessage
	lines := bufio.NewScanner(os.Stdin)
	say := func(id json.RawMessage, result string) {
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
	}
	done := func(how string) {
		text, _ := json.Marshal("told " + modesIn(told) + ", " + how)
		say(call, `{"content":[{"type":"text","text":`+string(text)+`}]}`)
	}
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Capabilities struct{ Elicitation json.RawMessage }
			}
			Result struct {
				Action  string
				Content json.RawMessage
			}
			Error json.RawMessage
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch {
		case m.Method == "initialize":
			told = m.Params.Capabilities.Elicitation
			say(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
		case m.Method == "tools/call":
			if call = m.ID; told == nil {
				done("did not ask")
				continue
			}
			fmt.Println(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Which day?",` +
				`"requestedSchema":{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}}}`)
		case m.Method == "" && m.Error != nil:
			done("error")
		case m.Method == "":
			done(strings.TrimSpace(m.Result.Action + " " + string(m.Result.Content)))
		}
	}
}

// modesIn names the modes of a declaration of 2025-11-25.
func modesIn(declaration json.RawMessage) string {
	var d map[string]json.RawMessage
	switch _ = json.Unmarshal(declaration, &d); {
	case declaration == nil:
		return "nothing"
	case d["form"] != nil && d["url"] != nil:
		return "form and url"
	case d["url"] != nil:
		return "url"
	}
	return "form"
}

// declares is a client that draws its own forms. `declares CAPABILITIES BEHAVIOUR COMMAND…` prints whether the client
// was asked, and what the tool says.
func declares() {
	cmd := exec.Command(os.Args[3], os.Args[4:]...)
	cmd.Stderr = os.Stderr
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":%s,"clientInfo":{"name":"c","version":"1"}}}`+"\n", os.Args[1])
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Result struct{ Content []struct{ Text string } }
		}
		_ = json.Unmarshal(lines.Bytes(), &m)
		switch {
		case string(m.ID) == "1":
			fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{}}}`)
		case m.Method == "elicitation/create":
			fmt.Println("the client was asked")
			fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, map[string]string{
				"accepts": `"result":{"action":"accept","content":{"day":"Monday"}}`,
				"cancels": `"result":{"action":"cancel"}`,
				"errs":    `"error":{"code":-32603,"message":"no window"}`,
				"unfit":   `"result":{"action":"accept","content":{"day":5}}`,
			}[os.Args[2]])
		case len(m.Result.Content) > 0:
			fmt.Println("said:", m.Result.Content[0].Text)
			in.Close()
		}
	}
	_ = cmd.Wait()
}

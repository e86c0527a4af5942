package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// serve is the MCP server behind the proxies. Its tool "flood" writes notifications before the result, "give" writes a
// result of a given size, and "ask" asks the client a question before the result.
func serve() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments struct{ Count, Size int }
			}
		}
		must(json.Unmarshal(line, &m))
		args := m.Params.Arguments
		switch {
		case m.Method == "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25",`+
				`"capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"bench","version":"1"}}}`+"\n", m.ID)
		case m.Params.Name == "flood":
			notice := noticeOf(args.Size)
			for range args.Count {
				out.Write(notice)
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`+"\n", m.ID)
		case m.Params.Name == "give":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`+"\n", m.ID,
				prose(args.Size))
		case m.Params.Name == "ask":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":"q%s","method":"elicitation/create","params":{"message":"Which day?",`+
				`"requestedSchema":{"type":"object","properties":{"day":{"type":"string","maxLength":20}},`+
				`"required":["day"]}}}`+"\n", m.ID)
		case m.Method == "" && bytes.HasPrefix(m.ID, []byte(`"q`)):
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%t"}]}}`+"\n",
				bytes.Trim(m.ID[2:], `"`), bytes.Contains(line, []byte(`"accept"`)))
		case m.ID != nil:
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID)
		}
		if in.Buffered() == 0 {
			must(out.Flush())
		}
	}
}

// noticeOf returns a notification of size bytes, including its line end.
func noticeOf(size int) []byte {
	head, tail := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"`, "\"}}\n"
	return []byte(head + prose(size-len(head)-len(tail)) + tail)
}

// prose returns log text for a JSON string, with one escape per line.
func prose(size int) string {
	line := `2026-11-22 10:00:00 INFO worker 7: copied \"/var/lib/data\" to \"/backup\" in 31 ms\n`
	text := strings.Repeat(line, size/len(line)+1)[:size]
	return strings.TrimRight(text, `\`) + strings.Repeat(" ", len(text)-len(strings.TrimRight(text, `\`)))
}

// Command rawserver is an MCP server over stdio that follows a script. It uses no SDK and checks no rules, so it can
// send messages that an honest server never sends: lines that are not JSON, an id used twice, ten megabytes, the
// message shape of a draft.
//
//	rawserver SCRIPT
//
// See script.go for the format; the scripts are in the directory scripts.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rawserver SCRIPT")
		os.Exit(2)
	}
	script, err := readScript(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rawserver:", err)
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	play(out, script.start, nil)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			m := read(line)
			play(out, script.reply(m), script.words(m))
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "rawserver:", err)
			os.Exit(1)
		}
	}
}

// play writes the items one after the other, and flushes each before the next.
func play(out *bufio.Writer, say []item, words map[string]string) {
	for _, it := range say {
		switch {
		case it.wait > 0:
			time.Sleep(it.wait)
		case it.exit != nil:
			os.Exit(*it.exit)
		default:
			out.WriteString(expand(it.line, words))
			out.WriteByte('\n')
		}
		if out.Flush() != nil {
			os.Exit(0) // the client went away
		}
	}
}

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// tsSDK is the official TypeScript SDK 1.x with its cfworker validator, in its own Node process. The process runs the
// given number of rounds and prints their time.
func tsSDK() (*line, func(), error) {
	if _, err := os.Stat("node_modules/@cfworker/json-schema"); err != nil {
		return nil, nil, errors.New("its packages are not here; run npm ci in bench")
	}
	tell, end := node("elicit.mjs")
	tell(map[string]any{"schema": string(formText), "answer": string(rightAnswer), "question": question})
	tell(map[string]any{"times": 3000}) // lets V8 warm up
	const times = 40
	return &line{name: "official TypeScript SDK 1.32 with cfworker, tool call that elicits, in memory", unit: "ns",
			once: func() float64 { return tell(map[string]any{"times": times}) / times }},
		end, nil
}

// node starts a program that reads lines of JSON and answers each with a number of nanoseconds.
func node(script string) (tell func(any) float64, end func()) {
	cmd := exec.Command("node", script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(err)
	out, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	lines := bufio.NewScanner(out)
	tell = func(v any) float64 {
		text, err := json.Marshal(v)
		must(err)
		fmt.Fprintf(in, "%s\n", text)
		if !lines.Scan() {
			must(errors.New("node ended early"))
		}
		took, err := strconv.ParseFloat(strings.TrimSpace(lines.Text()), 64)
		must(err)
		return took
	}
	return tell, func() { in.Close(); cmd.Wait() }
}

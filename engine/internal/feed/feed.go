//go:build libfuzzer

// Package main gives libFuzzer the parsers of the engine. ./build.sh parsers builds it and runs each of them. A parser
// fails if it panics, and if it breaks what must hold for every input. Then the input is kept in a file.
package main

import "C"

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// tooSlow is when an execution counts as one that never ends. A busy machine may stop a process for seconds.
const tooSlow = time.Minute

var (
	parser = named(os.Getenv("ELICIT_PARSER"))
	keep   = os.Getenv("ELICIT_KEEP")

	input []byte // of the execution that runs
	runs  atomic.Int64

	// one, two and three are memory for what a parser writes.
	one, two, three []byte
)

func main() {}

func init() {
	go func() {
		for {
			before := runs.Load()
			time.Sleep(tooSlow)
			if before > 0 && runs.Load() == before {
				found("no end")
			}
		}
	}()
}

// named returns a parser. Without one the program ends.
func named(name string) func(in []byte) {
	parse := parsers[name]
	if parse == nil {
		fmt.Fprintf(os.Stderr, "ELICIT_PARSER names no parser: %q\n", name)
		os.Exit(2)
	}
	return parse
}

//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *byte, size C.size_t) C.int {
	input = unsafe.Slice(data, size)
	runs.Add(1)
	defer func() {
		if p := recover(); p != nil {
			found(p)
		}
	}()
	parser(input)
	return 0
}

// found keeps the input, and ends the program.
func found(p any) {
	name := filepath.Join(keep, fmt.Sprintf("%s-%x", os.Getenv("ELICIT_PARSER"), sha256.Sum256(input)))
	err := os.WriteFile(name, input, 0o644)
	fmt.Fprintf(os.Stderr, "FOUND %v\nin %q\nkept as %s (%v)\n%s\n", p, input, name, err, debug.Stack())
	os.Exit(1)
}

// hold ends the execution if a property does not hold. What is told of it must cost nothing if it holds.
func hold(ok bool, property string, told ...any) {
	if !ok {
		panic(fmt.Sprintf("%s: %q", property, told))
	}
}

// which cuts the first byte off an input. The byte chooses one of n.
func which(in []byte, n int) (int, []byte) {
	if len(in) == 0 {
		return 0, nil
	}
	return int(in[0]) % n, in[1:]
}

// halves cuts an input at the first byte 0xff, which UTF-8 never contains.
func halves(in []byte) (first, second []byte) {
	for i, b := range in {
		if b == 0xff {
			return in[:i], in[i+1:]
		}
	}
	return in, nil
}

// isJSON reports whether the engine itself would read what it wrote.
func isJSON(doc []byte) bool { return jsontext.Check(doc, wide) == nil }

var wide = jsontext.Limits{Bytes: 64 << 20, Depth: 1000, Members: 1 << 20}

// checkProblems holds what is true of the problems of any document.
func checkProblems(in []byte, problems []elicit.Problem) {
	for i := range problems {
		p := &problems[i]
		hold(p.Code != "" && p.Start >= 0 && p.Start <= p.End && p.End <= len(in), "a problem lies outside", p.Code)
	}
	if problems != nil {
		one = elicit.AppendList(one[:0], problems)
		hold(isJSON(one), "problems are JSON", one)
	}
}

// Command hostkit certifies the loop of a host: a program that holds a connection of the engine and performs its
// effects. It plays both peers, the clock, the timers and the disk. loops.Read makes its scripts of all vectors of
// connections. Then it plays the scenarios of `elicit hostkit`, which need no repository.
//
//	go run ./internal/hostkit [-json FILE] [-host NAME] PROGRAM ARGUMENTS...
//
// The program drives the loop of the host and speaks as hostscript.Host says: lines and bytes on its standard streams.
// Examples of 40 to 90 lines are cabi/test/loop.c and the files hostkit.* in the tests of the bindings.
//
// The command prints what the host did wrong, with the first script for each mistake, and ends with 1. With -json it
// writes {"host","scripts","passed","mistakes":{…},"failed":[…]} to a file. With -host the numbers join the record of
// hosts: see loops.Keep.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
)

func main() {
	root := flag.String("vectors", "testdata/vectors", "the directory of the vectors")
	result := flag.String("json", "", "a file for the result")
	host := flag.String("host", "", "the name of the host in the record of hosts")
	flag.Parse()
	good, err := certify(*root, *result, *host, flag.Args(), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostkit:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

func certify(root, result, host string, args []string, out io.Writer) (good bool, err error) {
	if len(args) == 0 {
		return false, fmt.Errorf("name the program of the host")
	}
	scripts, _, err := loops.Read(root)
	if err != nil {
		return false, err
	}
	scripts = append(scripts, hostscript.Scenarios()...)
	r, failed := hostscript.Certify(scripts, args, hostscript.Patience)
	r.Tell(out)
	if host != "" && failed == nil {
		failed = loops.KeepScripts(host, scripts, r.Failed)
	}
	if text, err := json.Marshal(r); result != "" && err == nil {
		failed = cmp.Or(failed, os.WriteFile(result, append(text, '\n'), 0o644))
	}
	return r.Good(), failed
}

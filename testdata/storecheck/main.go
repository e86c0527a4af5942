// Command storecheck holds a store that another language implements to the rules of package storetest. It starts the
// program that its arguments name, which serves the store over its standard input and output, and prints a line per
// rule:
//
//	storecheck node bridge.mjs redis /run/redis.sock
//
// Package storebridge says what the program reads and writes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/storetest"
	"github.com/elicit-engine/elicit/testdata/storebridge"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(program []string) error {
	if len(program) == 0 {
		return fmt.Errorf("name the program that serves the store")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	command := exec.CommandContext(ctx, program[0], program[1:]...)
	command.Stderr = os.Stderr
	p, err := storebridge.Start(command)
	if err != nil {
		return err
	}
	broken := 0
	for i, rule := range storetest.Rules() {
		open := func() store.Store { return p.Open(fmt.Sprint("rule ", i)) }
		if err := rule.Check(ctx, open); err != nil {
			broken++
			fmt.Printf("broken %s: %s: %v\n", rule.Name, rule.Text, err)
			continue
		}
		fmt.Printf("holds %s\n", rule.Name)
	}
	if broken > 0 {
		return fmt.Errorf("%d rules do not hold", broken)
	}
	return nil
}

// Command bundle writes the kit that certifies hosts into a directory, for a host in another language: see the README.
package main

import (
	"fmt"
	"os"

	"github.com/elicit-engine/elicit/plugins/tck"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bundle DIR")
		os.Exit(2)
	}
	if err := tck.Bundle(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

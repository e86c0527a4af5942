//go:build !slim

package main

import (
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guests compiles modules where the system lets the program map executable memory, and interprets them elsewhere. It
// keeps no file, because a library does not know whose directories it may use.
var guests abi.Guests = host.NewGuests(host.Options{Compiler: true, Beside: true})

//go:build slim

package main

import "github.com/elicit-engine/elicit/engine/abi"

// guests are left to the host: every consult comes out of the step as an effect.
var guests abi.Guests

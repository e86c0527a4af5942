//go:build slim

package main

import "github.com/elicit-engine/elicit/engine/abi"

// guests is nil in this build. The host runs all guardians: the step returns every consult as an effect.
var guests abi.Guests

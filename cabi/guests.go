//go:build !slim

package main

import (
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guests runs modules in an interpreter. A compiler would need memory that is writable and executable, and a library
// cannot know whether its program may map such memory.
var guests abi.Guests = host.NewGuests(host.Options{})

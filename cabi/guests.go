//go:build !slim

package main

import (
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/shelf"
)

// guests are interpreted: a library cannot know whether its program may map memory that is written and executed.
var guests abi.Guests = shelf.New(host.Options{})

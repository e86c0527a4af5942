package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// agentKeys are the members that the machine reads of a tool call, of its parts, of an option and of a subject.
//
// subject is nil in version 1, which has no subject. part is for content, locations and the blocks inside content.
type agentKeys struct{ call, part, option, subject []string }

var (
	keysOfV1 = agentKeys{
		call: []string{"_meta", "sessionUpdate", "toolCallId", "title", "name", "kind", "status", "content", "locations",
			"rawInput", "rawOutput"},
		part:   []string{"_meta", "type", "content", "path", "line", "oldText", "newText", "text"},
		option: []string{"_meta", "optionId", "name", "kind"},
	}
	keysOfV2 = agentKeys{
		call: keysOfV1.call,
		part: slices.Concat(keysOfV1.part, []string{"changes", "patch", "operation", "oldPath", "fileType", "mimeType",
			"format"}),
		option:  keysOfV1.option,
		subject: []string{"_meta", "type", "toolCall", "command", "cwd", "toolCallId", "terminalId"},
	}
)

// misspelled returns the problem with a permission in which some reader could take a member for another one.
//
// Example: {"toolCall":{"rawInput":{"cmd":"ls"},"raw_input":{"cmd":"rm"}}} shows ls to a person, and a lax agent runs
// rm.
func misspelled(params []byte, version string) *elicit.Problem {
	keys := keysOf(version)
	o, _ := wire.ReadObject(params)
	if problem := misspelledList(o.Get("options"), keys.option, "/params/options"); problem != nil {
		return problem
	}
	at := "/params"
	if keys.subject != nil {
		at += "/subject"
		o, _ = o.Child("subject")
		if problem := gate.Spelled(o, keys.subject, at); problem != nil {
			return problem
		}
	}
	tool, _ := o.Child("toolCall")
	return misspelledCall(tool, keys, at+"/toolCall")
}

func keysOf(version string) *agentKeys {
	if version == acp.V2.Version {
		return &keysOfV2
	}
	return &keysOfV1
}

func misspelledCall(tool wire.Object, keys *agentKeys, at string) *elicit.Problem {
	if problem := gate.Spelled(tool, keys.call, at); problem != nil {
		return problem
	}
	if problem := misspelledList(tool.Get("content"), keys.part, at+"/content"); problem != nil {
		return problem
	}
	return misspelledList(tool.Get("locations"), keys.part, at+"/locations")
}

// misspelledList looks at the objects of a list, and at what is inside of each: its content, its patch and its
// changes. A single object counts as a list of one.
//
// The cost is linear in the list, times the known names. Elements at a place that should have objects are skipped here,
// and the decoder refuses them.
func misspelledList(list []byte, known []string, at string) *elicit.Problem {
	elements, _ := wire.Elements(list, len(list))
	if wire.TypeOf(list) == wire.Map {
		elements = [][]byte{list}
	}
	for _, text := range elements {
		one, _ := wire.ReadObject(text)
		inner, _ := one.Child("content")
		patch, _ := one.Child("patch")
		objects := []wire.Object{one, inner, patch}
		changes, _ := wire.Elements(one.Get("changes"), len(text))
		for _, raw := range changes {
			change, _ := wire.ReadObject(raw)
			objects = append(objects, change)
		}
		for _, o := range objects {
			if problem := gate.Spelled(o, known, at); problem != nil {
				return problem
			}
		}
	}
	return nil
}

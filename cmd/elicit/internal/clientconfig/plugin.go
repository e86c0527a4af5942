package clientconfig

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"runtime"
	"strings"

	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

//go:embed opencode.js
var pluginOfOpencode string

// Plugin is the program that runs in opencode, which has no file of hooks. It starts the command for the events.
func Plugin(command string, events []string) []byte {
	if runtime.GOOS != "windows" {
		command = "exec " + command // so that the end of the shell is that of the hook
	}
	return []byte(strings.NewReplacer("COMMAND", oneLineJSON(command), "EVENTS", oneLineJSON(events)).
		Replace(pluginOfOpencode))
}

// isPlugin reports whether the file of a host is a program that is wholly ours.
func (f HookFile) isPlugin() bool { return f.Host == string(hooks.Opencode) }

var (
	pluginCommand = regexp.MustCompile(`(?m)^const command = (".*");$`)
	pluginEvents  = regexp.MustCompile(`(?ms)^const events = (\[.*?\]);$`)
)

// parsePlugin reads a plugin, also one of another version. A file that somebody else wrote is left alone.
func parsePlugin(d *HookDoc) (*HookDoc, error) {
	var command string
	var events []string
	line, list := pluginCommand.FindSubmatch(d.text), pluginEvents.FindSubmatch(d.text)
	if line == nil || list == nil || json.Unmarshal(line[1], &command) != nil || json.Unmarshal(list[1], &events) != nil ||
		ownLineOf(d.File.Host, strings.TrimPrefix(command, "exec ")) == "" {
		return nil, &Problem{Path: d.File.Path, Text: "this is no plugin of Elicit, and Elicit's would have this name"}
	}
	for i, event := range events {
		d.Hooks = append(d.Hooks, Hook{event, command, i})
	}
	return d, nil
}

// withPlugin is the document with our plugin for the events of the entries.
func (d *HookDoc) withPlugin(entries []HookEntry) (*HookDoc, error) {
	var events []string
	command := ""
	for _, e := range entries {
		events = append(events, e.Event)
		command, _ = e.Entry.(string)
	}
	next := &HookDoc{File: d.File, Exists: true, onDisk: onDisk{text: Plugin(command, events)}}
	if next.Same(d) {
		return d, nil
	}
	return parsePlugin(next)
}

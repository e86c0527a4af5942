package hostscript

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Script is what happens to one connection.
type Script struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"` // what the host has to get right
	Relay string `json:"relay"`           // the configuration of the connection
	Keeps int    `json:"keeps"`           // how many records the journal takes before it fails; -1 for all
	Steps []Step `json:"steps"`
}

// Effects are the names of the effects that a host must perform in the script, in the order in which they come first.
func (s Script) Effects() (names []string) {
	for _, step := range s.Steps {
		of := []string{}
		for _, item := range step.Want {
			of = append(of, step.effect(item))
		}
		if step.Wait >= 0 {
			of = append(of, "wake")
		}
		for _, name := range of {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Step is one call of a host, and what the host performs because of it.
type Step struct {
	Kind    string `json:"kind"`
	At      int64  `json:"at"`
	Elapsed int64  `json:"elapsed"` // -1 for none
	// Input is the message or the document of a step, and Hex the same for bytes that are not UTF-8.
	Input string `json:"input,omitempty"`
	Hex   string `json:"hex,omitempty"`
	// Fill is a number of bytes with which Bytes fills the message, in place of the word FILL.
	Fill int `json:"fill,omitempty"`
	// Want has an item for each thing that the host performs: "append RECORD", "new_journal", "END MESSAGE" for a message
	// to the client or the server, and the JSON of any other effect.
	Want []string `json:"want"`
	// Wait is the result of the last call of the loop.
	Wait int64 `json:"wait"`
}

// Opens reports whether the step opens the connection.
func (s Step) Opens() bool { return s.Kind == "open" || s.Kind == "alone" }

// effect is the name that the contract has for an item of the step.
func (s Step) effect(item string) string {
	word, message, _ := strings.Cut(item, " ")
	switch word {
	case "append", "new_journal":
		return word
	case "client", "server":
		if message == s.Input || message == string(s.Bytes()) {
			return "forward"
		}
		return "send"
	}
	var ef struct{ Effect string }
	_ = json.Unmarshal([]byte(item), &ef) // a host may write anything
	return ef.Effect
}

// Bytes is the input of a step.
func (s Step) Bytes() []byte {
	if s.Hex != "" {
		raw, _ := hex.DecodeString(s.Hex)
		return raw
	}
	return []byte(s.filled(s.Input))
}

// filled writes the bytes of Fill in place of FILL, so that a long message takes no room in a file.
func (s Step) filled(text string) string {
	if s.Fill == 0 {
		return text
	}
	return strings.Replace(text, "FILL", strings.Repeat("x", s.Fill), 1)
}

// Opening is the document that opens the connection of a script for elicit_next.
func (s Step) Opening(relay string) []byte {
	out := fmt.Appendf(nil, `{"pull":true,"at":%d,`, s.At)
	if s.Elapsed >= 0 {
		out = fmt.Appendf(out, `"elapsed":%d,`, s.Elapsed)
	}
	return fmt.Appendf(out, `"random":"%064d","relay":%s}`, 0, relay)
}

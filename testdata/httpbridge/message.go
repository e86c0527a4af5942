package main

import (
	"bytes"
	"encoding/json"
)

// july is the first date of the protocol without sessions.
const july = "2026-07-28"

// message has the members of a JSON-RPC message that the bridges need. The line is the original text.
type message struct {
	line   []byte
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name          any             `json:"name"`
		URI           any             `json:"uri"`
		ProgressToken json.RawMessage `json:"progressToken"`
		Meta          struct {
			ProgressToken  json.RawMessage `json:"progressToken"`
			SubscriptionID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
			Version        any             `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
	Result *struct {
		ProtocolVersion any `json:"protocolVersion"`
	} `json:"result"`
	Error *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// read reads a message. Any JSON is a message, because the other end checks its shape.
func read(text []byte) (message, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return message{}, err
	}
	m := message{line: line.Bytes()}
	_ = json.Unmarshal(m.line, &m)
	return m, nil
}

func (m message) asks() bool    { return m.Method != "" && m.ID != nil }
func (m message) answers() bool { return m.Method == "" && m.ID != nil }

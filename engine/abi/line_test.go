package abi

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzLine gives a table any line: it answers each with one line of the one shape.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"op":"open","input":{}}`, `{"id":[1,"a"],"op":"describe"}`, `{"op":"form","input":` + deploySchema + `}`,
		`{"op":"check","handle":"0000000100000001","input":{"region":"eu"}}`, `{"op":"step","handle":"0000000100000001","input":{"save":"s"}}`,
		`{"op":"parse","input":{"document_text":"{"}}`, `{"op":"close","handle":"0000000100000001"}`, "{\"id\":{\n},\"op\":\"x\"}", `{"id":1,"id":2}`, ``,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var table Table
		table.Line([]byte(`{"op":"form","input":`+deploySchema+`}`), nil)
		got := table.Line(line, nil)
		var answer struct {
			ID     json.RawMessage
			Status string
			Handle string
			Output map[string]json.RawMessage
		}
		dec := json.NewDecoder(bytes.NewReader(got))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&answer); err != nil || answer.Status == "" || answer.Output == nil || answer.ID == nil {
			t.Fatalf("%s is answered with %s (%v)", line, got, err)
		}
		if bytes.ContainsAny(got, "\r\n") {
			t.Fatalf("%s is answered with more than a line: %q", line, got)
		}
		if _, wrong := answer.Output["problems"]; answer.Status != "ok" && !wrong {
			t.Fatalf("%s fails without a problem: %s", line, got)
		}
	})
}

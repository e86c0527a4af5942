package elicit

// Modes says which kinds of question a host can put before a person. The zero value shows nothing. MCP 2025-11-25
// lifecycle: "elicitation":{} declares forms alone, which the wire reads.
type Modes struct{ Form, URL bool }

// Has reports whether m includes mode; an unknown mode is never included.
func (m Modes) Has(mode Mode) bool { return mode == Form && m.Form || mode == URL && m.URL }

// AppendJSON appends a list of "form" and "url".
func (m Modes) AppendJSON(dst []byte) []byte {
	switch {
	case m.Form && m.URL:
		return append(dst, `["form","url"]`...)
	case m.Form:
		return append(dst, `["form"]`...)
	case m.URL:
		return append(dst, `["url"]`...)
	}
	return append(dst, `[]`...)
}

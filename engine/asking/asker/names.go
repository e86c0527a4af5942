package asker

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/seal"
)

// separator stands between the name of a session and a link or id in it.
const separator = "."

// maxName is the most bytes of a session's name that a store takes.
const maxName = 1024

// part divides a token into the name of a session and the link or id in it. A name that no store takes is "".
//
// A token without the separator is a name alone, with an empty rest. No question has an empty link or id.
func part(token string) (name, rest string) {
	name, rest, _ = strings.Cut(token, separator)
	if len(name) > maxName || !utf8.ValidString(name) {
		return "", rest
	}
	return name, rest
}

// sessionName is the name of a session in links, ids and the store. It tells nothing of the name that the transport
// gives the session, which may be as good as a password.
//
// Each kind of name begins with other words, so that no session of one kind can have the name of another kind.
func (m *Machine) sessionName(of string) string {
	return hashed(listed("elicit session", m.sessions.config.Asking.Server, of))
}

// keyName is the name of the session of a call that stands alone. It tells nothing of the key.
func (m *Machine) keyName(key string) string {
	return hashed(listed("elicit alone", m.sessions.config.Asking.Server, key))
}

// callName is the name of the session of a call that is known when it is made again.
//
// Form is part of it: a call of a client without forms and one of a client with forms need different machines.
func (m *Machine) callName(r *run) string {
	c, server := r.called, m.sessions.config.Asking.Server
	d, _ := r.arguments() // unreadable ones are refused with the first question
	parts := listed("elicit call", server, r.client.Principal, c.Method, c.Target, digest.Hex(d[:]))
	return hashed(append(append(parts, ','), strconv.FormatBool(r.client.Declared.Form)...))
}

// listed writes the beginning of a list.
func listed(parts ...string) []byte {
	doc := []byte{'['}
	for _, part := range parts {
		doc = jsontext.AppendString(jsontext.Comma(doc), part)
	}
	return doc
}

// hashed makes a name from a list that is not closed yet.
//
// It has 128 bits. A reader of a session's name in a link cannot find its parts.
func hashed(list []byte) string {
	d, _ := seal.Digest(append(list, ']'))
	return digest.Hex(d[:16])
}

// returns reports whether the client is told to make the call again without a state: after the error -32042. The call
// is then known by its principal, target and arguments.
func (c Client) returns() bool { return c.bare() && c.Declared.URL && c.Principal != "" }

// unknownAgain reports whether nobody could tell who makes a call again after the error -32042. Another client could
// take the answer for its own call, so that URLs reach this client through the model, with an id.
func (c Client) unknownAgain() bool { return c.bare() && c.Principal == "" }

func (c Client) bare() bool { return c.Session == "" && !c.Requests && c.Version == "2025-11-25" }

// Rounds is the protocol date from which a server sends no requests to its clients.
const Rounds = "2026-07-28"

// NeedsFallback reports whether some question can reach a client like this in no other way than by a model's text, so
// that the fallback tool belongs into its list of tools. A text is the last way. A client without URLs needs it for a
// question that only asks to visit a URL, and for secrets, which its forms may not ask for. A client without forms
// needs it when there is no page.
func (c Config) NeedsFallback(of Client) bool {
	carried := of.Version == "" || of.Version >= Rounds || of.Requests
	form := of.Declared.Form && carried
	url := of.Declared.URL && of.Version != "2025-06-18" && (carried || of.Version == "2025-11-25") && !of.unknownAgain()
	return c.Asking.Fallback != "" && (!url || !form && c.Asking.Page == "")
}

// asking is the configuration of the machine of a session. Links and ids begin with the session's name, so that any
// process finds the session.
func (m *sessions) asking(name string, of client) asking.Config {
	c := m.config.Asking
	c.Principal, c.Version, c.Requests, c.Prefix = of.Principal, of.Version, of.Requests, name+separator
	c.Declared.Form, c.Declared.URL = of.Form, of.URL
	if c.Page != "" {
		c.Page += c.Prefix
	}
	return c
}

// Capable is the client with what it declared in its capabilities, as they are in its request or in initialize. The
// version is then any date, "" for an unknown one, and becomes one of those that the machine knows. A client of rounds
// has no session, and gets no requests.
//
// Examples, with the modes that count: {"elicitation":{}} form; {"elicitation":{"url":{}}} url;
// {"elicitation":{"form":{},"url":{}}} both; {} none.
func (c Client) Capable(capabilities []byte) Client {
	given := gjson.GetBytes(capabilities, "elicitation")
	form, url := given.Get("form"), given.Get("url")
	c.Declared.URL = url.IsObject()
	c.Declared.Form = given.IsObject() && (form.IsObject() || form.Type == gjson.Null && url.Type == gjson.Null)
	switch names := form.IsObject() || url.IsObject(); {
	case c.Version >= Rounds:
		c.Version, c.Session, c.Requests = Rounds, "", false
	case c.Version >= "2025-11-25" || c.Version == "" && names: // a client that names modes has a date that knows them
		c.Version = "2025-11-25"
	default:
		c.Version = "2025-06-18"
	}
	return c
}

// AppendJSON appends {"session"?,"principal"?,"version"?,"declared","requests"?}, which ReadClient reads.
func (c Client) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.OptStrs("session", c.Session, "principal", c.Principal, "version", c.Version)
	o.Name("declared", c.Declared.AppendJSON)
	o.OptTrue("requests", c.Requests)
	return o.End()
}

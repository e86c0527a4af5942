package link

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Audience is what a configuration says about who is asked, and by whom.
//
// It never changes. Modes says what the host can show, and counts only with AskHost and AskEither.
type Audience struct {
	Ask       string
	Modes     elicit.Modes // of the host
	Alone     bool         // policy answers if nobody can be asked
	Server    string
	Identity  string
	Principal string
}

// These say who is asked.
const (
	AskHost   = "host"
	AskClient = "client"
	AskEither = "either"
	AskPolicy = "policy"
	AskNobody = "nobody"
)

// Client reports whether the client is asked, and nobody else.
func (a *Audience) Client() bool { return a.Ask == AskClient }

// Host reports whether the host is asked, and nobody else.
func (a *Audience) Host() bool { return a.Ask == AskHost }

// MaybeClient reports whether the client may be asked.
func (a *Audience) MaybeClient() bool { return a.Ask == AskClient || a.Ask == AskEither }

// MaybeHost reports whether the host may be asked.
func (a *Audience) MaybeHost() bool { return a.Ask == AskHost || a.Ask == AskEither }

// AsksClient reports whether a question that is to be shown, and that the client may be asked, goes to the client.
func (a *Audience) AsksClient(s *effect.Show) bool { return a.Ask != AskEither || s.ByClient }

// SessionOf names the session for the modes that a request declared. With AskEither, the name has the modes of the
// client too. behind names the server that asks if it is behind the one at the other end.
//
// The name carries all that Opening needs, so a session can be opened again from its name when an engine is replaced.
// Examples: "form+url", "form/url" for AskEither, and "form deploy" for a server named deploy behind the one at the
// other end. The mode words have no space and no slash, so the first of each ends them, whatever a peer puts into the
// name.
func (a *Audience) SessionOf(declared, client elicit.Modes, behind string) string {
	name := sessionOf(declared)
	if a.Ask == AskEither {
		name += "/" + sessionOf(client)
	}
	if behind != "" {
		name += " " + behind
	}
	return name
}

// Opening is the event that opens the session with a name. The other end does not say what a server behind it really
// is. Its identity is therefore its name there.
func (a *Audience) Opening(name string) event.Opened {
	modes := modesOf(name)
	ev := event.Opened{Session: name, Server: a.Server, Side: elicit.Answering, Identity: a.Identity,
		Principal: a.Principal, Declared: modes, Shown: a.shown(modes)}
	words, server, behind := strings.Cut(name, " ") // first, because a peer may name a server "x/form"
	if _, client, either := strings.Cut(words, "/"); either {
		ev.Client = modesOf(client)
	}
	if behind {
		ev.Server, ev.Identity = server, a.Identity+" server "+server
	}
	return ev
}

// shown returns the declared modes that can be shown to somebody.
func (a *Audience) shown(declared elicit.Modes) elicit.Modes {
	switch a.Ask {
	case AskClient:
		return declared
	// With AskEither, what only the client can show is not in Shown. Opened.Client has it.
	case AskHost, AskEither:
		return elicit.Modes{Form: declared.Form && a.Modes.Form, URL: declared.URL && a.Modes.URL}
	}
	return elicit.Modes{}
}

// Declare writes into a request the modes that can be shown, in place of what the client declared. It returns the
// modes that the server now reads there, and those that the client itself declared. A declaration that already says
// so stays byte for byte.
//
// Example: a client declares {"roots":{}}, and the host shows forms. The server reads
// {"roots":{},"elicitation":{"form":{}}}. A server that reads no elitication there must not ask, and an engine session
// in no mode refuses it if it does.
func (a *Audience) Declare(body []byte, at Declaration) (out []byte, declared, client mcp.Modes) {
	client = at.Read(body)
	modes := mcp.Modes{Form: a.Modes.Form, URL: a.Modes.URL}
	switch a.Ask {
	case AskClient:
		return body, client, client
	case AskEither:
		modes.Form, modes.URL = modes.Form || client.Form, modes.URL || client.URL
		// Policy can answer only what is asked, and a server asks nothing without a declaration.
		if a.Alone && modes.None() {
			modes.Form, modes.URL = true, true
		}
		// A dialect without URL mode cannot spell it, so a difference in URL alone is none there.
		if !client.None() && client.Form == modes.Form && (client.URL == modes.URL || !at.Dialect.URL) {
			return body, client, client
		}
	case AskPolicy:
		modes.Form, modes.URL = true, true
	case AskNobody:
		modes.Form, modes.URL = false, false
	}
	body = at.Write(body, modes)
	return body, at.Read(body), client
}

// sessionOf names the session for declared modes. Questions of both dates of a connection share it if the declared
// modes are equal.
func sessionOf(declared elicit.Modes) string {
	switch {
	case !declared.Form && !declared.URL:
		return "none"
	case !declared.URL:
		return "form"
	case !declared.Form:
		return "url"
	}
	return "form+url"
}

func modesOf(session string) elicit.Modes {
	session, _, _ = strings.Cut(session, " ")
	session, _, _ = strings.Cut(session, "/")
	return elicit.Modes{Form: session == "form" || session == "form+url", URL: session == "url" || session == "form+url"}
}

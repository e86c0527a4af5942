package relay

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// audience is what a configuration says about who is asked, and by whom.
type audience struct {
	ask       Asker
	modes     elicit.Modes // of the host
	alone     bool         // policy answers if nobody can be asked
	server    string
	identity  string
	principal string
}

func audienceOf(c *Config) audience {
	return audience{c.Ask, c.Modes, c.PolicyAlone, c.Server, c.Identity, c.Principal}
}

// terms is what a dialogue knows of the configuration.
func (a *audience) terms() link.Terms {
	return link.Terms{Client: a.ask == AskClient, Host: a.ask == AskHost, Forms: a.modes.Form}
}

// maybeClient reports whether the client may be asked.
func (a *audience) maybeClient() bool { return a.ask == AskClient || a.ask == AskEither }

// asksClient reports whether a question that is to be shown, and that the client may be asked, goes to the client.
func (a *audience) asksClient(s *effect.Show) bool { return a.ask != AskEither || s.ByClient }

// between names the session for the modes that a request declared, in a connection in which the client may draw some
// of them. With AskEither, the name ends with the modes of the client.
func (a *audience) between(declared, client mcp.Modes) string {
	if a.ask != AskEither {
		return sessionOf(declared)
	}
	return sessionOf(declared) + "/" + sessionOf(client)
}

// behind names the session for the questions of a server behind the one at the other end, or of that one itself.
func behind(declared mcp.Modes, server string) string {
	if server == "" {
		return sessionOf(declared)
	}
	return sessionOf(declared) + " " + server
}

// opening is the event that opens the session with a name. The other end does not say what a
// server behind it really is. Its identity is therefore its name there.
func (a *audience) opening(name string) event.Opened {
	modes := modesOf(name)
	ev := event.Opened{Session: name, Server: a.server, Side: elicit.Answering, Identity: a.identity,
		Principal: a.principal, Declared: modes, Shown: a.shown(modes)}
	if _, client, either := strings.Cut(name, "/"); either {
		ev.Client = modesOf(client)
	}
	if _, server, behind := strings.Cut(name, " "); behind {
		ev.Server, ev.Identity = server, a.identity+" server "+server
	}
	return ev
}

// shown returns the declared modes that can be shown to somebody.
func (a *audience) shown(declared elicit.Modes) elicit.Modes {
	switch a.ask {
	case AskClient:
		return declared
	case AskHost, AskEither:
		return elicit.Modes{Form: declared.Form && a.modes.Form, URL: declared.URL && a.modes.URL}
	}
	return elicit.Modes{}
}

// declare writes into a request the modes that can be shown, in place of what the client declared. It returns the
// modes that the server now reads there, and those that the client itself declared. A declaration that already says
// so stays byte for byte.
func (a *audience) declare(body []byte, at link.Declaration) (out []byte, declared, client mcp.Modes) {
	client = at.Read(body)
	modes := mcp.Modes{Form: a.modes.Form, URL: a.modes.URL}
	switch a.ask {
	case AskClient:
		return body, client, client
	case AskEither:
		modes.Form, modes.URL = modes.Form || client.Form, modes.URL || client.URL
		if a.alone && modes.None() {
			modes.Form, modes.URL = true, true
		}
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
func sessionOf(declared mcp.Modes) string {
	switch {
	case declared.None():
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

package lint

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// request checks params, which may be part of a whole message. A message has method and params, and params alone have
// message: so a member params decides what doc is.
func (l *linter) request(root *node) {
	if params := root.member("params"); params != nil {
		root = params
	}
	var texts []prose
	if n := root.member("message"); n != nil {
		texts = append(texts, prose{n, longMessage})
	}
	for _, l.rule = range rules() {
		if l.rule.request != nil {
			l.rule.request(l, root)
		}
		l.judge(texts)
	}
	// A schema in URL mode is reported as a whole (other_modes_member), so its fields are not looked at.
	if asked := root.member("requestedSchema"); asked != nil && !root.member("mode").is("url") {
		l.schema(asked)
	}
}

var messageMissing = rule{Doc: Doc{Code: "message_missing", Severity: Error,
	Title: "No message.",
	About: "Every request needs a text that says what is asked and why. Without one the request is not valid; with an " +
		"empty one people decline."},
	request: func(l *linter, params *node) {
		l.demand(params, "message", func(s string) bool { return !blank(s) })
	}}

// demand reports a member that is no text or not a good one. A member that is missing is reported at its object.
func (l *linter) demand(params *node, name string, good func(string) bool) {
	n := params.member(name)
	if s, ok := n.text(); ok && good(s) {
		return
	}
	if n == nil {
		n = params
	}
	l.say(n, nil)
}

var modeUnknown = rule{Doc: Doc{Code: "unknown_mode", Severity: Error,
	Title: "A mode that does not exist.",
	About: "The mode is form or url; left out it is form."},
	request: func(l *linter, params *node) {
		if n := params.member("mode"); n != nil && !n.is("form") && !n.is("url") {
			l.say(n, []elicit.Arg{elicit.Raw("mode", scalar(n))})
		}
	}}

// scalar is a value for a sentence: the text itself, or the JSON of another value, shortened.
func scalar(n *node) string {
	if s, ok := n.text(); ok {
		return quote(clip(s))
	}
	return quote(clip(string(n.raw)))
}

var modeNotInProtocol = rule{Doc: Doc{Code: "mode_not_in_protocol", Severity: Error,
	Title: "URL mode for a date without it.",
	About: "2025-06-18 has forms only; a client of that date reads the request as a form without a schema."},
	request: func(l *linter, params *node) {
		if n := params.member("mode"); l.target == For20250618 && n.is("url") {
			l.say(n, []elicit.Arg{elicit.Str("date", l.target.String())})
		}
	}}

var schemaMissing = rule{Doc: Doc{Code: "schema_missing", Severity: Error,
	Title: "A form without a schema.",
	About: "Form mode needs requestedSchema; for a plain confirmation it is an object without properties."},
	request: func(l *linter, params *node) {
		if mode := params.member("mode"); (mode == nil || mode.is("form")) && params.member("requestedSchema") == nil {
			l.say(params, nil)
		}
	}}

var urlMissing = rule{Doc: Doc{Code: "url_not_given", Severity: Error,
	Title: "URL mode without a URL.",
	About: "URL mode needs an absolute URL in url."},
	request: func(l *linter, params *node) {
		if params.member("mode").is("url") {
			l.demand(params, "url", func(s string) bool { return strings.Contains(s, "://") })
		}
	}}

var urlInsecure = rule{Doc: Doc{Code: "url_not_https", Severity: Warning,
	Title: "A page that is not encrypted.",
	About: "Use https outside development. Not reported for addresses of this machine. (MCP client/elicitation, Safe " +
		"URL Handling)"},
	request: func(l *linter, params *node) {
		n := params.member("url")
		s, ok := n.text()
		if !ok || !params.member("mode").is("url") {
			return
		}
		scheme, rest, found := strings.Cut(asciiLower(s), "://")
		host := rest[:hostEnd(rest)]
		if found && scheme != "https" && host != "localhost" && host != "127.0.0.1" && host != "[::1]" {
			l.say(n, []elicit.Arg{elicit.Str("scheme", clip(scheme))})
		}
	}}

// hostEnd returns where the host of an address without its scheme ends, without the port. "[::1]:80" ends behind the
// bracket. A name before "@" is no case here: such a URL counts as one of another host.
func hostEnd(rest string) int {
	for i := range len(rest) {
		switch rest[i] {
		case '/', '?', '#', '\\':
			return i
		case ':':
			if rest[0] != '[' || strings.IndexByte(rest[:i], ']') >= 0 {
				return i
			}
		}
	}
	return len(rest)
}

var otherModesMember = rule{Doc: Doc{Code: "other_modes_member", Severity: Warning, Mends: true,
	Title: "A member of the other mode.",
	About: "A form with a url, or a URL request with a requestedSchema: some clients refuse it, the others ignore the " +
		"member."},
	request: func(l *linter, params *node) {
		name := "url"
		if params.member("mode").is("url") {
			name = "requestedSchema"
		}
		if n := params.member(name); n != nil && n.kind != jsontext.KindNull {
			l.say(n, []elicit.Arg{elicit.Str("member", name)}, n.remove())
		}
	}}

package lint

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// formats are the formats of every protocol date.
var formats = [...]string{"email", "uri", "date", "date-time"}

// misspellings maps what authors write, in small letters and without separators, to the protocol's word.
var misspellings = map[string]string{
	"datetime": "date-time", "timestamp": "date-time", "iso8601": "date-time", "rfc3339": "date-time",
	"datetimelocal": "date-time", "date": "date", "fulldate": "date", "day": "date", "email": "email", "mail": "email",
	"emailaddress": "email", "idnemail": "email", "url": "uri", "uri": "uri", "link": "uri", "http": "uri", "https": "uri",
	"href": "uri", "iri": "uri", "website": "uri",
}

var misspelledFormat = rule{Doc: Doc{Code: "misspelled_format", Severity: Warning, Mends: true,
	Title: "A format of the protocol under another name.",
	About: "The protocol's formats are email, uri, date and date-time. A name that is nearly one of them is not " +
		"enforced, and strict clients refuse it."},
	field: func(l *linter, f *field) {
		n, name, meant := l.foreignFormat(f)
		if n != nil && meant != "" {
			l.say(n, []elicit.Arg{elicit.Str("format", clip(name)), elicit.Str("meant", meant)}, n.quoted(meant))
		}
	}}

var unknownFormat = rule{Doc: Doc{Code: "unknown_format", Severity: Warning, Mends: true,
	Title: "A format the protocol does not have.",
	About: "Clients show or ignore it, and strict ones refuse it. No client has to enforce it. Describe the shape in " +
		"the description, and check it on the server."},
	field: func(l *linter, f *field) {
		n, name, meant := l.foreignFormat(f)
		if n != nil && meant == "" {
			l.say(n, []elicit.Arg{elicit.Str("format", clip(name))}, n.remove())
		}
	}}

// foreignFormat returns the format of a field if it is none of the protocol's, and the format that the author probably
// meant. n is nil for a field without a format, with a format of the protocol, or with one that is no text. "Date_Time"
// is read as datetime, which means date-time.
func (l *linter) foreignFormat(f *field) (n *node, name, meant string) {
	n = l.keyword(f.node, "format")
	name, ok := n.text()
	if !ok {
		return nil, "", ""
	}
	for _, known := range formats {
		if name == known {
			return nil, "", ""
		}
	}
	bare := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_ .:", r) })
	return n, name, misspellings[strings.Join(bare, "")]
}

// Package site holds the rules of the pages that a server hosts: which request of a browser gets what, who may see a
// question, and what protects it. docs/asking.md has the sequence from the link to the answer, and the protections.
//
// The package is pure. A host hands it each request, and gets the response. A question is in a session, which only
// package asker can look into. So there are three steps:
//
//	s, problems := site.New("https://bot.example/ask/#/", "bot", "/login")
//	visit, response := s.Begin(request, secret)    // the response, or a visit to the session of visit.Link
//	event, response := visit.Look(page)            // the response, or an event for the session
//	response = visit.Done(page, problems, failed)  // what came of the event
//
// The checks are in an order in which nobody learns more than they may. Host, path, origin and media type come first,
// and need no question. The login comes before the token is read. The principal comes before anything that the link
// names. A browser without the cookie of the link learns that there is a page, and nothing of it.
package site

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/risk"
)

// Site is the pages below one address.
//
// host has the port only if it is not the usual one, as browsers write it. origin is the scheme and that host. path
// ends with a slash.
type Site struct {
	host, origin, path string
	secure             bool // https
	name, signIn       string
}

// Fragment ends the address of a site in links. The token follows it: browsers send this part to no server.
const Fragment = "#/"

// New makes a site. links is what stands before the tokens of all links: an address and Fragment. It must be https,
// except on loopback. name is that of the server. signIn is a path or an address where a person signs in, "" for none.
//
// Userinfo, a query and characters that need an escape are refused: a proxy may spell them in another way, and the
// comparisons below are of bytes.
func New(links, name, signIn string) (*Site, []elicit.Problem) {
	bad := func(code, member string) (*Site, []elicit.Problem) {
		return nil, []elicit.Problem{{Code: code, Pointer: "/" + member}}
	}
	base, _ := strings.CutSuffix(links, Fragment)
	u, ok := risk.ParseURL(base)
	if !ok || u.Userinfo || u.PathStart == u.PathEnd || u.PathEnd != len(base) || !strings.HasSuffix(base, "/") ||
		strings.ContainsFunc(base[u.PathStart:], notPath) {
		return bad("bad_address", "page")
	}
	if u.Scheme != "https" && !loopback(u.Host) {
		return bad("page_not_https", "page")
	}
	s := &Site{host: u.Host, path: base[u.PathStart:], secure: u.Scheme == "https", name: name, signIn: signIn}
	if usual := map[string]int{"http": 80, "https": 443}[u.Scheme]; u.Port != 0 && u.Port != usual {
		s.host += ":" + strconv.Itoa(u.Port) // browsers leave the usual port out
	}
	s.origin = u.Scheme + "://" + s.host
	if !s.mayLink(signIn) {
		return bad("bad_address", "sign_in")
	}
	return s, nil
}

// notPath refuses characters in an address that servers hand on in different spellings.
func notPath(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-._~/", c))
}

func loopback(host string) bool {
	return host == "localhost" || host == "[::1]" || strings.HasPrefix(host, "127.") && !strings.ContainsFunc(host, notIP)
}

func notIP(c rune) bool { return c != '.' && (c < '0' || c > '9') }

// mayLink refuses an address that is no web page: a javascript: address would run in the page.
//
// "//evil.example" and "/\evil.example" begin with a slash, but browsers read them as another host (WHATWG URL,
// relative slash state).
func (s *Site) mayLink(to string) bool {
	if to == "" || to[0] == '/' && !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\t\r\n") {
		return true
	}
	u, ok := risk.ParseURL(to)
	return ok && (u.Scheme == "https" || !s.secure)
}

// document is the page that a browser navigates to. It is the same for every link, and holds no question.
func (s *Site) document() string {
	return strings.ReplaceAll(document, "{server}", escape.Replace(s.name))
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

const document = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>{server}</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="page.css">
    <script type="module" src="page.js"></script>
  </head>
  <body>
    <elicit-carrier server="{server}"></elicit-carrier>
    <noscript>This page needs its own script to draw a question.</noscript>
  </body>
</html>
`

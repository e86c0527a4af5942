package site

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// MostBody is the most bytes of a request's body: twice the largest answer that the engine reads. A host reads one byte
// more at most, so that a larger body is refused.
const MostBody = 512 << 10

// Request is a request as a web server read it.
//
// Everything in it comes from the network, except Login, Principal and Refused, which the host's own login says.
type Request struct {
	Method  string
	Host    string // that the request names
	Path    string // without the query
	Headers [][2]string
	Body    []byte
	// Login says that the server has a login. Principal is then who is signed in, "" for nobody.
	Login     bool
	Principal string
	// Refused is why the login let the person not in: "forbidden", or "failed" for a login that is out of order.
	Refused string
}

// Read takes {"method","host","path","headers"?:[["NAME","VALUE"]],"body"?,"principal"?,"refused"?}. Without a
// principal, the server has no login.
func Read(r *strict.Reader, member string) (q Request) {
	r.Object(member, func(r *strict.Reader) {
		q = Request{Method: r.Str("method"), Host: r.Str("host"), Path: r.Str("path"), Body: []byte(r.Opt("body")),
			Login: r.Has("principal"), Principal: r.Opt("principal"), Refused: r.Opt("refused")}
		r.Array("headers", func(i int, v gjson.Result) bool {
			pair := v.Array()
			if !v.IsArray() || len(pair) != 2 || pair[0].Type != gjson.String || pair[1].Type != gjson.String {
				r.Report("wrong_type", "headers", elicit.Str("expected", "array"))
				return false
			}
			q.Headers = append(q.Headers, [2]string{pair[0].String(), pair[1].String()})
			return true
		})
	})
	return q
}

// header returns a header. One that stands there twice is no value that any rule takes.
//
// Two Origin headers become "a, b", which equals no origin.
func (q *Request) header(name string) string {
	var all []string
	for _, h := range q.Headers {
		if strings.EqualFold(h[0], name) {
			all = append(all, h[1])
		}
	}
	return strings.Join(all, ", ")
}

// cookies returns the values of the cookies of one name, at most mostCookies.
func (q *Request) cookies(name string) (values []string) {
	for _, h := range q.Headers {
		if !strings.EqualFold(h[0], "cookie") {
			continue
		}
		for one := range strings.SplitSeq(h[1], ";") {
			n, value, _ := strings.Cut(strings.Trim(one, " \t"), "=")
			if n == name && len(values) < mostCookies {
				values = append(values, value)
			}
		}
	}
	return values
}

// Response is what a web server answers.
type Response struct {
	Status  int
	Headers [][2]string
	Body    string
	File    string // the name of a file of the page that is the body, "" for none
}

// AppendJSON appends {"status","headers":[["NAME","VALUE"]],"body"?,"file"?}.
func (p Response) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Int("status", int64(p.Status))
	o.Each("headers", len(p.Headers), func(dst []byte, i int) []byte {
		return jsontext.AppendStrings(dst, p.Headers[i][:])
	})
	o.OptStrs("body", p.Body, "file", p.File)
	return o.End()
}

// headers protect every response. No browser may cache, frame, sniff or share it or send a referrer, and the page runs
// only its own script. Each name occurs once. A host must not replace any of them.
var headers = [][2]string{
	{"Cache-Control", "no-store"},
	{"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types lit-html"},
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
}

// Headers returns the headers that protect every response of a page.
func Headers() [][2]string { return append([][2]string(nil), headers...) }

func respond(status int, kind, body string, more ...[2]string) *Response {
	list := append(append(Headers(), [2]string{"Content-Type", kind}), more...)
	return &Response{Status: status, Headers: list, Body: body}
}

// refuse answers with the text of a status and nothing else.
func refuse(status int, more ...[2]string) *Response {
	return respond(status, "text/plain; charset=utf-8", refusals[status]+"\n", more...)
}

var refusals = map[int]string{
	400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 413: "Request Entity Too Large",
	415: "Unsupported Media Type", 421: "Misdirected Request",
}

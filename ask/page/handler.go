package page

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/elicit-engine/elicit/internal/web"
)

// Options say where the pages are, and who may see them.
type Options struct {
	// Source has the questions.
	Source Source
	// Base is the address of the pages as browsers see it, such as https://example.org/ask/. It must be https, except on
	// loopback. Every request must name this host, so a proxy before the server has to keep the Host header.
	Base string
	// Name is the server's name, for the first page and for questions without one. "" is the host of Base.
	Name string
	// Principal names the person who makes a request, from the server's own login. It must not believe anything that the
	// client of the protocol said. ErrSignIn means that nobody is signed in, and ErrForbidden refuses the person.
	//
	// Without this function, a link belongs to the first browser that claims it, whoever uses that browser. That suits a
	// server on the person's own machine. It does not suit a server with several users: anyone could send the link of
	// their own question to somebody else.
	Principal func(*http.Request) (string, error)
	// SignIn is an address or a path where a person signs in. It should lead back to Base. "" gives no link.
	SignIn string
	// OnError gets the errors of Source and Principal that are no refusal. They never contain a token, unless the source
	// writes one into them. It is called by many goroutines at once. nil drops them.
	OnError func(error)
	// MostRequests is how many requests may use the source at once; more are refused with status 503. 0 is 64.
	MostRequests int
}

// Bounds of one request.
const (
	mostToken    = 8 << 10
	mostBody     = 512 << 10 // twice the largest answer the engine reads
	mostCookies  = 4         // of one name; another program on this host may have set more
	mostRequests = 64
)

// Handler serves the pages below one address. It is safe for concurrent use.
type Handler struct {
	o      Options
	base   *url.URL
	origin string
	secure bool // https
	files  map[string]web.File
	slots  chan struct{}
}

// New makes a handler. The error says which option is wrong.
func New(o Options) (*Handler, error) {
	if o.Source == nil {
		return nil, errors.New("page: Options.Source is nil; give the source of the questions")
	}
	base, err := readBase(o.Base)
	if err != nil {
		return nil, err
	}
	if err := checkSignIn(o.SignIn, base); err != nil {
		return nil, err
	}
	o.Name = cmp.Or(o.Name, base.Host)
	return &Handler{o: o, base: base, origin: base.Scheme + "://" + base.Host, secure: base.Scheme == "https",
		files: filesFor(o.Name), slots: make(chan struct{}, cmp.Or(max(o.MostRequests, 0), mostRequests))}, nil
}

// readBase reads Options.Base. A browser leaves the port of the scheme out, so readBase does too.
func readBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("page: Options.Base is no address: %w", err)
	}
	base.Host = strings.ToLower(base.Host)
	switch {
	case base.Host == "" || base.User != nil || base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, fmt.Errorf("page: Options.Base is %q; give a scheme, a host and a path alone", text)
	case !strings.HasSuffix(base.Path, "/"):
		return nil, fmt.Errorf("page: Options.Base is %q; its path must end with /", text)
	case base.Scheme == "http" && !isLoopback(base.Hostname()):
		return nil, fmt.Errorf("page: Options.Base is %q; use https, because others could read the answers", text)
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, fmt.Errorf("page: Options.Base is %q; the scheme must be https", text)
	}
	if base.Port() == map[string]string{"http": "80", "https": "443"}[base.Scheme] {
		base.Host = strings.TrimSuffix(base.Host, ":"+base.Port())
	}
	return base, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// checkSignIn refuses an address that is no web page: a javascript: address would run in this page.
func checkSignIn(text string, base *url.URL) error {
	at, err := base.Parse(text)
	if err != nil || at.Scheme != "https" && at.Scheme != base.Scheme || at.Host == "" {
		return fmt.Errorf("page: Options.SignIn is %q; give a path or an https address", text)
	}
	return nil
}

// Link returns the link that a person opens. The token is behind #, a part that browsers send to no server and to no
// other page. It is therefore in no log of a server or proxy. The link holds nothing about the person. Link("") is the
// beginning of all links, for a program that appends tokens of URL-safe letters itself.
func (h *Handler) Link(token string) string {
	link := *h.base
	link.Fragment = "/" + token
	return link.String()
}

// act handles one request of the page. ServeHTTP has checked it and bounded its body.
type act = func(h *Handler, w http.ResponseWriter, r *http.Request, principal string)

var acts = map[string]act{"open": (*Handler).open, "claim": (*Handler).claim, "answer": (*Handler).answer}

// ServeHTTP serves the paths below the path of Options.Base. Mount it there, without http.StripPrefix.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	web.SetSecurityHeaders(w.Header())
	name, below := strings.CutPrefix(r.URL.Path, h.base.Path)
	file, static := h.files[name]
	do, known := acts[name]
	switch {
	case !strings.EqualFold(r.Host, h.base.Host):
		web.Refuse(w, http.StatusMisdirectedRequest)
	case !below || !static && !known:
		web.Refuse(w, http.StatusNotFound)
	case static:
		file.Serve(w, r, h.origin)
	case web.RefusePost(w, r, h.origin):
	default:
		h.serve(w, r, do)
	}
}

// serve finds out who makes a request and performs it, when fewer requests than the limit are in work.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, do act) {
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	default:
		h.refuse(w, ErrBusy)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	principal := ""
	if h.o.Principal != nil {
		var err error
		principal, err = h.o.Principal(r)
		if err == nil && principal == "" {
			err = errors.New("page: Options.Principal returned no name and no error")
		}
		if err != nil {
			h.refuse(w, err)
			return
		}
	}
	do(h, w, r, principal)
}

func (h *Handler) report(err error) {
	if h.o.OnError != nil {
		h.o.OnError(err)
	}
}

// Package page serves the pages of a server that asks, with net/http. A page collects a form or a secret: the answer
// goes from the person's browser straight to the server, and no client and no model sees it.
//
//	asker, err := ask.New(ask.Options{Server: "bot", Page: "https://bot.example/ask/#/", SignIn: "/login"})
//	mux.Handle("/ask/", page.New(page.Options{Asker: asker, Principal: signedIn}))
//
// The handler keeps no state and has no rule. Package engine/asking/site has the rules: who may see a question, and
// what protects it. docs/asking.md has the sequence from the link to the answer. With ask.Options.Store, any process
// may serve any request of a browser.
package page

import (
	"embed"
	"errors"
	"io"
	"net/http"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/internal/web"
)

// Options say whose questions the pages show, and who may see them.
type Options struct {
	Asker *ask.Asker
	// Principal names the person who makes a request, from the server's own login, "" for nobody. It must not believe
	// anything that the client of the protocol said. ErrForbidden refuses the person.
	//
	// Without this function, a link belongs to the first browser that claims it, whoever uses that browser. That suits a
	// server on the person's own machine. It does not suit a server with several users: anyone could send the link of
	// their own question to somebody else.
	Principal func(*http.Request) (string, error)
	// OnError gets what a person reads of as a fault only: errors of Principal, and those of the store. They contain no
	// link. It is called by many goroutines at once. nil drops them.
	OnError func(error)
}

// ErrForbidden is the error with which Options.Principal refuses a person.
var ErrForbidden = errors.New("page: the person may not answer here")

// The files of the page. `./build.sh page` builds the scripts from bindings/js/src/page/carrier. They hold no secret.
//
//go:embed files
var embedded embed.FS

var files = web.Files(embedded, "files")

// New makes a handler of the requests below the address of ask.Options.Page. Mount it there, without http.StripPrefix.
// It needs the Host header that the browser sent.
func New(o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := site.Request{Method: r.Method, Host: r.Host, Path: r.URL.EscapedPath(), Login: o.Principal != nil}
		for name, values := range r.Header {
			for _, value := range values {
				q.Headers = append(q.Headers, [2]string{name, value})
			}
		}
		var failed error
		if q.Login {
			if q.Principal, failed = o.Principal(r); failed != nil {
				q.Refused = "failed"
			}
			if errors.Is(failed, ErrForbidden) {
				q.Refused, failed = "forbidden", nil
			}
		}
		q.Body, _ = io.ReadAll(io.LimitReader(r.Body, site.MostBody+1)) // half a body is no JSON
		p, err := o.Asker.Serve(q)
		if err = errors.Join(failed, err); err != nil && o.OnError != nil {
			o.OnError(err)
		}
		for _, h := range p.Headers {
			w.Header().Add(h[0], h[1])
		}
		w.WriteHeader(p.Status)
		_, _ = w.Write(append([]byte(p.Body), files[p.File].Text...))
	})
}

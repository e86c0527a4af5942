package main

import (
	"crypto/rand"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"sync"
)

// provider plays a service with OAuth: a page of consent, codes that work once, and tokens.
type provider struct {
	callback string // the only address that it sends people to

	mu     sync.Mutex
	codes  map[string]bool
	tokens map[string]bool
}

var consent = template.Must(template.New("").Parse(`<!doctype html><title>Provider</title>
<form method="post"><p>Let “{{.}}” read your repositories?</p><button>Allow</button></form>
`))

// ServeHTTP shows the consent, and sends the person back after it.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch {
	case q.Get("redirect_uri") != p.callback:
		http.Error(w, "This redirect_uri is not registered.", http.StatusBadRequest)
	case r.Method == http.MethodPost && r.Header.Get("Origin") == "http://"+r.Host:
		code := rand.Text()
		p.mu.Lock()
		p.codes[code] = true
		p.mu.Unlock()
		http.Redirect(w, r, p.callback+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(),
			http.StatusSeeOther)
	case r.Method == http.MethodGet:
		w.Header().Set("X-Frame-Options", "DENY")
		consent.Execute(w, q.Get("client_id"))
	default:
		http.Error(w, "Press the button on the page of consent.", http.StatusForbidden)
	}
}

// exchange gives a token for a code, once.
func (p *provider) exchange(code string) (token string, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.codes[code] {
		return "", false
	}
	delete(p.codes, code)
	token = rand.Text()
	p.tokens[token] = true
	return token, true
}

func (p *provider) repositories(token string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.tokens[token] {
		return "", errors.New("the provider does not know this token")
	}
	return "The account has the repositories atlas and beacon.", nil
}

// Package web holds the checks and headers that every page of Elicit needs. Two packages serve pages: the command on
// loopback (cmd/elicit/internal/browser), and a server that asks (ask/page).
//
//	web.SetSecurityHeaders(w.Header())
//	if !web.SameOrigin(r, "https://example.org") {
//		web.Refuse(w, http.StatusForbidden)
//	}
package web

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/elicit-engine/elicit/engine/asking/site"
)

// SetSecurityHeaders sets the headers of every response. No browser may cache, frame, sniff or share it or send a
// referrer, and the page runs only its own script.
func SetSecurityHeaders(h http.Header) {
	for _, one := range site.Headers() {
		h.Set(one[0], one[1])
	}
}

// Refuse writes a status and its standard text, so that a refusal tells nothing else.
func Refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

// SameOrigin reports whether the headers that the browser sent, if any, say that the page itself made the request.
func SameOrigin(r *http.Request, origin string) bool {
	site, from := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	return (site == "" || site == "same-origin") && (from == "" || from == origin)
}

// RefusePost refuses a request that a page's own script did not make. It must be a POST with the page's Origin header
// and a JSON body. For a request to be served, RefusePost writes nothing and returns false.
func RefusePost(w http.ResponseWriter, r *http.Request, origin string) bool {
	switch {
	case !SameOrigin(r, origin):
		Refuse(w, http.StatusForbidden)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		Refuse(w, http.StatusMethodNotAllowed)
	case r.Header.Get("Origin") != origin:
		Refuse(w, http.StatusForbidden)
	case r.Header.Get("Content-Type") != "application/json":
		Refuse(w, http.StatusUnsupportedMediaType)
	default:
		return false
	}
	return true
}

// Read reads one JSON object into in, and refuses unknown members. On failure it writes the response and returns false.
// The caller bounds the body.
func Read(w http.ResponseWriter, r *http.Request, in any) bool {
	reader := json.NewDecoder(r.Body)
	reader.DisallowUnknownFields()
	err := reader.Decode(in)
	if err == nil {
		_, err = reader.Token()
		if errors.Is(err, io.EOF) {
			return true
		}
		err = errors.New("more than one value")
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		Refuse(w, http.StatusRequestEntityTooLarge)
		return false
	}
	Refuse(w, http.StatusBadRequest)
	return false
}

// Equal compares two secrets of the same length in constant time. The time may show that the lengths differ.
func Equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

package page_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking/site"
)

// TestProtections: each case differs in one thing from a request that works.
func TestProtections(t *testing.T) {
	_, q, b := entered(t)
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	name, _, _ := strings.Cut(b.cookie(), "=")
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"another host", func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		{"another port", func(r *http.Request) { r.Host = "example.org:8443" }, http.StatusMisdirectedRequest},
		{"another origin", set("Origin", "https://evil.example"), http.StatusForbidden},
		{"two origins", func(r *http.Request) { r.Header["Origin"] = []string{origin, origin} }, http.StatusForbidden},
		{"the origin without TLS", set("Origin", "http://example.org"), http.StatusForbidden},
		{"opaque origin", set("Origin", "null"), http.StatusForbidden},
		{"no origin", func(r *http.Request) { r.Header.Del("Origin") }, http.StatusForbidden},
		{"another site", set("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"another host of the site", set("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		{"a form's type", set("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
		{"PUT", func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed},
		{"above the base", func(r *http.Request) { r.URL.Path = "/answer" }, http.StatusNotFound},
		{"an unknown act", func(r *http.Request) { r.URL.Path = "/ask/unknown" }, http.StatusNotFound},
		{"a file that is a way up", func(r *http.Request) { r.URL.Path = "/ask/../page.js" }, http.StatusNotFound},
		{"no cookie", func(r *http.Request) { r.Header.Del("Cookie") }, http.StatusConflict},
		{"another cookie", set("Cookie", name+"=guessed"), http.StatusConflict},
		{"an empty cookie", set("Cookie", name), http.StatusConflict},
		{"a cookie without the prefix", set("Cookie", strings.TrimPrefix(b.cookie(), "__Host-")), http.StatusConflict},
		{"a script opened by a stranger", func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodGet, "/ask/page.js"
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, http.StatusForbidden},
		{"the document in a frame", func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodGet, "/ask/"
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, http.StatusForbidden},
	} {
		w := b.do(b.request("answer", `{"token":"`+q.token+`"`+rightKey+`}`, c.change))
		if w.Code != c.want {
			t.Errorf("%s: got %d, want %d", c.name, w.Code, c.want)
		}
		if strings.Contains(w.Body.String(), "registry") {
			t.Errorf("%s: the refusal tells of the question: %s", c.name, w.Body)
		}
	}
	for body, want := range map[string]int{
		`{"token":"` + q.token + `","action":"agree"}`:                     http.StatusBadRequest,
		`{"token":"` + q.token + `"}`:                                      http.StatusBadRequest,
		`{"token":"` + q.token + `"` + rightKey + `,"more":1}`:             http.StatusBadRequest,
		`{"token":"` + q.token + `"` + rightKey + `}{}`:                    http.StatusBadRequest,
		`{"token":"` + q.token + `","token":"t"` + rightKey + `}`:          http.StatusBadRequest,
		"{\"token\":\"\xff\"" + rightKey + "}":                             http.StatusBadRequest,
		``:                                                                 http.StatusBadRequest,
		`{"token":"","action":"accept"}`:                                   http.StatusNotFound,
		`{"token":"` + strings.Repeat("t", 8<<10+1) + `"` + rightKey + `}`: http.StatusNotFound,
		`{"token":"` + q.token + `","action":"accept","content":"` + strings.Repeat("x", site.MostBody) +
			`"}`: http.StatusRequestEntityTooLarge,
	} {
		if w := b.do(b.request("answer", body, nil)); w.Code != want {
			t.Errorf("%.90s: got %d, want %d", body, w.Code, want)
		}
	}
	if len(q.done) != 0 {
		t.Fatal("a refused request answered the question")
	}
	b.post("answer", q.token, rightKey, "done") // the request that all cases change does work
}

// TestHeaders: every response has the headers, also refusals, and also the files.
func TestHeaders(t *testing.T) {
	d := newRig(t, nil)
	b := d.browser("")
	get := func(r *http.Request) { r.Method = http.MethodGet }
	for name, r := range map[string]*http.Request{
		"document":    b.request("", "", get),
		"script":      b.request("page.js", "", get),
		"act":         b.request("open", `{"token":"t"}`, nil),
		"refusal":     b.request("claim", `{"token":"t"}`, nil),
		"unknown":     b.request("unknown", "", nil),
		"misdirected": b.request("open", "", func(r *http.Request) { r.Host = "evil.example" }),
	} {
		w := b.do(r)
		h := w.Header()
		for header, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'none'; script-src 'self'; ",
			"Referrer-Policy":              "no-referrer",
			"Cache-Control":                "no-store",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Content-Type-Options":       "nosniff",
			"X-Frame-Options":              "DENY",
		} {
			if len(h[header]) != 1 || !strings.HasPrefix(h.Get(header), want) {
				t.Errorf("%s: %s is %q, want %q", name, header, h[header], want)
			}
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
		if name == "document" {
			for _, bad := range []string{"<script>", "<style", " on", "style=", `s "`, "<&", `'`} {
				if text := w.Body.String(); strings.Contains(text, bad) {
					t.Errorf("the document has %q: %s", bad, text)
				}
			}
		}
	}
}

// TestCookie: only this host and no script can read the cookie, and other sites cannot send it.
func TestCookie(t *testing.T) {
	d := newRig(t, nil)
	q := d.put("")
	b := d.browser("")
	for act, age := range map[string]int{"open": 0, "claim": 60 + 3600} {
		if act == "claim" {
			b.post("open", q.token, "", "new")
		}
		cookies := b.do(b.request(act, `{"token":"`+q.token+`"}`, nil)).Result().Cookies()
		if len(cookies) != 1 {
			t.Fatalf("%s: %d cookies", act, len(cookies))
		}
		c := cookies[0]
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" ||
			c.SameSite != http.SameSiteStrictMode || len(c.Value) != 32 || c.MaxAge != age || len(c.Unparsed) != 0 {
			t.Errorf("%s: the cookie is %s", act, c)
		}
		if strings.Contains(c.String(), q.token) {
			t.Errorf("%s: the cookie contains the token", act)
		}
		b = d.browser("")
		q = d.put("")
	}
	if a, other := d.browser(""), d.browser(""); true {
		a.post("open", q.token, "", "new")
		other.post("open", q.token, "", "new")
		if a.cookie() == other.cookie() {
			t.Error("two browsers have the same cookie")
		}
	}
}

// TestNoCookie: a browser that keeps no cookies learns why the link does not open, and does not use it up.
func TestNoCookie(t *testing.T) {
	d := newRig(t, nil)
	q := d.put("")
	d.browser("").post("claim", q.token, "", "no_cookie")
	d.browser("").enter(q.token)
}

// TestTossedCookies: cookies that another program on the host has set do not lock the person out, and many of them do
// not make much work.
func TestTossedCookies(t *testing.T) {
	_, q, b := entered(t)
	ours := b.cookie()
	name, _, _ := strings.Cut(ours, "=")
	for n, want := range map[int]int{3: http.StatusOK, 4: http.StatusConflict} {
		body := `{"token":"` + q.token + `","action":"accept","content":{"key":"bad"}}`
		w := b.do(b.request("answer", body, func(r *http.Request) {
			r.Header.Set("Cookie", strings.Repeat(name+"=tossed; ", n)+ours)
		}))
		if w.Code != want {
			t.Errorf("with %d more cookies: got %d, want %d", n, w.Code, want)
		}
	}
}

// TestPageIsSmall: a browser loads the page and at most one language besides English. Every file is there.
func TestPageIsSmall(t *testing.T) {
	d := newRig(t, nil)
	languages := []string{"", "ar.js", "de.js", "zh.js"}
	for i, language := range languages {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		for _, name := range []string{"", language, "form.js", "icon.svg", "page.css", "page.js"} {
			b := d.browser("")
			got := b.do(b.request(name, "", func(r *http.Request) { r.Method = http.MethodGet }))
			if got.Code != http.StatusOK || got.Body.Len() < 300 {
				t.Errorf("%q is %d, %d bytes", name, got.Code, got.Body.Len())
			}
			_, _ = w.Write(got.Body.Bytes())
		}
		w.Close()
		if most := 43<<10 + min(i, 1)*5<<10; packed.Len() > most {
			t.Errorf("with %q the page is %d bytes compressed, at most %d", language, packed.Len(), most)
		}
	}
}

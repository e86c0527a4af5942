package site

import (
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	for base, origin := range map[string]string{
		"http://localhost:80/":        "http://localhost",
		"http://[::1]:8080/a/":        "http://[::1]:8080",
		"http://127.0.0.1:8080/":      "http://127.0.0.1:8080",
		"https://example.org/":        "https://example.org",
		"https://EXAMPLE.org:443/":    "https://example.org",
		"https://example.org:80/":     "https://example.org:80",
		"http://example.org/":         "",
		"http://192.168.1.2/":         "",
		"http://127.0.0.1.evil.test/": "",
		"http://127.1.evil/":          "",
		"https://example.org":         "",
		"https://example.org/ask":     "",
		"https://example.org/a%2fb/":  "",
		"https://a:b@example.org/":    "",
		"https://example.org/?a/":     "",
		"https://example.org/#a/":     "",
		"ftp://example.org/":          "",
		"/ask/":                       "",
		"":                            "",
	} {
		s, problems := New(base+Fragment, "bot", "")
		if (origin != "") != (len(problems) == 0) || s != nil && s.origin != origin {
			t.Errorf("%q: %+v, %v", base, s, problems)
		}
	}
	for signIn, good := range map[string]bool{"": true, "/login?next=/ask/": true, "https://login.example/": true,
		"http://login.example/": false, "javascript:alert(1)": false, "data:text/html,a": false, "%zz": false,
		"//evil.example/": false, `/\evil.example/`: false, "/\t/evil.example": false, "login": false} {
		if _, problems := New("https://example.org/#/", "bot", signIn); (problems == nil) != good {
			t.Errorf("sign_in %q: %v", signIn, problems)
		}
	}
}

// TestName: the server's name is untrusted text in the document, and no byte of it can end that text.
func TestName(t *testing.T) {
	plain, _ := New("https://example.org/#/", "NAME", "")
	for c := range 0x180 {
		s, _ := New("https://example.org/#/", string(rune(c)), "")
		for _, special := range `<>"'&` {
			spare := strings.Count(s.document(), string(special)) - strings.Count(plain.document(), string(special))
			if spare != 0 && !(special == '&' && spare == 2 && strings.ContainsRune(`<>"'&`, rune(c))) {
				t.Errorf("%q adds %d of %c to the document", rune(c), spare, special)
			}
		}
	}
}

// FuzzBegin: no request makes the rules fail, and only a whole request of the page's own script reaches a session.
func FuzzBegin(f *testing.F) {
	s, _ := New("https://example.org/ask/#/", "bot", "/login")
	f.Add("POST", "/ask/open", "Cookie", "a=b", `{"token":"t"}`, "ada")
	f.Add("POST", "/ask/answer", "Cookie", "__Host-elicit-e3b98a4da31a127d=c", `{"token":"t","action":"accept"}`, "")
	f.Add("GET", "/ask/page.js", "Origin", "https://evil.example", "", "")
	f.Fuzz(func(t *testing.T, method, path, header, value, body, principal string) {
		v, response := s.Begin(Request{Method: method, Host: "example.org", Path: path, Headers: [][2]string{{header, value},
			{"origin", "https://example.org"}, {"content-type", "application/json"}}, Body: []byte(body), Login: true,
			Principal: principal}, "secret", 0)
		if (v == nil) == (response == nil) {
			t.Fatal("neither or both")
		}
		if v != nil && (principal == "" || method != "POST" || v.Link == "" || len(v.cookies) == 0) {
			t.Errorf("it reaches the session: %+v", v)
		}
		if response != nil && (response.Headers[1] != headers[1] || response.Status == 200 && principal == "" &&
			strings.Contains(response.Body, `"state"`)) {
			t.Errorf("%+v", response)
		}
	})
}

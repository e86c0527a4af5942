package main

import (
	"crypto/rand"
	"net/http"
	"strings"
	"sync"

	"github.com/elicit-engine/elicit/examples/internal/example"
)

// logins plays a login without passwords: who presses a button is that person. A real server has its own login.
type logins struct {
	mu    sync.Mutex
	users map[string]string // by the cookie
}

func newLogins() *logins { return &logins{users: map[string]string{}} }

const loginCookie = "expense-login"

func (l *logins) user(r *http.Request) (string, error) {
	cookie, err := r.Cookie(loginCookie)
	if err != nil {
		return "", nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.users[cookie.Value], nil
}

// ServeHTTP signs a person in.
func (l *logins) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.Header.Get("Origin") != "http://"+r.Host {
		w.Header().Set("X-Frame-Options", "DENY")
		w.Write([]byte(loginPage))
		return
	}
	user := r.FormValue("user")
	if user != approver && user != example.User {
		http.Error(w, "Nobody has this name.", http.StatusForbidden)
		return
	}
	secret := rand.Text()
	l.mu.Lock()
	l.users[secret] = user
	l.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: loginCookie, Value: secret, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	w.Write([]byte("You are " + user + " now. Open the link again.\n"))
}

var loginPage = strings.NewReplacer("USER", example.User, "APPROVER", approver).Replace(`<!doctype html>
<title>Who are you?</title><form method="post"><p>Who are you?</p>
<button name="user" value="APPROVER">APPROVER</button> <button name="user" value="USER">USER</button></form>
`)

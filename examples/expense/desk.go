package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

// approver is the second person. The first is example.User.
const approver = "grace"

// desk has the expenses that wait for the second person.
type desk struct {
	bot    *example.Bot
	links  *page.Memory
	pages  *page.Handler
	logins *logins

	mu   sync.Mutex
	open map[expense]*request
}

// request is one expense before the second person.
type request struct {
	token, link string
	over        bool
	approved    bool
}

func newDesk(b *example.Bot) (d *desk, err error) {
	d = &desk{bot: b, links: page.NewMemory(nil), open: map[expense]*request{},
		logins: &logins{users: map[string]string{}}}
	d.pages, err = page.New(page.Options{Source: d.links, Base: b.Base + "approve/", Name: "Expenses",
		Principal: d.logins.user, SignIn: "/login"})
	b.Pages.Handle("/approve/", d.pages)
	b.Pages.Handle("/login", d.logins)
	return d, err
}

// request puts an expense before the second person. A handler that runs again gets the same link.
func (d *desk) request(e expense) (request, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.open[e]; r != nil {
		return *r, nil
	}
	token, answers, err := d.links.Put(page.Question{Message: "Approve " + e.String() + "? It comes from " +
		example.User + ".", Deadline: time.Now().Add(time.Hour).UnixMilli()}, approver, nil)
	if err != nil {
		return request{}, err
	}
	r := &request{token: token, link: d.pages.Link(token)}
	d.open[e] = r
	go func() {
		answer, answered := <-answers
		if !answered {
			return
		}
		d.mu.Lock()
		r.over, r.approved = true, answer.Action == elicit.Accept
		d.mu.Unlock()
		d.bot.Asker.Completed(context.Background(), "", r.link)
	}()
	return *r, nil
}

// take ends a request and returns what the second person said.
func (d *desk) take(e expense) (approved bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.open[e]
	delete(d.open, e)
	return r != nil && r.over && r.approved
}

// withdraw closes the page when the first person gives up. While the call only ends for a time, the page stays.
func (d *desk) withdraw(e expense, why error) {
	if errors.Is(why, ask.ErrInterrupted) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.open[e]; r != nil {
		d.links.Withdraw(r.token)
		delete(d.open, e)
	}
}

// logins plays a login without passwords: who presses a button is that person. A real server has its own login.
type logins struct {
	mu    sync.Mutex
	users map[string]string // by the cookie
}

const loginCookie = "expense-login"

func (l *logins) user(r *http.Request) (string, error) {
	cookie, err := r.Cookie(loginCookie)
	if err != nil {
		return "", page.ErrSignIn
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if user := l.users[cookie.Value]; user != "" {
		return user, nil
	}
	return "", page.ErrSignIn
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
	w.Write([]byte("You are " + user + " now. Open the link of the expense again.\n"))
}

var loginPage = strings.NewReplacer("USER", example.User, "APPROVER", approver).Replace(`<!doctype html>
<title>Who are you?</title><form method="post"><p>Who are you?</p>
<button name="user" value="APPROVER">APPROVER</button> <button name="user" value="USER">USER</button></form>
`)

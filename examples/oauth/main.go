// Command oauth is a server whose tool needs an account elsewhere. The person connects it at the provider's page, and
// the tool goes on when the provider has sent the person back.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

// accounts are the connected accounts, and the flows that are under way.
type accounts struct {
	bot      *example.Bot
	provider *provider

	mu     sync.Mutex
	tokens map[string]string // by user
	flows  map[string]string // state by user
	waits  sync.Map          // the id of the question that waits, by state
}

// token returns the token of a user. Without one it returns the state of the flow: always the same until the flow is
// over, because a handler that runs again must ask for the same visit.
func (a *accounts) token(user string) (token, state string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if token = a.tokens[user]; token != "" {
		return token, ""
	}
	if a.flows[user] == "" {
		a.flows[user] = rand.Text()
	}
	return "", a.flows[user]
}

func (a *accounts) visit(state string) string {
	return a.bot.Base + "provider/authorize?" + url.Values{"client_id": {"repositories"}, "scope": {"read"},
		"state": {state}, "redirect_uri": {a.bot.Base + "callback"}}.Encode()
}

func (a *accounts) handle(ctx context.Context, _ struct{}) (string, error) {
	token, state := a.token(example.User)
	if token == "" {
		wait := ask.Wait(func(id string) { a.waits.Store(state, id) })
		if err := ask.URL(ctx, "Connect your account at the provider.", a.visit(state), wait); err != nil {
			return "", err
		}
		token, _ = a.token(example.User)
	}
	return a.provider.repositories(token)
}

// callback is where the provider sends the person back. The state names the flow, which nobody can guess. A server with
// several users must check here that the same person is signed in who called the tool.
func (a *accounts) callback(w http.ResponseWriter, r *http.Request) {
	state := r.FormValue("state")
	a.mu.Lock()
	user := ""
	for of, open := range a.flows {
		if open == state {
			user = of
		}
	}
	if user != "" {
		delete(a.flows, user)
	}
	a.mu.Unlock()
	if user == "" {
		http.Error(w, "This flow is unknown or over.", http.StatusBadRequest)
		return
	}
	token, known := a.provider.exchange(r.FormValue("code"))
	if !known {
		http.Error(w, "The provider does not know this code.", http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	a.tokens[user] = token
	a.mu.Unlock()
	id, _ := a.waits.LoadAndDelete(state)
	if err := a.bot.Asker.Completed(r.Context(), fmt.Sprint(id)); err != nil {
		http.Error(w, "The account is connected, but the call does not go on: "+err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "The account is connected. You can close this page.")
}

func main() {
	example.Main("oauth", func(b *example.Bot) error {
		a := &accounts{bot: b, tokens: map[string]string{}, flows: map[string]string{},
			provider: &provider{codes: map[string]bool{}, tokens: map[string]bool{}, callback: b.Base + "callback"}}
		b.Pages.HandleFunc("GET /callback", a.callback)
		b.Pages.Handle("/provider/authorize", a.provider)
		example.Tool(b, "repositories", "Lists the repositories of the person's account, and connects it first.", a.handle)
		return nil
	})
}

// Command expense is a server whose tool books an expense. The person who calls it confirms it, and a second person
// approves it on the server's own page.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

// approver is the second person. The first is example.User.
const approver = "grace"

type expense struct {
	Euros   int    `json:"euros" description:"the amount in euros"`
	Purpose string `json:"purpose" description:"what it is for"`
}

func (e expense) String() string { return fmt.Sprintf("%d EUR for %s", e.Euros, e.Purpose) }

// handle asks two people. The model and the client of the first can answer for the first alone: the second answers on a
// page that wants their sign-in.
func handle(ctx context.Context, e expense) (string, error) {
	if err := ask.Confirm(ctx, "Submit "+e.String()+"?"); err != nil {
		return "", err
	}
	err := ask.Confirm(ctx, "Approve "+e.String()+"? It comes from "+example.User+".", ask.For(approver),
		ask.TTL(time.Hour))
	switch {
	case errors.Is(err, ask.ErrDeclined):
		return "", fmt.Errorf("%s refused %s", approver, e)
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("Booked %s, approved by %s.", e, approver), nil
}

func main() {
	example.Main("expense", func(b *example.Bot) error {
		people := newLogins()
		b.Principal = people.user
		b.Pages.Handle("/login", people)
		example.Tool(b, "book_expense", "Books an expense, after its owner and a second person have said yes.", handle)
		return nil
	})
}

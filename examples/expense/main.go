// Command expense is a server whose tool books an expense. The person who calls it confirms it, and a second person
// approves it on the server's own page.
package main

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

type expense struct {
	Euros   int    `json:"euros" description:"the amount in euros"`
	Purpose string `json:"purpose" description:"what it is for"`
}

func (e expense) String() string { return fmt.Sprintf("%d EUR for %s", e.Euros, e.Purpose) }

// handle asks two people. The model and the client of the first can answer for the first alone: the second answers on a
// page that wants their sign-in.
func (d *desk) handle(ctx context.Context, e expense) (string, error) {
	if err := ask.Confirm(ctx, "Submit "+e.String()+"?"); err != nil {
		return "", err
	}
	request, err := d.request(e)
	if err != nil {
		return "", err
	}
	err = ask.URLWait(ctx, "Send this page to "+approver+", who approves expenses.", request.link)
	if err != nil {
		d.withdraw(e, err)
		return "", err
	}
	if approved := d.take(e); !approved {
		return "", fmt.Errorf("%s refused %s", approver, e)
	}
	return fmt.Sprintf("Booked %s, approved by %s.", e, approver), nil
}

func main() {
	example.Main("expense", func(b *example.Bot) error {
		d, err := newDesk(b)
		if err != nil {
			return err
		}
		example.Tool(b, "book_expense", "Books an expense, after its owner and a second person have said yes.", d.handle)
		return nil
	})
}

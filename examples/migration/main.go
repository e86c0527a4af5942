// Command migration is a server whose tool changes a database. It shows the plan of a dry run, and the person types the
// name of the database.
package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

// database stands in for a real one: tables with the number of their rows.
type database struct {
	mu     sync.Mutex
	name   string
	tables map[string]int
}

// change is one statement of a migration, and what it would do.
type change struct{ statement, effect string }

// plan is the dry run: it changes nothing.
func (d *database) plan() []change {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.tables["sessions_old"]; !there {
		return nil
	}
	return []change{
		{"ALTER TABLE orders ADD COLUMN region text", fmt.Sprintf("rewrites %d rows", d.tables["orders"])},
		{"DROP TABLE sessions_old", fmt.Sprintf("loses %d rows", d.tables["sessions_old"])},
	}
}

func (d *database) migrate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.tables, "sessions_old")
}

type typed struct {
	Name string `json:"name" title:"Name of the database" description:"Type it to run the migration." max:"64"`
}

func (d *database) handle(ctx context.Context, _ struct{}) (string, error) {
	plan := d.plan()
	if plan == nil {
		return "The database " + d.name + " is up to date.", nil
	}
	var message strings.Builder
	fmt.Fprintf(&message, "Migrate the database %s?", d.name)
	for _, c := range plan {
		fmt.Fprintf(&message, "\n%s (%s)", c.statement, c.effect)
	}
	answer, err := ask.Form[typed](ctx, message.String())
	if err != nil {
		return "", err
	}
	if answer.Name != d.name {
		return "", fmt.Errorf("the person typed another name than %s. Nothing was changed", d.name)
	}
	d.migrate()
	return fmt.Sprintf("Migrated %s with %d statements.", d.name, len(plan)), nil
}

func main() {
	d := &database{name: "orders", tables: map[string]int{"orders": 120_000, "sessions_old": 4_812}}
	example.Main("migration", func(b *example.Bot) error {
		example.Tool(b, "migrate", "Brings the database up to date, after a person has seen the plan.", d.handle)
		return nil
	})
}

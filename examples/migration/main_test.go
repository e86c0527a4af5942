package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/examples/internal/tests/exampletest"
)

func TestMigration(t *testing.T) {
	names := []string{"order", "orders"}
	exampletest.Each(t, exampletest.Person{}, func(t *testing.T, s *exampletest.Session) {
		for i, name := range names {
			s.Person(func(message string) (string, map[string]any) {
				if !strings.Contains(message, "DROP TABLE sessions_old (loses 4812 rows)") {
					t.Errorf("the person does not see the plan: %s", message)
				}
				return "accept", map[string]any{"name": name}
			})
			text, failed := s.Call("migrate", nil)
			s.Asked("Migrate the database orders?")
			if want := []string{"the person typed another name than orders. Nothing was changed",
				"Migrated orders with 2 statements."}[i]; text != want || failed != (i == 0) {
				t.Errorf("the tool says %q", text)
			}
		}
		if text, _ := s.Call("migrate", nil); !strings.Contains(text, "up to date") {
			t.Errorf("the tool says %q", text)
		}
		s.Asked()
	})
}

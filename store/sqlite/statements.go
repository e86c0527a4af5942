package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"strings"
)

// text has every statement, because the package for Python carries the same ones.
//
//go:embed statements.sql
var text string

// texts are the statements by name.
var texts = func() map[string]string {
	all := map[string]string{}
	for _, block := range strings.Split("\n"+text, "\n-- ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		name, _, _ := strings.Cut(head, ":")
		all[name] = body
	}
	return all
}()

// forgetting are the statements of a sweep, in order. Each takes the time.
var forgetting = []string{"forget_clock", "forget_session", "forget_record", "forget_entry", "forget_redeemed"}

// statements are prepared once. Those that begin with "get" are for the reading connections.
type statements map[string]*sql.Stmt

func (p statements) prepare(ctx context.Context, write, read *sql.DB) (err error) {
	for name, text := range texts {
		db := write
		switch {
		case name == "tables" || name == "second":
			continue
		case strings.HasPrefix(name, "get"):
			db = read
		}
		if p[name], err = db.PrepareContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

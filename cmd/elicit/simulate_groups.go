package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/elicit-engine/elicit/engine"
)

// changeGroup is every question of one server and tool that another policy decides otherwise for the same reasons.
type changeGroup struct {
	server, tool      string
	change, now, then string
	count             int
	record, at        int64 // of the first question
	first             string
}

// changeGroups are the groups in the order in which they came up.
type changeGroups struct {
	list []*changeGroup
	of   map[changeGroup]*changeGroup // by the members that all questions of a group share
}

func (g *changeGroups) add(d *engine.Decided) {
	key := changeGroup{server: cell(d.Request.Server), tool: cell(d.Request.Tool),
		change: d.Then.Outcome.String() + " → " + d.Now.Outcome.String(), now: because(d.Now), then: because(d.Then)}
	group := g.of[key]
	if group == nil {
		if g.of == nil {
			g.of = map[changeGroup]*changeGroup{}
		}
		first := key
		first.record, first.at, first.first = d.Record, d.At, abridged(d.Request)
		group = &first
		g.of[key], g.list = group, append(g.list, group)
	}
	group.count++
}

// print writes the groups, the largest first.
func (g *changeGroups) print(w io.Writer) {
	slices.SortStableFunc(g.list, func(a, b *changeGroup) int { return cmp.Compare(b.count, a.count) })
	for _, group := range g.list {
		from, questions := group.server, "questions"
		if group.tool != "" {
			from += ", tool " + group.tool
		}
		if group.count == 1 {
			questions = "question"
		}
		fmt.Fprintf(w, "%d %s of %s: %s\n", group.count, questions, from, group.change)
		fmt.Fprintf(w, "  now    %s\n  then   %s\n", group.now, group.then)
		fmt.Fprintf(w, "  first  record %d, %s UTC: %s\n", group.record,
			time.UnixMilli(group.at).UTC().Format("2006-01-02 15:04:05"), group.first)
	}
}

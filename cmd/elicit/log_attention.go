package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// logAttention tells how long questions were on the screen before the person answered them.
type logAttention struct {
	answered int // by the person
	unknown  int // of these, without a receipt that they were on the screen
	spans    [len(attentionSpans)]map[elicit.Outcome]int
	hasty    int // confirmations accepted in under a second
	destroys int // of these, of a tool that destroys
	warned   int // of these, with a finding of medium or higher
	list     []hastyYes
}

// hastyYes is a confirmation that was accepted in under a second although it mattered.
type hastyYes struct {
	seq, at, took int64
	server, tool  string
	name          string
	why           string
}

// attentionSpans are the rows of the table; less is in milliseconds, 0 for any time.
var attentionSpans = [...]struct {
	less int64
	name string
}{{1000, "under 1 s"}, {3000, "1 to 3 s"}, {10_000, "3 to 10 s"}, {60_000, "10 to 60 s"}, {0, "a minute or more"}}

// maxHasty bounds the list; the counts have no bound.
const maxHasty = 20

func (a *logAttention) add(q *loggedQuestion) {
	if !q.byPerson() {
		return
	}
	a.answered++
	if q.drawn == 0 {
		a.unknown++
		return
	}
	took := q.ended - q.drawn
	for i, s := range attentionSpans {
		if took < s.less || s.less == 0 {
			if a.spans[i] == nil {
				a.spans[i] = map[elicit.Outcome]int{}
			}
			a.spans[i][q.outcome]++
			break
		}
	}
	confirms := q.kind == elicit.KindConfirm || q.kind == elicit.KindApproval
	if !confirms || q.outcome != elicit.Accepted || took >= attentionSpans[0].less {
		return
	}
	a.hasty++
	why := ""
	if q.destructive {
		a.destroys++
		why = "destructive"
	}
	if q.warned() {
		a.warned++
		why = comma(why) + "a warning of severity " + cell(string(q.severity))
	}
	if why != "" && len(a.list) < maxHasty {
		a.list = append(a.list, hastyYes{q.seq, q.asked, took, q.server, q.tool, q.name(), why})
	}
}

func comma(before string) string {
	if before == "" {
		return ""
	}
	return before + ", "
}

func (a *logAttention) print(w io.Writer, zone *time.Location) {
	fmt.Fprintf(w, "the person answered %s\n", counted(a.answered, "question", "questions"))
	if a.unknown > 0 {
		fmt.Fprintf(w, "of %d the journal does not tell when they were on the screen, and they are not counted below\n",
			a.unknown)
	}
	if a.answered == a.unknown {
		return
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SHOWN FOR\tACCEPT\tDECLINE\tCANCEL")
	for i, s := range attentionSpans {
		n := a.spans[i]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\n", s.name, n[elicit.Accepted], n[elicit.Declined], n[elicit.Cancelled])
	}
	table.Flush()
	fmt.Fprintf(w, "\n%s in under a second; %d destructive, %d with a warning\n",
		counted(a.hasty, "confirmation accepted", "confirmations accepted"), a.destroys, a.warned)
	for _, h := range a.list {
		of := cell(h.server)
		if h.tool != "" {
			of += ", tool " + cell(h.tool)
		}
		fmt.Fprintf(w, "  record %d, %s, after %d ms: %s %s (%s)\n", h.seq,
			time.UnixMilli(h.at).In(zone).Format(logTime), h.took, of, h.name, h.why)
	}
	if more := a.destroys + a.warned - len(a.list); len(a.list) == maxHasty && more > 0 {
		fmt.Fprintln(w, "  and more of them")
	}
}

// AppendJSON appends {"answered","unknown","spans":[…],"hasty","destructive","warned"}.
func (a *logAttention) AppendJSON(dst []byte) []byte {
	spans := []byte{'['}
	for i, s := range attentionSpans {
		if i > 0 {
			spans = append(spans, ',')
		}
		n := a.spans[i]
		members := []elicit.Arg{elicit.Num("accept", n[elicit.Accepted]), elicit.Num("decline", n[elicit.Declined]),
			elicit.Num("cancel", n[elicit.Cancelled])}
		if s.less > 0 {
			members = append([]elicit.Arg{elicit.Num("under_ms", int(s.less))}, members...)
		}
		spans = appendObject(spans, members)
	}
	return appendObject(dst, []elicit.Arg{elicit.Num("answered", a.answered), elicit.Num("unknown", a.unknown),
		elicit.Raw("spans", string(append(spans, ']'))), elicit.Num("hasty", a.hasty),
		elicit.Num("destructive", a.destroys), elicit.Num("warned", a.warned)})
}

package log

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// maxRows bounds the rows of a summary, because servers choose the names of their tools.
const maxRows = 1000

// otherTools is the tool of questions that have no row of their own.
const otherTools = "(other tools)"

// logSummary counts questions by server and tool, and by what decided.
type logSummary struct {
	all         int
	first, last int64
	rows        map[[2]string]map[elicit.Outcome]int
	causes      map[elicit.Cause]int // "" for questions that are open
	whys        map[string]int       // the same in words
}

func (s *logSummary) add(q *loggedQuestion) {
	if s.rows == nil {
		s.rows, s.causes = map[[2]string]map[elicit.Outcome]int{}, map[elicit.Cause]int{}
		s.whys = map[string]int{}
	}
	if s.all++; s.all == 1 {
		s.first, s.last = q.asked, q.asked
	}
	s.first, s.last = min(s.first, q.asked), max(s.last, q.asked)
	key := [2]string{q.server, q.tool}
	if s.rows[key] == nil {
		if len(s.rows) >= maxRows {
			key[1] = otherTools
		}
		if s.rows[key] == nil {
			s.rows[key] = map[elicit.Outcome]int{}
		}
	}
	s.rows[key][q.outcome]++
	s.causes[q.cause]++
	s.whys[cmp.Or(q.why(), "still open at the end of the journal")]++
}

// order lists the rows, the most frequent first.
func (s *logSummary) order() [][2]string {
	return slices.SortedFunc(maps.Keys(s.rows), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(questionsOf(s.rows[b]), questionsOf(s.rows[a])), cmp.Compare(a[0], b[0]),
			cmp.Compare(a[1], b[1]))
	})
}

func questionsOf(row map[elicit.Outcome]int) (n int) {
	for _, m := range row {
		n += m
	}
	return n
}

// byCount lists what was counted, the most frequent first.
func byCount[K ~string](counts map[K]int) []K {
	return slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

func (s *logSummary) print(w io.Writer, zone *time.Location) {
	if s.all == 0 {
		fmt.Fprintln(w, "no questions")
		return
	}
	moment := func(at int64) string { return time.UnixMilli(at).In(zone).Format(time.DateTime) }
	fmt.Fprintf(w, "%s from %s to %s, %s\n\n", cli.Counted(s.all, "question", "questions"), moment(s.first),
		moment(s.last),
		zoneName(zone))
	for _, why := range byCount(s.whys) {
		fmt.Fprintf(w, "%6d  %s\n", s.whys[why], cli.Cell(why))
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SERVER\tTOOL\tQUESTIONS\tACCEPT\tDECLINE\tCANCEL\tNO REPLY")
	for _, key := range s.order() {
		row := s.rows[key]
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", cli.Cell(key[0]), cli.Cell(key[1]), questionsOf(row),
			row[elicit.Accepted], row[elicit.Declined], row[elicit.Cancelled], row[""])
	}
	table.Flush()
}

// AppendJSON appends {"questions","first"?,"last"?,"causes":{…},"rows":[…]}.
func (s *logSummary) AppendJSON(dst []byte) []byte {
	members := []elicit.Arg{elicit.Num("questions", s.all)}
	if s.all > 0 {
		members = append(members, elicit.Raw("first", strconv.FormatInt(s.first, 10)),
			elicit.Raw("last", strconv.FormatInt(s.last, 10)))
	}
	causes := each.Of(byCount(s.causes), func(c elicit.Cause) elicit.Arg {
		return elicit.Num(cmp.Or(string(c), noReply), s.causes[c])
	})
	members = append(members, elicit.Raw("causes", string(cli.AppendObject(nil, causes))))
	rows := cli.Objects(s.order(), func(key [2]string) []elicit.Arg {
		row := s.rows[key]
		return []elicit.Arg{elicit.Str("server", key[0]), elicit.Str("tool", key[1]),
			elicit.Num("questions", questionsOf(row)), elicit.Num("accept", row[elicit.Accepted]),
			elicit.Num("decline", row[elicit.Declined]), elicit.Num("cancel", row[elicit.Cancelled]),
			elicit.Num(noReply, row[""])}
	})
	return cli.AppendObject(dst, append(members, elicit.Raw("rows", rows)))
}

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
	if q.cause != elicit.ByUser || q.outcome == "" {
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
	var why []string
	if q.destructive {
		a.destroys++
		why = append(why, "destructive")
	}
	if q.severity != "" && q.severity.Rank() >= elicit.Medium.Rank() {
		a.warned++
		why = append(why, "a warning of severity "+cli.Cell(string(q.severity)))
	}
	if why != nil && len(a.list) < maxHasty {
		a.list = append(a.list, hastyYes{q.seq, q.asked, took, q.server, q.tool, q.name(), strings.Join(why, ", ")})
	}
}

func (a *logAttention) print(w io.Writer, zone *time.Location) {
	fmt.Fprintf(w, "the person answered %s\n", cli.Counted(a.answered, "question", "questions"))
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
		cli.Counted(a.hasty, "confirmation accepted", "confirmations accepted"), a.destroys, a.warned)
	for _, h := range a.list {
		of := cli.Cell(h.server)
		if h.tool != "" {
			of += ", tool " + cli.Cell(h.tool)
		}
		fmt.Fprintf(w, "  record %d, %s, after %d ms: %s %s (%s)\n", h.seq,
			time.UnixMilli(h.at).In(zone).Format(time.DateTime), h.took, of, h.name, h.why)
	}
	if more := a.destroys + a.warned - len(a.list); len(a.list) == maxHasty && more > 0 {
		fmt.Fprintln(w, "  and more of them")
	}
}

// AppendJSON appends {"answered","unknown","spans":[…],"hasty","destructive","warned"}.
func (a *logAttention) AppendJSON(dst []byte) []byte {
	i := -1
	spans := cli.Objects(a.spans[:], func(n map[elicit.Outcome]int) (members []elicit.Arg) {
		if i++; attentionSpans[i].less > 0 {
			members = append(members, elicit.Num("under_ms", int(attentionSpans[i].less)))
		}
		return append(members, elicit.Num("accept", n[elicit.Accepted]), elicit.Num("decline", n[elicit.Declined]),
			elicit.Num("cancel", n[elicit.Cancelled]))
	})
	return cli.AppendObject(dst, []elicit.Arg{elicit.Num("answered", a.answered), elicit.Num("unknown", a.unknown),
		elicit.Raw("spans", spans), elicit.Num("hasty", a.hasty),
		elicit.Num("destructive", a.destroys), elicit.Num("warned", a.warned)})
}

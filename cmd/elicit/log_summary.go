package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

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
func (s *logSummary) order() (keys [][2]string) {
	for key := range s.rows {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(questionsOf(s.rows[b]), questionsOf(s.rows[a])), cmp.Compare(a[0], b[0]),
			cmp.Compare(a[1], b[1]))
	})
	return keys
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
	moment := func(at int64) string { return time.UnixMilli(at).In(zone).Format(logTime) }
	fmt.Fprintf(w, "%s from %s to %s, %s\n\n", counted(s.all, "question", "questions"), moment(s.first), moment(s.last),
		zoneName(zone))
	for _, why := range byCount(s.whys) {
		fmt.Fprintf(w, "%6d  %s\n", s.whys[why], cell(why))
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SERVER\tTOOL\tQUESTIONS\tACCEPT\tDECLINE\tCANCEL\tNO REPLY")
	for _, key := range s.order() {
		row := s.rows[key]
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", cell(key[0]), cell(key[1]), questionsOf(row),
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
	var causes []elicit.Arg
	for _, c := range byCount(s.causes) {
		causes = append(causes, elicit.Num(cmp.Or(string(c), noReply), s.causes[c]))
	}
	members = append(members, elicit.Raw("causes", string(appendObject(nil, causes))))
	rows := []byte{'['}
	for i, key := range s.order() {
		if i > 0 {
			rows = append(rows, ',')
		}
		row := s.rows[key]
		rows = appendObject(rows, []elicit.Arg{elicit.Str("server", key[0]), elicit.Str("tool", key[1]),
			elicit.Num("questions", questionsOf(row)), elicit.Num("accept", row[elicit.Accepted]),
			elicit.Num("decline", row[elicit.Declined]), elicit.Num("cancel", row[elicit.Cancelled]),
			elicit.Num(noReply, row[""])})
	}
	return appendObject(dst, append(members, elicit.Raw("rows", string(append(rows, ']')))))
}

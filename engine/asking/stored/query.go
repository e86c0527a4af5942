package stored

import (
	"cmp"
	"strings"
)

// Query selects entries. An empty member matches everything.
type Query struct {
	Session, Server, Tool, Outcome string // equal
	Text                           string // contained in Entry.Text, in any case of letters
	Since, Until                   int64  // Since ≤ At < Until; Until 0 is no end
	Before                         *Entry // only entries after this one in the order of History: the last of a page
	Limit                          int    // how many entries; 0 all
}

// Check returns an error that wraps ErrInvalid if the query cannot match by mistake.
func (q *Query) Check() error {
	if q.Limit < 0 || q.Since < 0 || q.Until < 0 || q.Since > MaxTime || q.Until > MaxTime {
		return invalid("a query with a negative limit or no time")
	}
	return nil
}

// Matches reports whether the entry is among those that the query selects, without its limit.
func (q *Query) Matches(e *Entry) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(q.Session, e.Session) && is(q.Server, e.Server) && is(q.Tool, e.Tool) && is(q.Outcome, e.Outcome) &&
		e.At >= q.Since && (q.Until == 0 || e.At < q.Until) &&
		(q.Before == nil || Newer(q.Before, e) < 0) &&
		(q.Text == "" || strings.Contains(strings.ToLower(e.Text), strings.ToLower(q.Text)))
}

// Newer compares two entries in the order of History: negative when a comes before b. The newest comes first. Entries
// of one moment are in reverse order of session and id, so that every page continues the one before.
//
// The order is total, because session and id name an entry.
func Newer(a, b *Entry) int {
	return cmp.Or(cmp.Compare(b.At, a.At), strings.Compare(b.Session, a.Session), strings.Compare(b.ID, a.ID))
}

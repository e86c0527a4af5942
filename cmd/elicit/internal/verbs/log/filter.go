package log

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// questionFilter chooses questions. Every criterion that is given must hold; of several values one must.
type questionFilter struct {
	servers, tools, outcomes, reasons []string
	since, grep                       string

	from int64 // since, as milliseconds since 1970
	text *regexp.Regexp
}

// noReply is the outcome of a question that has none.
const noReply = "none"

var logOutcomes = []string{string(elicit.Accepted), string(elicit.Declined), string(elicit.Cancelled), noReply}

func (f *questionFilter) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.servers, "server", nil, "only questions of this server; a `pattern` such as git* is allowed")
	flags.StringSliceVar(&f.tools, "tool", nil, "only questions of this tool; a `pattern` such as delete_* is allowed")
	flags.StringSliceVar(&f.outcomes, "outcome", nil,
		"only questions with this `reply`: accept, decline, cancel, or none")
	flags.StringSliceVar(&f.reasons, "reason", nil, "only questions with this `word` as the cause of the reply, "+
		"a reason, a rule or a finding, such as user, timeout, rule_matched or no-secrets")
	flags.StringVar(&f.since, "since", "", "only questions asked since this `time`: 2h, 7d, 2026-07-28, "+
		"or \"2026-07-28 12:00\"")
	flags.StringVar(&f.grep, "grep", "", "only questions whose lines match this regular `expression`, in any case")
	cli.CompleteFlag(cmd, "outcome", logOutcomes...)
}

// read checks the flags. Times without a zone are in zone.
func (f *questionFilter) read(now time.Time, zone *time.Location) (err error) {
	for _, o := range f.outcomes {
		if !slices.Contains(logOutcomes, o) {
			return fmt.Errorf("--outcome is %q%s; give accept, decline, cancel or none", o, cli.DidYouMean(o, logOutcomes))
		}
	}
	for _, p := range slices.Concat(f.servers, f.tools) {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is not a pattern; write \\[ for a bracket", p)
		}
	}
	if f.since != "" {
		if f.from, err = momentOf(f.since, now, zone); err != nil {
			return err
		}
	}
	if f.grep != "" {
		if f.text, err = regexp.Compile("(?i)" + f.grep); err != nil {
			return fmt.Errorf("--grep is not a regular expression: %w", err)
		}
	}
	return nil
}

func momentOf(text string, now time.Time, zone *time.Location) (int64, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n).UnixMilli(), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d).UnixMilli(), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf("--since is %q; give 90m, 2h, 7d, 2026-07-28, or \"2026-07-28 12:00\"", text)
}

// given reports whether there is a criterion.
func (f *questionFilter) given() bool {
	return len(f.servers)+len(f.tools)+len(f.outcomes)+len(f.reasons)+len(f.grep) > 0 || f.from > 0
}

// hopeless reports that a question will never match, whatever comes.
func (f *questionFilter) hopeless(q *loggedQuestion) bool {
	return q.asked < f.from || len(f.servers) > 0 && !anyPattern(f.servers, q.server) ||
		len(f.tools) > 0 && !anyPattern(f.tools, q.tool) ||
		q.outcome != "" && len(f.outcomes) > 0 && !slices.Contains(f.outcomes, string(q.outcome))
}

// matches reports whether a question that is not hopeless matches by what is known of it. Over says that no more comes.
func (f *questionFilter) matches(q *loggedQuestion, over bool) bool {
	if f.text != nil && !q.held.grepped {
		return false
	}
	if len(f.reasons) > 0 && !slices.ContainsFunc(f.reasons, func(word string) bool {
		return word == string(q.cause) || slices.Contains(q.words, word)
	}) {
		return false
	}
	return len(f.outcomes) == 0 || q.outcome != "" || over && slices.Contains(f.outcomes, noReply)
}

// greps notes whether the text that an entry has of a question matches.
func (f *questionFilter) greps(q *loggedQuestion, part *logEntry) {
	if f.text == nil || q.held.grepped {
		return
	}
	q.held.grepped = part.about == q && f.text.MatchString(ansi.Strip(part.line))
	for _, l := range part.lines {
		q.held.grepped = q.held.grepped || f.text.MatchString(ansi.Strip(l.text))
	}
}

// anyPattern reports whether a pattern matches the whole name. A star matches any characters.
func anyPattern(patterns []string, name string) bool {
	plain := strings.NewReplacer("/", "\x00") // path.Match lets no star match a slash
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(plain.Replace(p), plain.Replace(name))
		return ok || p == name
	})
}

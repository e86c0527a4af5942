package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// asker names who asks and in which call.
func asker(q *engine.Show) string {
	who := bold.Render(oneLine(clip(q.Server, 60)))
	if q.Tool != "" {
		return who + " asks, running " + bold.Render(oneLine(clip(q.Tool, 60)))
	}
	return who + " asks"
}

// message is everything that is said before the first field, wrapped to width: the peer's words, what is suspicious
// about them, where a link leads, and why the person sees it at all. When that is more than room, what we say comes
// before what the peer says, so that no flood of words can push a warning or an address out of sight.
func message(q *engine.Show, width, room int) []string {
	words := paragraphs(width, strings.TrimSpace(Plain(q.Message)), formWords(q))
	facts := paragraphs(width, warnings(q.Findings), destination(q), why(q.Reasons), caution(q))
	if body := lines(words, facts); len(body) <= room {
		return body
	}
	return lines(facts, words)
}

// paragraphs wraps texts and leaves out empty ones.
func paragraphs(width int, texts ...string) string {
	var kept []string
	for _, text := range texts {
		if strings.TrimSpace(ansi.Strip(text)) != "" {
			kept = append(kept, lipgloss.Wrap(text, width, ""))
		}
	}
	return strings.Join(kept, "\n\n")
}

func lines(blocks ...string) []string {
	return strings.Split(strings.Join(nonEmpty(blocks...), "\n\n"), "\n")
}

func formWords(q *engine.Show) string {
	if q.Form == nil {
		return ""
	}
	return strings.Join(nonEmpty(Plain(q.Form.Title), Plain(q.Form.Help)), "\n")
}

func destination(q *engine.Show) string {
	if q.Mode != elicit.URL {
		return ""
	}
	return "It wants you to open this page in your browser:\n" + address(q.URL)
}

func caution(q *engine.Show) string {
	if q.Mode != elicit.Form || q.Form == nil || len(q.Form.Fields) == 0 {
		return ""
	}
	return palette.faint.Render("Share only what " + oneLine(clip(q.Server, 60)) + " may know.")
}

// maxWarnings bounds what a hostile request can put on the screen.
const maxWarnings = 8

// warnings puts findings in words, the gravest first.
func warnings(findings []elicit.Finding) string {
	findings = slices.Clone(findings)
	slices.SortStableFunc(findings, func(a, b elicit.Finding) int { return b.Severity.Rank() - a.Severity.Rank() })
	var lines []string
	for i, f := range findings {
		if i == maxWarnings {
			lines = append(lines, fmt.Sprintf("… and %d more", len(findings)-i))
			break
		}
		style, mark := palette.warn, "! "
		switch rank := f.Severity.Rank(); {
		case rank >= elicit.High.Rank():
			style, mark = palette.bad.Bold(true), "!! "
		case rank == elicit.Info.Rank():
			style, mark = palette.faint, "i "
		}
		lines = append(lines, style.Render(mark+strings.ToUpper(string(f.Severity))+" "+oneLine(english.Finding(f))))
	}
	return strings.Join(lines, "\n")
}

// why lists the reasons that a policy file gave for asking. That people are asked when no file says otherwise goes
// without saying.
func why(reasons []elicit.Reason) string {
	var lines []string
	for _, r := range reasons {
		if r.Layer == "builtin" || len(lines) == maxWarnings {
			continue
		}
		lines = append(lines, palette.faint.Render("why you are asked: "+oneLine(english.Reason(r))))
	}
	return strings.Join(lines, "\n")
}

// address shows the whole URL with its host in brackets and bold; nothing of it is left out or made clickable.
func address(url string) string {
	before, host, after := splitHost(url)
	if host == "" {
		return Plain(url)
	}
	return Plain(before) + "[" + bold.Render(Plain(host)) + "]" + Plain(after)
}

// remaining says how long the person has, or "".
func remaining(deadline int64, now time.Time) string {
	if deadline == 0 {
		return ""
	}
	left := time.UnixMilli(deadline).Sub(now).Round(time.Second)
	return fmt.Sprintf("%s left", max(left, 0))
}

// queued says how many more requests wait.
func queued(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more waiting", n)
}

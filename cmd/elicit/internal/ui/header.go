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

// asker names the server that asks, and the tool.
func asker(q *engine.Show) string {
	who := bold.Render(oneLine(clip(q.Server, 60)))
	if q.Tool != "" {
		return who + " asks, running " + bold.Render(oneLine(clip(q.Tool, 60)))
	}
	return who + " asks"
}

// said returns the text before the first field, wrapped to width: the peer's words, and our facts about them. The facts
// are the warnings, the destination of a link, and why the person is asked.
func said(q *engine.Show, width int, bar string) (words, facts []string) {
	words = paragraphs(peer(strings.TrimSpace(Plain(q.Message)), width, bar), peer(formWords(q), width, bar))
	facts = paragraphs(warnings(q.Findings, width), destination(q, width, bar), why(q.Reasons, width), caution(q, width))
	return words, facts
}

// ordered joins both. When that has more lines than room, our facts come before the peer's words, so that a long
// message cannot push a warning or an address off the screen.
func ordered(words, facts []string, room int) []string {
	first, second := words, facts
	if len(words)+1+len(facts) > room {
		first, second = facts, words
	}
	if len(first) == 0 || len(second) == 0 {
		return slices.Concat(first, second)
	}
	return slices.Concat(first, []string{""}, second)
}

// paragraphs returns the lines of all texts, with an empty line between two texts.
func paragraphs(texts ...string) []string {
	if texts = nonEmpty(texts...); len(texts) == 0 {
		return nil
	}
	return strings.Split(strings.Join(texts, "\n\n"), "\n")
}

func formWords(q *engine.Show) string {
	if q.Form == nil {
		return ""
	}
	return strings.TrimSpace(strings.Join(nonEmpty(Plain(q.Form.Title), Plain(q.Form.Help)), "\n"))
}

func destination(q *engine.Show, width int, bar string) string {
	if q.Mode != elicit.URL {
		return ""
	}
	link := strings.Split(lipgloss.Wrap(address(q.URL), max(width-ansi.StringWidth(bar), narrowest), ""), "\n")
	return ours(lipgloss.NewStyle(), "It wants you to open this page in your browser:", width) + "\n" + withBars(link, bar)
}

func caution(q *engine.Show, width int) string {
	if q.Mode != elicit.Form || q.Form == nil || len(q.Form.Fields) == 0 {
		return ""
	}
	return ours(palette.faint, "Share only what "+oneLine(clip(q.Server, 60))+" may know.", width)
}

// maxWarnings bounds the warnings, because a hostile request can cause many.
const maxWarnings = 8

// warnings returns findings in words, the most severe first.
func warnings(findings []elicit.Finding, width int) string {
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
		lines = append(lines, ours(style, mark+strings.ToUpper(string(f.Severity))+" "+oneLine(english.Finding(f)), width))
	}
	return strings.Join(lines, "\n")
}

// why lists the reasons of a policy file for asking. It leaves out the built-in reasons, because asking is the default.
func why(reasons []elicit.Reason, width int) string {
	var lines []string
	for _, r := range reasons {
		if r.Layer == "builtin" || len(lines) == maxWarnings {
			continue
		}
		lines = append(lines, ours(palette.faint, "why you are asked: "+oneLine(english.Reason(r)), width))
	}
	return strings.Join(lines, "\n")
}

// address returns the whole URL with its host in brackets and bold. It leaves out no part, and is not clickable.
func address(url string) string {
	before, host, after := splitHost(url)
	if host == "" {
		return Plain(url)
	}
	return Plain(before) + "[" + bold.Render(Plain(host)) + "]" + Plain(after)
}

// remaining says how much time the person has; it is "" without a deadline.
func remaining(deadline int64, now time.Time) string {
	if deadline == 0 {
		return ""
	}
	left := time.UnixMilli(deadline).Sub(now).Round(time.Second)
	return fmt.Sprintf("%s left", max(left, 0))
}

// queued says how many other requests wait.
func queued(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more waiting", n)
}

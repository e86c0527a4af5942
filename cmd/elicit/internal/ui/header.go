package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/risk"
)

// asker names the server that asks, and the tool.
func asker(q *effect.Show) string {
	who := bold.Render(oneLine(clip(q.Server, 60)))
	if q.Tool != "" {
		return who + " asks, running " + bold.Render(oneLine(clip(q.Tool, 60)))
	}
	return who + " asks"
}

// said returns the text before the first field, wrapped to width: the peer's words, and our facts about them. The facts
// are what has changed, the warnings, the destination of a link, and why the person is asked. If not open, a long diff
// is folded; fold is then the index of the first line that stands for others, else -1.
func said(q *effect.Show, width int, bar string, open bool) (words, facts []string, fold int) {
	fold = -1
	for _, p := range messageOf(q, width, bar) {
		words = append(words, p.lines...)
		switch {
		case p.folded == nil:
		case open:
			words = append(words, p.folded...)
		default:
			if fold < 0 {
				fold = len(words)
			}
			words = append(words, p.fold)
		}
	}
	if form := paragraphs(peer(formWords(q), width, bar)); len(words) > 0 && len(form) > 0 {
		words = append(append(words, ""), form...)
	} else {
		words = append(words, form...)
	}
	facts = paragraphs(aboutTool(q, width, bar), changed(q, width, bar), warnings(q.Findings, width),
		destination(q, width, bar), why(q.Reasons, width), caution(q, width))
	return words, facts, fold
}

// aboutTool returns what the server says of the tool whose call waits for the answer. All of it is the server's text.
func aboutTool(q *effect.Show, width int, bar string) string {
	var marks []string
	said := q.Annotations
	for _, m := range said.Members() {
		word := strings.ReplaceAll(m.Name, "_", " ")
		switch *m.Said {
		case elicit.SaidYes:
			marks = append(marks, word+": yes")
		case elicit.SaidNo:
			marks = append(marks, word+": no")
		}
	}
	text := strings.Join(nonEmpty(strings.TrimSpace(Plain(q.Description)), strings.Join(marks, ", ")), "\n")
	if text == "" {
		return ""
	}
	return ours(bold, "The server says of the tool:", width) + "\n" + peer(text, width, bar)
}

// ordered joins both, the peer's words first.
func ordered(words, facts []string) []string {
	if len(words) == 0 || len(facts) == 0 {
		return slices.Concat(words, facts)
	}
	return slices.Concat(words, []string{""}, facts)
}

// mostPinned bounds the warnings that stay in sight beside a long message.
const mostPinned = 3

// pin is a fact that stays in sight: one line, and all its lines for when there is room.
type pin struct {
	short string
	whole []string
}

// pinned returns what stays in sight while a long message scrolls: the address of a page, and a line for each warning.
// The whole text of the warnings follows the message.
func pinned(q *effect.Show, width int, bar string) (pins []pin) {
	if q.Mode == elicit.URL {
		for _, line := range withBarLines(address(q.URL), width, bar) {
			pins = append(pins, pin{line, []string{line}})
		}
	}
	list := english.Warnings(q.Findings)
	for i, w := range list {
		if i == mostPinned && len(list) > mostPinned+1 {
			line := palette.warn.Render(fmt.Sprintf("… and %d more warnings", len(list)-i))
			return append(pins, pin{line, []string{line}})
		}
		style, text := warning(w)
		first := wrapped(text, width-1)
		if len(first) > 1 {
			first[0] += "…"
		}
		pins = append(pins, pin{style.Render(first[0]), strings.Split(ours(style, text, width), "\n")})
	}
	return pins
}

// paragraphs returns the lines of all texts, with an empty line between two texts.
func paragraphs(texts ...string) []string {
	if texts = nonEmpty(texts...); len(texts) == 0 {
		return nil
	}
	return strings.Split(strings.Join(texts, "\n\n"), "\n")
}

func formWords(q *effect.Show) string {
	if q.Form == nil {
		return ""
	}
	return strings.TrimSpace(strings.Join(nonEmpty(Plain(q.Form.Title), Plain(q.Form.Help)), "\n"))
}

func destination(q *effect.Show, width int, bar string) string {
	if q.Mode != elicit.URL {
		return ""
	}
	return ours(lipgloss.NewStyle(), "It wants you to open this page in your browser:", width) + "\n" +
		strings.Join(withBarLines(address(q.URL), width, bar), "\n")
}

// withBarLines wraps an address, which has escape sequences, and puts a bar before each line.
func withBarLines(address string, width int, bar string) []string {
	lines := strings.Split(lipgloss.Wrap(address, max(width-ansi.StringWidth(bar), narrowest), ""), "\n")
	return strings.Split(withBars(lines, bar), "\n")
}

func caution(q *effect.Show, width int) string {
	if q.Mode != elicit.Form || q.Form == nil || len(q.Form.Fields) == 0 {
		return ""
	}
	return ours(palette.faint, "Share only what "+oneLine(clip(q.Server, 60))+" may know.", width)
}

// maxWarnings bounds the warnings, because a hostile request can cause many.
const maxWarnings = 8

// warnings returns findings in words, the most severe first.
func warnings(findings []elicit.Finding, width int) string {
	var lines []string
	list := english.Warnings(findings)
	for i, w := range list {
		if i == maxWarnings {
			lines = append(lines, fmt.Sprintf("… and %d more", len(list)-i))
			break
		}
		style, text := warning(w)
		lines = append(lines, ours(style, text, width))
	}
	return strings.Join(lines, "\n")
}

// warning returns a warning in words, and how to draw it.
func warning(w english.Warning) (lipgloss.Style, string) {
	style, mark := palette.warn, "! "
	switch rank := w.Severity.Rank(); {
	case rank >= elicit.High.Rank():
		style, mark = palette.bad.Bold(true), "!! "
	case rank == elicit.Info.Rank():
		style, mark = palette.faint, "i "
	}
	return style, mark + strings.ToUpper(string(w.Severity)) + " " + oneLine(w.Text)
}

// why lists the reasons of a policy file for asking. It leaves out the built-in reasons, because asking is the default.
func why(reasons []elicit.Reason, width int) string {
	var lines []string
	for _, r := range reasons {
		if r.Layer == "builtin" || len(lines) == maxWarnings {
			continue
		}
		lines = append(lines, ours(palette.faint, oneLine(english.Why(r)), width))
	}
	return strings.Join(lines, "\n")
}

// address returns the whole URL with its host in brackets and bold. It leaves out no part, and is not clickable. It
// marks no host when two programs could read the URL in different ways.
func address(url string) string {
	u, ok := risk.ParseURL(url)
	if !ok {
		return Plain(url)
	}
	return Plain(url[:u.HostStart]) + "[" + bold.Render(Plain(url[u.HostStart:u.HostEnd])) + "]" + Plain(url[u.HostEnd:])
}

// hurry is the time from which the countdown warns.
const hurry = 30 * time.Second

// remaining says how much time the person has; it is "" without a deadline. Near the end it stands out.
func remaining(deadline int64, now time.Time) string {
	if deadline == 0 {
		return ""
	}
	left := max(time.UnixMilli(deadline).Sub(now).Round(time.Second), 0)
	if left <= hurry {
		return palette.bad.Bold(true).Render(fmt.Sprintf("! only %s left", left))
	}
	return palette.faint.Render(fmt.Sprintf("%s left", left))
}

// queued says how many other requests wait.
func queued(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more waiting", n)
}

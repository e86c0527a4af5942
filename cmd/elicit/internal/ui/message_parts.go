package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// passage is some lines of a message as drawn, and lines after them that may be folded.
type passage struct {
	lines  []string
	folded []string
	fold   string // the line of ours that stands for the folded lines
}

// messageOf returns the message as drawn: each part in its own way, with an empty line between two parts. A message
// without parts is text.
func messageOf(q *effect.Show, width int, bar string) (list []passage) {
	parts := q.Parts
	if len(parts) == 0 {
		return []passage{{lines: textLines(q.Message, width, bar)}}
	}
	lines := strings.Split(q.Message, "\n")
	for i := 0; i < len(parts); i++ {
		n := max(min(parts[i].Lines, len(lines)), 0) // the engine has checked it; a script may not have
		text := partText(lines[:n])
		lines = lines[n:]
		var next string
		if i+1 < len(parts) {
			next = partText(lines[:max(min(parts[i+1].Lines, len(lines)), 0)])
		}
		switch parts[i].Is {
		case elicit.PartCommand:
			directory := ""
			if i+1 < len(parts) && parts[i+1].Is == elicit.PartDirectory {
				if directory = besideCommand(text, next, width-ansi.StringWidth(bar)); directory != "" {
					lines, i = lines[min(parts[i+1].Lines, len(lines)):], i+1
				}
			}
			list = append(list, passage{lines: commandLines(text, directory, width, bar)})
		case elicit.PartDiff:
			list = append(list, newDiffPen(width, bar).draw(text)...)
		case elicit.PartAccess:
			list = append(list, passage{lines: accessLines(text, width, bar)})
		default:
			list = append(list, passage{lines: textLines(text, width, bar)})
		}
		if i+1 < len(parts) {
			list = append(list, passage{lines: []string{barred("", bar, bold)}})
		}
	}
	if len(lines) > 0 { // parts that do not cover the message hide nothing
		list = append(list, passage{lines: textLines(strings.Join(lines, "\n"), width, bar)})
	}
	return list
}

// partText is the text of a part without the empty lines at its end.
func partText(lines []string) string { return strings.TrimRight(strings.Join(lines, "\n"), "\n") }

func textLines(text string, width int, bar string) []string {
	drawn := peer(strings.TrimSpace(Plain(text)), width, bar)
	if drawn == "" {
		return nil
	}
	return strings.Split(drawn, "\n")
}

// barred is one line of a peer with its bar.
func barred(line, bar string, style lipgloss.Style) string {
	if line != "" {
		line = style.Render(line)
	}
	return withBars([]string{line}, bar)
}

// besideCommand returns the line of a directory if it fits beside a command of one line, and "" otherwise.
func besideCommand(command, directory string, width int) string {
	command, directory = Plain(command), Plain(directory)
	if directory == "" || strings.Contains(command+directory, "\n") ||
		columnsOfText(shellPrompt+command)+columnsOfText(directory)+leastGap > width {
		return ""
	}
	return directory
}

const (
	shellPrompt = "$ "
	leastGap    = 3
)

func columnsOfText(text string) (n int) {
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

// commandLines draws a command after a prompt. Its further lines are indented.
func commandLines(command, directory string, width int, bar string) (lines []string) {
	for i, line := range wrapped(Plain(command), width-ansi.StringWidth(bar)-len(shellPrompt)) {
		before := shellPrompt
		if i > 0 {
			before = "  "
		}
		lines = append(lines, barred(before+line, bar, bold))
	}
	if directory != "" {
		lines[0] += strings.Repeat(" ", leastGap) + palette.faint.Render(directory)
	}
	return lines
}

// accessLines draws permissions as a table: the word for the access, and the place.
func accessLines(text string, width int, bar string) (lines []string) {
	room, column := width-ansi.StringWidth(bar), 0
	var rows [][2]string
	for line := range strings.SplitSeq(text, "\n") {
		if line = Plain(line); line == "" {
			continue
		}
		access, place, _ := strings.Cut(line, " ")
		if wide := columnsOfText(access); wide <= room/3 {
			column = max(column, wide)
		}
		rows = append(rows, [2]string{access, place})
	}
	for _, row := range rows {
		access, gap := row[0], column-columnsOfText(row[0])
		if gap < 0 { // no word for an access is that long
			lines = append(lines, textLines(access+" "+row[1], width, bar)...)
			continue
		}
		for i, place := range wrapped(row[1], room-column-2) {
			word := bold.Render(access) + strings.Repeat(" ", gap)
			if i > 0 {
				word = strings.Repeat(" ", column)
			}
			lines = append(lines, withBars([]string{word + "  " + place}, bar))
		}
	}
	return lines
}

package ui

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/schema"
)

// label returns the label of a field, with a star when an answer is required.
func label(f *schema.Field) string {
	name := oneLine(clip(f.Label, 120))
	if f.Required {
		return name + " *"
	}
	return name
}

// help returns the peer's description of a field.
func help(f *schema.Field) string { return strings.TrimSpace(oneLine(clip(f.Help, 400))) }

// hint says which values fit a field. It reads the compiled form, so it says exactly what is checked.
func hint(f *schema.Field) string {
	parts := Fits(f)
	if f.Kind == schema.Text && f.Sensitive {
		parts = append(parts, "hidden while you type")
	}
	if len(f.Choices) > longList {
		parts = append(parts, "/ searches")
	}
	return strings.Join(parts, " · ")
}

// Fits lists in a few words each which values fit a field. Whether an answer is required comes first.
func Fits(f *schema.Field) []string {
	must := "optional"
	if f.Required {
		must = "required"
	}
	l := &f.Limit
	switch f.Kind {
	case schema.Text:
		return nonEmpty(must, formatHints[l.Format], oneLine(clip(l.FormatNote, 80)), lengthHint(l.MinLength, l.MaxLength))
	case schema.Integer:
		return nonEmpty(must, "whole number", rangeHint(l))
	case schema.Number:
		return nonEmpty(must, "number", rangeHint(l))
	case schema.ManyChoices:
		return nonEmpty(must, itemsHint(l.MinItems, l.MaxItems, len(f.Choices)))
	}
	return []string{must}
}

var formatHints = map[schema.Format]string{
	schema.Email:    "e-mail address, like ann@example.org",
	schema.URI:      "web address, like https://example.org",
	schema.Date:     "date, like 2026-02-28",
	schema.DateTime: "date and time, like 2026-02-28T14:30:00Z",
	schema.Time:     "time, like 14:30:00Z",
	schema.UUID:     "UUID, like 123e4567-e89b-12d3-a456-426614174000",
	schema.IPv4:     "IPv4 address, like 192.0.2.1",
	schema.IPv6:     "IPv6 address, like 2001:db8::1",
	schema.Hostname: "host name, like www.example.org",
}

func lengthHint(least, most int) string {
	switch {
	case least > 0 && most == least:
		return fmt.Sprintf("exactly %d characters", most)
	case least > 1 && most >= 0:
		return fmt.Sprintf("%d–%d characters", least, most)
	case most >= 0:
		return fmt.Sprintf("at most %d characters", most)
	case least > 1:
		return fmt.Sprintf("at least %d characters", least)
	}
	return ""
}

func rangeHint(l *schema.Constraints) string {
	var parts []string
	low, high := string(l.Minimum.Raw), string(l.Maximum.Raw)
	switch {
	case low != "" && high != "":
		parts = append(parts, low+" to "+high)
	case low != "":
		parts = append(parts, "at least "+low)
	case high != "":
		parts = append(parts, "at most "+high)
	}
	for _, p := range []struct{ words, raw string }{{"more than ", string(l.Above.Raw)},
		{"less than ", string(l.Below.Raw)}, {"a multiple of ", string(l.MultipleOf.Raw)}} {
		if p.raw != "" {
			parts = append(parts, p.words+p.raw)
		}
	}
	return strings.Join(parts, ", ")
}

func itemsHint(least, most, have int) string {
	switch {
	case most < 0 || most >= have:
		if least > 0 {
			return fmt.Sprintf("choose at least %d", least)
		}
		return "choose any"
	case least == most:
		return fmt.Sprintf("choose %d", most)
	case least > 0:
		return fmt.Sprintf("choose %d to %d", least, most)
	}
	return fmt.Sprintf("choose at most %d", most)
}

// textOf returns an initial value as a person would type it.
func textOf(initial []byte) string {
	if len(initial) > 0 && initial[0] == '"' {
		return gjson.ParseBytes(initial).String()
	}
	return string(initial)
}

func textsOf(initial []byte) []string {
	return each.Of(gjson.ParseBytes(initial).Array(), gjson.Result.String)
}

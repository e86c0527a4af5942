package schema

import "strings"

// Widget is advice on how to draw a field: what most people expect. A host may draw something else.
//
//	kind      when                                                        widget
//	text      format email / uri / date / date-time                       email / url / date / date-time
//	text      maxLength or minLength above 100                            multiline
//	text      no maxLength, and the description speaks of long text        multiline
//	text      otherwise                                                   text
//	number, integer                                                       number
//	boolean   with a default                                              checkbox
//	boolean   without: no silent false, an optional field may stay open   yes-no
//	choice    up to 5, or up to 7 with descriptions                       radio
//	choice    up to 12                                                    select
//	choice    more                                                        search
//	choices   up to 10 (a list of boxes)                                  checkbox
//	choices   more                                                        search
type Widget uint8

// These are the widgets.
const (
	WidgetText Widget = iota
	WidgetMultiline
	WidgetEmail
	WidgetURL
	WidgetDate
	WidgetDateTime
	WidgetNumber
	WidgetCheckbox
	WidgetYesNo
	WidgetRadio
	WidgetSelect
	WidgetSearch
)

var widgetNames = [...]string{"text", "multiline", "email", "url", "date", "date-time", "number", "checkbox", "yes-no",
	"radio", "select", "search"}

// String returns the JSON spelling.
func (w Widget) String() string {
	if int(w) < len(widgetNames) {
		return widgetNames[w]
	}
	return "text"
}

// advise runs once the field is complete, because the choices, the bounds and the default all count.
func advise(f *Field) Widget {
	switch f.Kind {
	case Number, Integer:
		return WidgetNumber
	case Boolean:
		if f.Initial != nil {
			return WidgetCheckbox
		}
		return WidgetYesNo
	case OneChoice:
		return adviseChoice(f.Choices)
	case ManyChoices:
		if len(f.Choices) <= 10 {
			return WidgetCheckbox
		}
		return WidgetSearch
	}
	return adviseText(f)
}

// adviseChoice counts options. A person can compare a few of them at a glance. Descriptions take more room, but
// there is more to compare.
func adviseChoice(choices []Choice) Widget {
	few := 5
	for i := range choices {
		if choices[i].Description != "" {
			few = 7
			break
		}
	}
	switch n := len(choices); {
	case n <= few:
		return WidgetRadio
	case n <= 12:
		return WidgetSelect
	}
	return WidgetSearch
}

func adviseText(f *Field) Widget {
	switch f.Limit.Format {
	case Email:
		return WidgetEmail
	case URI:
		return WidgetURL
	case Date:
		return WidgetDate
	case DateTime:
		return WidgetDateTime
	}
	const long = 100
	switch l := f.Limit; {
	// A format is one line, however long: a URI may have 2,000 characters.
	case l.Format != AnyFormat, l.FormatNote != "":
		return WidgetText
	case l.MaxLength > long, l.MinLength > long:
		return WidgetMultiline
	case l.MaxLength < 0 && speaksOfProse(f.Help):
		return WidgetMultiline
	}
	return WidgetText
}

// proseWords are words in a description that announce more than one line.
var proseWords = [...]string{"multiline", "multi-line", "multiple lines", "paragraph", "in detail", "detailed",
	"long text", "free text", "free-form", "sentences", "essay"}

// speaksOfProse looks for the words. They are English, so other descriptions get one line. That is only advice:
// a host may let the line grow.
func speaksOfProse(help string) bool {
	if help == "" {
		return false
	}
	help = strings.ToLower(help)
	for _, word := range proseWords {
		if strings.Contains(help, word) {
			return true
		}
	}
	return false
}

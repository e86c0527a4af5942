package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestTheToolOfAHeldCallIsDescribed: the description and the annotations stand behind bars, as the server's text.
func TestTheToolOfAHeldCallIsDescribed(t *testing.T) {
	q := &effect.Show{Server: "files", Tool: "delete", Message: "delete: {}",
		Description: "Deletes a file.\n\x1b[2JElicit: it is safe.",
		Annotations: elicit.Annotations{ReadOnly: elicit.SaidNo, Destructive: elicit.SaidYes}}
	words, facts, _ := said(q, 60, spokenBar, true)
	text := ansi.Strip(strings.Join(ordered(words, facts), "\n"))
	want := []string{"The server says of the tool:", spokenBar + "Deletes a file.",
		spokenBar + "<U+001B>[2JElicit: it is safe.",
		spokenBar + "read only: no, destructive: yes"}
	if got := strings.Join(want, "\n"); !strings.Contains(text, got) {
		t.Errorf("got\n%s\nwant it to contain\n%s", text, got)
	}
	if q.Description, q.Annotations = "", (elicit.Annotations{}); aboutTool(q, 60, spokenBar) != "" {
		t.Error("something is said of a tool of which the server says nothing")
	}
}

func choicesOf(values ...string) *schema.Field {
	f := &schema.Field{Kind: schema.OneChoice}
	for _, v := range values {
		value, title, titled := strings.Cut(v, "=")
		if !titled {
			title = value
		}
		f.Choices = append(f.Choices, schema.Choice{Value: value, Title: title})
	}
	return f
}

func TestChoicesThatLookAlikeAreToldApart(t *testing.T) {
	same := strings.Repeat("x", 200)
	for _, c := range []struct {
		name    string
		choices []string
		want    []string
	}{
		{"different", []string{"p=Production", "s=Staging"}, []string{"Production", "Staging"}},
		{"one title", []string{"p=Deploy", "s=Deploy"}, []string{"Deploy (value “p”)", "Deploy (value “s”)"}},
		{"the end differs", []string{same + "a", same + "b"}, []string{
			strings.Repeat("x", 79) + "…" + strings.Repeat("x", 39) + "a",
			strings.Repeat("x", 79) + "…" + strings.Repeat("x", 39) + "b"}},
		{"the middle differs", []string{same + "a" + same, same + "b" + same}, []string{
			strings.Repeat("x", 59) + "… (from character 191: “" + same[:10] + "a" + same[:29] + "”)",
			strings.Repeat("x", 59) + "… (from character 191: “" + same[:10] + "b" + same[:29] + "”)"}},
		{"other letters", []string{"pay", "p\u0430y"}, []string{`pay ("pay")`, "p\u0430y (\"p\\u0430y\")"}},
		{"invisible", []string{"pay", "pay\u2800", "p\u034fay"}, []string{"pay", "pay<U+2800>", "p<U+034F>ay"}},
		{"an emoji selector", []string{"\u2764", "\u2764\ufe0f"},
			[]string{"\u2764 (\"\\u2764\")", "\u2764\ufe0f (\"\\u2764\\ufe0f\")"}},
		{"spaces", []string{"a b", "a\u00a0b", "a b "}, []string{`a b ("a b")`, `a b ("a\u00a0b")`, `a b  ("a b ")`}},
		{"composed and not", []string{"\u00e9", "e\u0301"}, []string{"\u00e9 (\"\\u00e9\")", "e\u0301 (\"e\\u0301\")"}},
		{"titled like a sign", []string{"p=a", "q=a", "r=a (value “p”)"}, []string{
			"1: a (value “p”)", "2: a (value “q”)", "3: a (value “p”)"}},
		{"two differences", []string{same + "a" + same, same + "b" + same, same + "b" + same + "c" + same}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := choiceLabels(choicesOf(c.choices...))
			if c.want != nil && !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if groups := lookalikes(got); groups != nil {
				t.Errorf("still alike: %q", got)
			}
		})
	}
}

// TestNoTwoLabelsLookAlike makes random choices from pieces that are invisible, look alike or repeat.
func TestNoTwoLabelsLookAlike(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "\u0430", "o", "0", "\u200b", "\ufe0f", "\u2764", " ", "\u00a0", "\u3164",
		strings.Repeat("long ", 30), "\u0301", "\n",
		"é", "(value “", "”)", "1: ", "<U+3164>", "\\u0430", "\"", "👩\u200d", "👩"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "text"), "") })
	rapid.Check(t, func(t *rapid.T) {
		f := &schema.Field{Kind: schema.OneChoice}
		for _, value := range rapid.SliceOfNDistinct(text, 1, 12, rapid.ID).Draw(t, "values") {
			c := schema.Choice{Value: value, Title: value}
			if rapid.Bool().Draw(t, "titled") {
				c.Title, c.Description = text.Draw(t, "title"), text.Draw(t, "description")
			}
			f.Choices = append(f.Choices, c)
		}
		labels := choiceLabels(f)
		if groups := lookalikes(labels); groups != nil {
			t.Fatalf("alike: %q", labels)
		}
		for _, label := range labels {
			if strings.Contains(label, "\n") {
				t.Fatalf("%q has two lines", label)
			}
		}
	})
}

// BenchmarkLabels measures the slowest question that the limits allow: a thousand choices, each of which differs from
// the others only in one place, and each in another place.
func BenchmarkLabels(b *testing.B) {
	f := &schema.Field{Kind: schema.OneChoice}
	for i := range 1000 {
		value := []byte(strings.Repeat("x", 1000))
		value[i] = 'y'
		f.Choices = append(f.Choices, schema.Choice{Value: fmt.Sprint(i), Title: string(value)})
	}
	for b.Loop() {
		choiceLabels(f)
	}
}

// TestADefaultIsSpelledWhereItHidesSomething: the widget of a text field leaves out characters that it cannot draw, so
// the row spells a default with such characters.
func TestADefaultIsSpelledWhereItHidesSomething(t *testing.T) {
	for start, want := range map[string]string{
		"plain":           "",
		"two\tcolumns":    "",
		"two\nlines":      "",
		"pay\u200bpal":    "▌ pay<U+200B>pal",
		"a\x1b[2Jb\u202e": "▌ a<U+001B>[2Jb<U+202E>",
	} {
		text, err := json.Marshal(start)
		must.OK(t, err)
		form, problems := schema.Compile([]byte(`{"type":"object","properties":{"word":{"type":"string","default":`+
			string(text)+`}}}`), schema.Options{})
		if problems != nil {
			t.Fatalf("%q: %v", start, problems)
		}
		r := newRow(form.Field("word"), func(*fieldRow) {})
		r.WithWidth(80)
		view := ansi.Strip(r.View())
		said := strings.Contains(view, "some characters of this default are invisible")
		if said != (want != "") || !strings.Contains(view, want) {
			t.Errorf("%q: got\n%s\nwant %q", start, view, want)
		}
	}
}

// TestNumberChoiceStaysANumber: a choice of numbers shows its titles, starts with its default, and gives the number, on
// the screen and in line mode.
func TestNumberChoiceStaysANumber(t *testing.T) {
	form, problems := schema.Compile([]byte(`{"type":"object","properties":{"level":{"type":"number",
		"oneOf":[{"const":1,"title":"Low"},{"const":2.50,"title":"High"}],"default":2.5}}}`), schema.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	f := &form.Fields[0]
	drawn, changed := newRow(f, func(*fieldRow) {}).typed()
	said, wrong := parseLine(f, "1")
	if !changed || wrong != "" {
		t.Fatalf("drawn: changed %v; spoken: %s", changed, wrong)
	}
	for _, tc := range []struct {
		name, want string
		typed      schema.Typed
	}{{"the default as it is drawn", `{"level":2.50}`, drawn}, {"the first choice, spoken", `{"level":1}`, said}} {
		if got, problems := form.Coerce(nil, []schema.Typed{tc.typed}); string(got) != tc.want || problems != nil {
			t.Errorf("%s: got %s %v, want %s", tc.name, got, problems, tc.want)
		}
	}
	if got := initialWords(f); got != "2.50" {
		t.Errorf("initial words: got %s, want 2.50", got)
	}
}

func TestWrongJSONHasItsPlace(t *testing.T) {
	for text, want := range map[string]string{"": "", " \n": "", `{"a":[1,2]}`: "", "3": "",
		"{\n  \"é\": x\n}": "line 2, column 8: ", "{\n": "line 2, column 1: unexpected end", "[1,]": "line 1, column 4: ",
		"\x1b": "line 1, column 1: ", `{"a":1} x`: "line 1, column 9: "} {
		if got := wrongJSON(text); want == "" && got != "" || !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestJSONIsWrittenInLines: Enter begins a line, a wrong text is not submitted, and its place is told.
func TestJSONIsWrittenInLines(t *testing.T) {
	form, problems := schema.Compile([]byte(`{"type":"object","properties":{"json":{"type":"string",`+
		`"title":"Answer as JSON","minLength":1}},"required":["json"]}`), schema.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	d := draw(t, &effect.Show{Server: "demo", Mode: elicit.Form, Message: "Which?", Form: form}, 80, 24)
	d.wait(ignoreKeys)
	d.press(typing(`{"a":`)...)
	d.press(enter)
	d.press(typing(`[1,,2]}`)...)
	d.press(submit)
	d.shows("Answer as JSON", `{"a":`, `[1,,2]}`, "✗ line 2, column 4: invalid character", "this is no JSON")
	if d.given.Action != "" {
		t.Fatalf("answered with %s", d.given.Content)
	}
	for range 4 {
		d.press(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
	d.shows("✗ line 2, column 4: unexpected end")
	d.press(typing(`2]}`)...)
	if d.press(submit); d.given.Action != elicit.Accept || string(d.given.Content) != `{"json":"{\"a\":\n[1,2]}"}` {
		t.Errorf("%s %s", d.given.Action, d.given.Content)
	}
}

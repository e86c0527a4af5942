package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/schema"
)

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

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guestCase is one file: a question or settings, and what must come of it.
type guestCase struct {
	name     string
	path     string
	text     []byte // of the file
	Question json.RawMessage
	Settings json.RawMessage
	Verdict  any
	Decision string
	Fault    string
	Problems []any
	About    string // for people
	Name     string // likewise
}

func readCase(path string) (c guestCase, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, cannotRead(path, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%s is no case: %w", path, err)
	}
	c.name, c.path, c.text = caseName(path), path, text
	wants := 0
	for _, said := range []bool{c.Verdict != nil, c.Decision != "", c.Fault != "", c.Problems != nil} {
		if said {
			wants++
		}
	}
	if (c.Question == nil) == (c.Settings == nil) || wants != 1 {
		return c, fmt.Errorf("%s is no case: give a question or settings, and one of verdict, decision, fault, problems", path)
	}
	return c, nil
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

// update writes what the module says now in the place of what the case wants, and leaves the rest of the file as it is
// spelled. A fault is not written, since nobody wants one by mistake.
func (c *guestCase) update(r host.Result) (updated bool, err error) {
	said := c.said(r)
	if strings.HasPrefix(said, "fault ") {
		return false, nil
	}
	name, now := "verdict", string(r.Output)
	switch {
	case c.Settings != nil:
		name, now = "problems", gjson.GetBytes(r.Output, "problems").Raw
	case c.Decision != "":
		name, now = "decision", quoted(said)
	}
	var out []byte
	gjson.ParseBytes(c.text).ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "verdict", "decision", "fault", "problems":
			from := bytes.LastIndex(c.text[:v.Index], []byte(k.Raw))
			out = append(append(out, c.text[:from]...), quoted(name)+": "+spaced(now)...)
			out = append(out, c.text[v.Index+len(v.Raw):]...)
		}
		return out == nil
	})
	return true, rewrite(c.path, out)
}

// spaced is compact JSON with a blank behind each colon and comma, as cases are written by hand.
func spaced(text string) string {
	var out []byte
	quoted, escaped := false, false
	for _, c := range []byte(text) {
		out = append(out, c)
		if !quoted && (c == ':' || c == ',') {
			out = append(out, ' ')
		}
		if c == '"' && !escaped {
			quoted = !quoted
		}
		escaped = quoted && c == '\\' && !escaped
	}
	return string(out)
}

// document is what the module is given, without blanks.
func (c *guestCase) document() []byte {
	text := c.Question
	if text == nil {
		text = c.Settings
	}
	var out bytes.Buffer
	_ = json.Compact(&out, text) // it was read as JSON
	return out.Bytes()
}

// said is the result in a word: the decision, the fault, or whether settings fit.
func (c *guestCase) said(r host.Result) string {
	fault := string(r.Fault)
	if p := readable(c.Question, r.Output, c.Settings != nil); fault == "" && p != nil {
		fault = string(guardian.FaultBadVerdict)
	}
	switch {
	case fault != "":
		return "fault " + fault
	case c.Settings == nil:
		return gjson.GetBytes(r.Output, "decision").String()
	case len(gjson.GetBytes(r.Output, "problems").Array()) == 0:
		return "fit"
	}
	return "do not fit"
}

// wrong says how a result differs from what is wanted, "" when it does not.
func (c *guestCase) wrong(r host.Result) string {
	said := c.said(r)
	got := string(r.Output)
	if r.Fault != "" {
		got = faultWords(r)
	}
	switch {
	case c.Fault != "" && said == "fault "+c.Fault, c.Decision != "" && said == c.Decision:
		return ""
	case c.Fault != "":
		return fmt.Sprintf("   got %s\n  want the fault %s\n", oneLine(got), c.Fault)
	case c.Decision != "":
		return fmt.Sprintf("   got %s\n  want %s\n", oneLine(got), c.Decision)
	}
	want := c.Verdict
	if c.Problems != nil {
		want = map[string]any{"v": 1.0, "problems": c.Problems}
	}
	var have any
	if json.Unmarshal(r.Output, &have) == nil && r.Fault == "" && !strings.HasPrefix(said, "fault") && reflect.DeepEqual(have, want) {
		return ""
	}
	if again, err := json.Marshal(have); err == nil && have != nil {
		got = string(again) // so that both name their members in one order
	}
	text, _ := json.Marshal(want) // it was read from JSON
	got, wanted := apart(oneLine(got), string(text))
	return fmt.Sprintf("   got %s\n  want %s\n", got, wanted)
}

// longestTold is how much of a result is shown, in bytes.
const longestTold = 240

// apart cuts two long texts to where they part.
func apart(a, b string) (string, string) {
	if max(len(a), len(b)) <= longestTold {
		return a, b
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(s string) string {
		from, to := max(0, same-longestTold/4), min(len(s), same+longestTold*3/4)
		for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
			from--
		}
		for to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		return []string{"", "…"}[min(from, 1)] + s[min(from, to):to] + []string{"", "…"}[min(len(s)-to, 1)]
	}
	return cut(a), cut(b)
}

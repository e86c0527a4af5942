package guardian

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guestCase is one file of a case: a question or settings, and the wanted result. Exactly one of Verdict, Decision,
// Fault and Problems is set. `elicit guardian test --help` shows the format.
type guestCase struct {
	name     string // the file's name without its extension
	path     string
	text     []byte // the file as it is, so that update can keep its spelling
	Question json.RawMessage
	Settings json.RawMessage
	Verdict  any
	Decision string
	Fault    string
	Problems []any
	About    string // a remark for readers of the file
	Name     string // another one
}

func readCase(path string) (c guestCase, err error) {
	f, err := trustedfile.OpenRegular(path)
	if trustedfile.IsWrong(err) {
		return c, err
	}
	if err != nil {
		return c, cli.CannotRead(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return c, cli.CannotRead(path, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%s is not a case: %w; `elicit guardian test --help` shows the format", path, err)
	}
	c.name, c.path, c.text = caseName(path), path, text
	wants := 0
	for _, said := range []bool{c.Verdict != nil, c.Decision != "", c.Fault != "", c.Problems != nil} {
		if said {
			wants++
		}
	}
	if (c.Question == nil) == (c.Settings == nil) || wants != 1 {
		return c, fmt.Errorf("%s is not a case; give either \"question\" or \"settings\", "+
			"and exactly one of \"verdict\", \"decision\", \"fault\" and \"problems\"", path)
	}
	return c, nil
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

// update replaces the result that the case wants by the result of the module, and leaves every other byte of the file.
// It never writes a fault, because a fault by mistake must not become the wanted result.
func (c *guestCase) update(r host.Result) (updated bool, err error) {
	said := c.summary(r)
	if strings.HasPrefix(said, "fault ") {
		return false, nil
	}
	name, now := "verdict", string(r.Output)
	switch {
	case c.Settings != nil:
		name, now = "problems", gjson.GetBytes(r.Output, "problems").Raw
	case c.Decision != "":
		name, now = "decision", cli.Quoted(said)
	}
	var out []byte
	gjson.ParseBytes(c.text).ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "verdict", "decision", "fault", "problems":
			from := bytes.LastIndex(c.text[:v.Index], []byte(k.Raw))
			out = append(append(out, c.text[:from]...), cli.Quoted(name)+": "+spaced(now)...)
			out = append(out, c.text[v.Index+len(v.Raw):]...)
		}
		return out == nil
	})
	return true, cli.Rewrite(c.path, out)
}

// spaced puts a blank after each colon and comma of compact JSON, as people write cases by hand.
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

// document returns the question or the settings as compact JSON, which is the module's input.
func (c *guestCase) document() []byte {
	text := c.Question
	if text == nil {
		text = c.Settings
	}
	var out bytes.Buffer
	_ = json.Compact(&out, text) // cannot fail: readCase has read it as JSON
	return out.Bytes()
}

// summary returns the result in a few words: the decision, "fault" and its code, or whether the settings fit.
func (c *guestCase) summary(r host.Result) string {
	fault := string(r.Fault)
	if p := outputProblem(c.Question, r.Output, c.Settings != nil); fault == "" && p != nil {
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

// difference describes how a result differs from the wanted one; it is "" when they are equal.
func (c *guestCase) difference(r host.Result) string {
	said := c.summary(r)
	got := string(r.Output)
	if r.Fault != "" {
		got = rules.FaultWords(r)
	}
	switch {
	case c.Fault != "" && said == "fault "+c.Fault, c.Decision != "" && said == c.Decision:
		return ""
	case c.Fault != "":
		return fmt.Sprintf("   got %s\n  want the fault %s\n", cli.OneLine(got), c.Fault)
	case c.Decision != "":
		return fmt.Sprintf("   got %s\n  want %s\n", cli.OneLine(got), c.Decision)
	}
	want := c.Verdict
	if c.Problems != nil {
		want = map[string]any{"v": 1.0, "problems": c.Problems}
	}
	var have any
	isJSON := json.Unmarshal(r.Output, &have) == nil
	if isJSON && r.Fault == "" && !strings.HasPrefix(said, "fault") && reflect.DeepEqual(have, want) {
		return ""
	}
	if again, err := json.Marshal(have); err == nil && have != nil {
		got = string(again) // now the members of both texts have the same order
	}
	text, _ := json.Marshal(want) // cannot fail: it was read from JSON
	got, wanted := cutToDifference(cli.OneLine(got), string(text))
	return fmt.Sprintf("   got %s\n  want %s\n", got, wanted)
}

// maxShown is the most bytes of a result that difference shows.
const maxShown = 240

// cutToDifference shortens two long texts to the part around their first difference.
func cutToDifference(a, b string) (string, string) {
	if max(len(a), len(b)) <= maxShown {
		return a, b
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(s string) string {
		from, to := max(0, same-maxShown/4), min(len(s), same+maxShown*3/4)
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

package guardian

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guestCase is one case: a question or settings, and the wanted result. Exactly one of Verdict, Decision, Fault and
// Problems is set. `elicit guardian test --help` shows the format.
type guestCase struct {
	in       guestcase.Case
	Question json.RawMessage
	Settings json.RawMessage
	Verdict  any
	Decision string
	Fault    string
	Problems []any
	About    string // a remark for readers of the file
	Name     string // needed in a list; guestcase reads it
}

// casesIn reads the cases in a directory. only is the value of --run, "" for all.
func casesIn(dir, only string) (cases []guestCase, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no cases; `elicit guardian test --help` shows the format of a case, "+
			"and `elicit guardian question` makes a question for one", dir)
	}
	for _, file := range files {
		text, err := readCaseFile(file)
		if err != nil {
			return nil, cli.Exit(cli.Invalid, err)
		}
		for _, in := range guestcase.Split(file, text) {
			matched, err := path.Match(only, in.Name)
			if err != nil {
				return nil, errors.New("--run is not a pattern; give the name of a case, in which * stands for any characters")
			}
			if only != "" && !matched {
				continue
			}
			c, err := readCase(in)
			if err != nil {
				return nil, cli.Exit(cli.Invalid, err)
			}
			cases = append(cases, c)
		}
	}
	if cases == nil {
		return nil, fmt.Errorf("no case in %s has the name %s; check --run", dir, only)
	}
	return cases, nil
}

// caseDirectory returns the directory of the cases of a module, the first argument: the second argument, else that of
// a flag, else "cases" beside the module.
func caseDirectory(args []string, flag string) string {
	if len(args) == 2 {
		return args[1]
	}
	return cmp.Or(flag, filepath.Join(filepath.Dir(args[0]), "cases"))
}

func readCaseFile(path string) ([]byte, error) {
	f, err := trustedfile.OpenRegular(path)
	if trustedfile.IsWrong(err) {
		return nil, err
	}
	if err != nil {
		return nil, cli.CannotRead(path, err)
	}
	defer f.Close()
	doc, err := cli.ReadFrom(path, f)
	return doc.Text, err
}

func readCase(in guestcase.Case) (c guestCase, err error) {
	where := in.File
	if in.At > 0 {
		where += ": " + in.Name
	}
	d := json.NewDecoder(bytes.NewReader(in.Text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%s is not a case: %w; `elicit guardian test --help` shows the format", where, err)
	}
	c.in = in
	wants := 0
	for _, said := range []bool{c.Verdict != nil, c.Decision != "", c.Fault != "", c.Problems != nil} {
		if said {
			wants++
		}
	}
	if (c.Question == nil) == (c.Settings == nil) || wants != 1 {
		return c, fmt.Errorf("%s is not a case; give either \"question\" or \"settings\", "+
			"and exactly one of \"verdict\", \"decision\", \"fault\" and \"problems\"", where)
	}
	return c, nil
}

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
	// An earlier case of the file may have another length now.
	text, err := readCaseFile(c.in.File)
	if err != nil {
		return false, err
	}
	cases := guestcase.Split(c.in.File, text)
	if c.in.Nth >= len(cases) || cases[c.in.Nth].Name != c.in.Name {
		return false, fmt.Errorf("%s changed while its cases ran", c.in.File)
	}
	in := cases[c.in.Nth]
	var out []byte
	gjson.ParseBytes(in.Text).ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "verdict", "decision", "fault", "problems":
			from := in.At + bytes.LastIndex(in.Text[:v.Index], []byte(k.Raw))
			out = append(append(out, text[:from]...), cli.Quoted(name)+": "+spaced(now)...)
			out = append(out, text[in.At+v.Index+len(v.Raw):]...)
		}
		return out == nil
	})
	return true, cli.Rewrite(c.in.File, out)
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
		return plain.Part(s, max(0, same-maxShown/4), min(len(s), same+maxShown*3/4))
	}
	return cut(a), cut(b)
}

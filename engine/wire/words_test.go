package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// TestWords reads lists of arguments and spells them for a shell.
func TestWords(t *testing.T) {
	for _, test := range []struct{ list, want string }{
		{`[]`, ""},
		{`["git","push"]`, "git push"},
		{`["a b","it's",""]`, `'a b' 'it'\''s' ''`},
		{`["azAZ09","-_./:=,+@%"]`, `azAZ09 -_./:=,+@%`},
		{`["a{","[A","B"]`, `'a{' '[A' B`},
		{"[\"`a\",\"~\",\"é;\"]", "'`a' '~' 'é;'"},
		{`["a",1]`, "no"},
		{`"a"`, "no"},
		{`["1","2","3","4"]`, "no"},
		{`["1","2","3"]`, "1 2 3"},
		{`null`, "no"},
	} {
		words, ok := Texts([]byte(test.list), 3)
		got := CommandLine(words)
		if !ok {
			got = "no"
		}
		if got != test.want || !ok && words != nil {
			t.Errorf("%s: %s, want %s", test.list, got, test.want)
		}
	}
	for _, pair := range strings.Fields("/a/./b/../c=/a/c //=/ a/../b=a/../b C:\\a\\..=C:\\a\\.. /=/") {
		name, want, _ := strings.Cut(pair, "=")
		if got := PlainPath(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestQuestionsAreBounded: each question can be shown whole and told from the others, or none is asked.
func TestQuestionsAreBounded(t *testing.T) {
	many := func(n int, each string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(each, i))
		}
		return strings.Join(list, ",")
	}
	one := func(more string) string { return `{"question":"Q?"` + more + `}` }
	options := func(list string) string { return one(`,"options":[` + list + `]`) }
	sized := func(n int) string {
		return `{"question":"` + strings.Repeat("q", n-4) + `","header":"h","options":[{"label":"a","description":"d",` +
			`"preview":"p"}]}`
	}
	for list, want := range map[string]bool{
		one(""): true, "": false, "7": false, one("") + "," + one(""): false,
		one("") + `,{"question":" Q? \n"}`:            false,
		one("") + `,{"question":"Q ?"}`:               true,
		many(maxQuestions, `{"question":"%d"}`):       true,
		many(maxQuestions+1, `{"question":"%d"}`):     false,
		options(many(maxOptions, `{"label":"%d"}`)):   true,
		options(many(maxOptions+1, `{"label":"%d"}`)): false,
		sized(maxAsked):     true,
		sized(maxAsked + 1): false,
		options(`{"label":"a b"},{"label":"a  b "}`):      false,
		options(`{"label":"a"},{"label":"A"}`):            true,
		options(`{"label":" "}`):                          false,
		options(`{"description":"d"}`):                    false,
		options(`"a"`):                                    false,
		options(`{"label":"a","preview":7}`):              false,
		options(`{"label":"a","preview":null}`):           true,
		`{"question":" "}`:                                false,
		`{"question":null}`:                               false,
		`{"question":7}`:                                  false,
		`{"header":"h"}`:                                  false,
		one(`,"header":null`):                             true,
		one(`,"header":7`):                                false,
		one(`,"kind":"choice","options":[{"label":"a"}]`): true,
		one(`,"kind":"text","options":[{"label":"a"}]`):   false,
		one(`,"kind":"number","options":[]`):              true,
		one(`,"kind":"slider"`):                           false,
	} {
		if q, ok := ReadQuestions([]byte("[" + list + "]")); ok != want || !ok && len(list) > 1 && len(q) > maxQuestions {
			t.Errorf("%.200s: read %t", list, ok)
		}
	}
	if _, ok := ReadQuestions([]byte(one(""))); ok {
		t.Error("a question alone is no list")
	}
}

// TestQuestionsAreAnswered follows questions from the agent's call to the answers that it gets.
func TestQuestionsAreAnswered(t *testing.T) {
	q, ok := ReadQuestions([]byte(`[{"question":"Which? ","header":" ","options":[{"label":"a, b","description":"both",` +
		`"preview":"x"},{"label":"c","preview":" "}],"multiSelect":true},
		{"question":"One?","header":"H","description":" of \"two\" ","options":[{"label":"d"}]},
		{"question":"How many?","kind":"number","min":1,"max":9,"unit":"kg"},
		{"question":"Why?","kind":"text","min":1}]`))
	if !ok {
		t.Fatal("they were not read")
	}
	var text Parts
	q.Describe(&text)
	got, described := text.String(), "Which?\n\na, b:\nx\n\nOne?\n\nHow many?\n\nWhy?"
	if got != described || q.Text(1) != "One?" {
		t.Errorf("the person reads %q, want %q", got, described)
	}
	const beside = `{"const":"own","title":"In your own words"},{"const":"decide","title":"Let the agent decide"}]}`
	const want = `{"type":"object","properties":{"answer0":{"title":"Answer","description":"Which?","type":"array",` +
		`"minItems":1,"items":{"anyOf":[{"const":"0","title":"a, b: both"},{"const":"1","title":"c"},` + beside +
		`},"own0":{"type":"string","title":"In your own words"},"answer1":{"title":"H","description":"One?\nof \"two\"",` +
		`"type":"string","oneOf":[{"const":"0","title":"d"},` + beside + `,"own1":{"type":"string",` +
		`"title":"In your own words"},"answer2":{"title":"Answer","description":"How many?\n(min 1) (max 9) (unit \"kg\")",` +
		`"type":"string","minLength":1},"answer3":{"title":"Answer","description":"Why?","type":"string","minLength":1}},` +
		`"required":["answer0","answer1","answer2","answer3"]}`
	if got := string(q.AppendSchema(nil)); got != want {
		t.Errorf("the form is\n%s, want\n%s", got, want)
	}
	times := func(n int, text, by string) string { return strings.TrimSuffix(strings.Repeat(text+by, n), by) }
	for _, c := range []struct {
		i                     int
		content, want, beside string
	}{
		{0, `{"answer0":[` + times(66, `"1"`, ",") + `]}`, times(66, "c", ", "), ""},
		{0, `{"answer0":[` + times(67, `"1"`, ",") + `]}`, "", ""}, // no form has so many choices
		{0, `{"answer0":["0","1"]}`, `"a, b", c`, ""},
		{0, `{"answer0":["1","own"],"own0":" x, y "}`, `c, x, y`, ""},
		{0, `{"answer0":["own"],"own0":" "}`, "", ""},
		{0, `{"answer0":["decide"],"own0":"but soon"}`, "You decide", "but soon"},
		{0, `{"answer0":["7"],"own0":"x"}`, "", ""},
		{1, `{"answer1":"0","own1":"or e"}`, "d", "or e"},
		{1, `{"answer1":"own","own1":"e"}`, "e", ""},
		{1, `{"answer1":" "}`, "", ""},
		{2, `{"answer2":"4"}`, "4", ""},
		{3, `{}`, "", ""},
	} {
		content, _ := ReadObject([]byte(c.content))
		if got, beside := q.Answer(c.i, content); got != c.want || beside != c.beside {
			t.Errorf("%s: got %q beside %q, want %q beside %q", c.content, got, beside, c.want, c.beside)
		}
	}
	for _, c := range []struct {
		i          int
		said, want string
	}{
		{0, "c", `{"answer0":["1"]}`}, {0, "c, a, b", `{"answer0":["own"],"own0":"c, a, b"}`}, {1, "d", `{"answer1":"0"}`},
		{1, `"e"`, `{"answer1":"own","own1":"\"e\""}`}, {1, "", `{"answer1":"own"}`}, {2, "4", `{"answer2":"4"}`},
	} {
		got := "{" + string(q.AppendContent(nil, c.i, c.said)) + "}"
		if got != c.want || jsontext.Check([]byte(got), jsontext.Limits{}) != nil {
			t.Errorf("%s: got %s, want %s", c.said, got, c.want)
		}
	}
}

// TestClip: a text of the limit stays whole, and a longer one loses no part of a character.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"abé", 4, "abé"}, {"abé", 3, "ab"}, {"é", 1, ""},
		{"\x80\x80\x80", 2, ""}} { // no place in it begins a character
		if got := Clip(c.text, c.limit); got != c.want {
			t.Errorf("%q cut to %d: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

// TestReportedProblems: an error reply lists at most 32 problems.
func TestReportedProblems(t *testing.T) {
	for _, n := range []int{1, 32, 33} {
		reply := string(AppendProblems(nil, []byte("1"), InvalidParams, make([]elicit.Problem, n)))
		if got := strings.Count(reply, `{"code":"",`); got != min(n, 32) {
			t.Errorf("%d of %d problems: %s", got, n, reply)
		}
	}
}

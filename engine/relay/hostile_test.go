package relay

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// hostileLine is one line of testdata/hostile, whose README.md says how they are written.
type hostileLine struct {
	name, text string
	from       End
}

// hostileLines reads the spellings. Those of a server are for call 5, those of a client for question 77, as open leaves
// them.
func hostileLines(t testing.TB) (lines []hostileLine) {
	t.Helper()
	const dir = "../../testdata/hostile/"
	var words map[string]string
	readJSON(t, dir+"words.json", &words)
	for file, from := range map[string]End{"questions": Server, "answers": Server, "harmless": Server, "forged": Client} {
		raw, err := os.ReadFile(dir + file + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for row := range bytes.Lines(raw) {
			if row[0] == '#' {
				continue
			}
			var r struct {
				Name   string
				Line   string
				Base64 []byte
			}
			if err := json.Unmarshal(row, &r); err != nil {
				t.Fatalf("%s: %v: %s", file, err, row)
			}
			text := r.Line + string(r.Base64)
			lines = append(lines, hostileLine{file + "/" + r.Name, expand(text, r.Name, from, words), from})
		}
	}
	if len(lines) < 200 {
		t.Fatalf("%d lines", len(lines))
	}
	slices.SortFunc(lines, func(a, b hostileLine) int { return strings.Compare(a.name, b.name) })
	return lines
}

func expand(text, name string, from End, words map[string]string) string {
	pairs := func(m map[string]string) (list []string) {
		names := make([]string, 0, len(m))
		for name := range m {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // $question before $q
		for _, name := range names {
			list = append(list, name, m[name])
		}
		return list
	}
	for range len(words) {
		text = strings.NewReplacer(pairs(words)...).Replace(text)
	}
	given := map[string]string{"$q": "9", "$id": "5", "$t": "5", "$name": name, "$members": `"action":"accept","content":{}`}
	if from == Client {
		given["$q"], given["$t"] = "77", "77"
	}
	text = strings.NewReplacer(pairs(given)...).Replace(text)
	for _, how := range []struct {
		name string
		make func(n int) string
	}{
		{"$deep(", func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }},
		{"$pad(", func(n int) string { return strings.Repeat("x", n) }},
	} {
		before, rest, found := strings.Cut(text, how.name)
		if number, after, ok := strings.Cut(rest, ")"); found && ok {
			n, _ := strconv.Atoi(number)
			text = before + how.make(n) + after
		}
	}
	return text
}

func readJSON(t testing.TB, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

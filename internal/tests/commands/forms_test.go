package commands

import (
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// forms read the lines of one file of a set.
var forms = map[string]func(name, text string) []line{
	"lines": func(_, text string) (all []line) {
		for row := range strings.Lines(text) {
			all = append(all, line{Text: row, Unit: row})
		}
		return all
	},
	"tldr":          tldr,
	"fenced":        fenced,
	"calls":         calledBash,
	"nah":           nah,
	"dcg":           func(name, text string) []line { return tables(name, text, "command", "expected") },
	"tirith":        func(name, text string) []line { return tables(name, text, "input", "expected_action") },
	"dcg-packs":     packs,
	"gtfobins":      gtfobins,
	"gtfobins-json": gtfobinsJSON,
	"atomic":        atomic,
	"indented":      indented,
	"comments":      comments,
}

var (
	choice      = regexp.MustCompile(`\{\{\[([^|\]]*)\|[^\]]*\]\}\}`)
	placeholder = regexp.MustCompile(`\{\{(.*?)\}\}`)
)

// tldr takes the first of each choice and the example of each placeholder.
func tldr(_, text string) (all []line) {
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		if len(row) < 2 || row[0] != '`' || row[len(row)-1] != '`' {
			continue
		}
		row = choice.ReplaceAllString(row[1:len(row)-1], "$1")
		row = placeholder.ReplaceAllStringFunc(row, func(word string) string {
			word, _, _ = strings.Cut(word[2:len(word)-2], "|")
			return word
		})
		all = append(all, line{Text: row})
	}
	return all
}

var fence = regexp.MustCompile("(?s)```bash\n(.*?)\n```")

// fenced has one block for bash in each answer of a model.
func fenced(name, text string) (all []line) {
	for _, message := range gjson.Get(text, "messages").Array() {
		if message.Get("role").String() != "assistant" {
			continue
		}
		if m := fence.FindStringSubmatch(message.Get("content").String()); m != nil {
			all = append(all, line{Text: m[1], Unit: path.Base(name), Cwd: "/testbed"})
		}
	}
	return all
}

// calledBash has the calls of the tool Bash in a transcript of Claude Code.
func calledBash(_, text string) (all []line) {
	for row := range strings.Lines(text) {
		for _, part := range gjson.Get(row, "message.content").Array() {
			if part.Get("type").String() == "tool_use" && part.Get("name").String() == "Bash" {
				all = append(all, line{Text: part.Get("input.command").String(), Cwd: gjson.Get(row, "cwd").String()})
			}
		}
	}
	return all
}

func nah(_, text string) (all []line) {
	for row := range strings.Lines(text) {
		id, _, _ := strings.Cut(gjson.Get(row, "id").String(), ".")
		l := line{Text: gjson.Get(row, "command").String(), Class: id, Kind: "spared"}
		if gjson.Get(row, "expected.verdict").String() == "block" {
			l.Kind = "dangerous"
		}
		l.Unit = l.Text
		all = append(all, l)
	}
	return all
}

var member = regexp.MustCompile(`^(\w+) = (.*)$`)

// tables reads the strings of a file in TOML. Each table has a command and a verdict.
func tables(name, text, command, verdict string) (all []line) {
	row := map[string]string{}
	flush := func() {
		l := line{Text: row[command], Unit: row[command], Class: strings.TrimSuffix(path.Base(name), ".toml")}
		switch strings.TrimSuffix(row[verdict], "_decision") {
		case "deny", "block":
			l.Kind = "dangerous"
		case "allow":
			l.Kind = "spared"
		}
		if l.Kind != "" && (row["context"] == "" || row["context"] == "exec") {
			all = append(all, l)
		}
		clear(row)
	}
	for r := range strings.Lines(text) {
		r = strings.TrimSpace(r)
		if strings.HasPrefix(r, "[[") {
			flush()
		}
		m := member.FindStringSubmatch(r)
		if m == nil {
			continue
		}
		value := m[2]
		switch {
		case len(value) > 1 && value[0] == '\'':
			value = strings.Trim(value, "'")
		case len(value) > 1 && value[0] == '"':
			if json.Unmarshal([]byte(value), &value) != nil {
				value = ""
			}
		}
		if m[1] == "expected_decision" {
			m[1] = "expected"
		}
		row[m[1]] = value
	}
	flush()
	return all
}

var assertion = regexp.MustCompile(`(?s)assert_(blocks|allows|no_match|safe_pattern_matches)[a-z_]*\(\s*&?\w+,\s*` +
	`("(?:[^"\\]|\\.)*"|r#".*?"#)`)

// packs has the commands of tests in Rust.
func packs(name, text string) (all []line) {
	for _, m := range assertion.FindAllStringSubmatch(text, -1) {
		text, raw := strings.CutPrefix(m[2], `r#"`)
		if raw {
			text = strings.TrimSuffix(text, `"#`)
		} else {
			var err error
			if text, err = strconv.Unquote(strings.ReplaceAll(text, "\\\n", "")); err != nil {
				continue
			}
		}
		l := line{Text: text, Unit: text, Class: path.Base(path.Dir(name)), Kind: "spared"}
		if m[1] == "blocks" {
			l.Kind = "dangerous"
		}
		all = append(all, l)
	}
	return all
}

// blocks calls found with each text of a key in YAML, and the path of keys above it that end with a colon.
func blocks(text, key string, found func(above []string, text string)) {
	type level struct {
		indent int
		name   string
	}
	var above []level
	rows := strings.Split(text, "\n")
	for i := 0; i < len(rows); i++ {
		bare := strings.TrimLeft(rows[i], " -")
		indent := len(rows[i]) - len(bare)
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		name, value, is := strings.Cut(bare, ":")
		if !is {
			continue
		}
		value = strings.TrimSpace(value)
		if name == key {
			if strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">") {
				var body []string
				for i+1 < len(rows) {
					next := rows[i+1]
					if strings.TrimSpace(next) != "" && len(next)-len(strings.TrimLeft(next, " ")) <= indent {
						break
					}
					body = append(body, strings.TrimSpace(next))
					i++
				}
				value = strings.Join(body, "\n")
			}
			names := make([]string, len(above))
			for j, l := range above {
				names[j] = l.name
			}
			found(names, strings.Trim(value, `"`))
		}
		if value == "" {
			above = append(above, level{indent, name})
		}
	}
}

// gtfobins has ways out of a program, by function. The unit is the program.
func gtfobins(name, text string) (all []line) {
	blocks(text, "code", func(above []string, text string) {
		class := ""
		if len(above) > 1 {
			class = above[1]
		}
		all = append(all, line{Text: text, Class: class, Kind: wayOut(class)})
	})
	return all
}

// wayOut is "dangerous" for the functions of GTFOBins that reach beyond the machine, write, or load code. The others
// only start a shell or read a file with the rights that one has.
func wayOut(class string) string {
	for _, part := range []string{"reverse-shell", "bind-shell", "upload", "download", "file-write", "library-load",
		"privilege-escalation"} {
		if strings.Contains(class, part) {
			return "dangerous"
		}
	}
	return "other"
}

func gtfobinsJSON(_, text string) (all []line) {
	gjson.Get(text, "functions").ForEach(func(class, cases gjson.Result) bool {
		for _, c := range cases.Array() {
			all = append(all, line{Text: c.Get("code").String(), Class: class.String(), Kind: wayOut(class.String())})
		}
		return true
	})
	return all
}

var (
	argument = regexp.MustCompile(`#\{(\w+)\}`)
	executor = regexp.MustCompile(`(?m)^ +name: (sh|bash)$`)
	system   = regexp.MustCompile(`(?m)^ +- (linux|macos)$`)
	standard = regexp.MustCompile(`(?m)^    (\w+):\n(?:      .*\n)*?      default: (.*)$`)
)

// atomic has the tests of techniques whose commands are for sh and bash. The unit is the technique.
func atomic(name, text string) (all []line) {
	for _, test := range strings.Split(text, "\n- name: ")[1:] {
		if !executor.MatchString(test) || !system.MatchString(test) {
			continue
		}
		defaults := map[string]string{}
		for _, m := range standard.FindAllStringSubmatch(test, -1) {
			defaults[m[1]] = strings.Trim(m[2], `"'`)
		}
		_, after, _ := strings.Cut(test, "  executor:")
		blocks("executor:\n"+after, "command", func(_ []string, text string) {
			text = argument.ReplaceAllStringFunc(text, func(name string) string {
				return defaults[name[2:len(name)-1]]
			})
			all = append(all, line{Text: text, Class: strings.SplitN(path.Base(path.Dir(name)), ".", 2)[0]})
		})
	}
	return all
}

// indented has the lines of Markdown that four blanks begin, where the page's program is in them.
func indented(name, text string) (all []line) {
	program := strings.TrimSuffix(path.Base(name), ".md")
	for row := range strings.Lines(text) {
		row, is := strings.CutPrefix(row, "    ")
		row = strings.TrimPrefix(strings.TrimSpace(row), "$ ")
		if is && strings.Contains(row, program) && !strings.ContainsAny(row, "<") {
			all = append(all, line{Text: row})
		}
	}
	return all
}

// comments has the lines of a sheet that no "#" begins, where the sheet's program is in them.
func comments(name, text string) (all []line) {
	for row := range strings.Lines(text) {
		row = strings.TrimPrefix(strings.TrimSpace(row), "$ ")
		if row != "" && row[0] != '#' && strings.Contains(row, path.Base(name)) && !strings.ContainsAny(row, "<") {
			all = append(all, line{Text: row})
		}
	}
	return all
}

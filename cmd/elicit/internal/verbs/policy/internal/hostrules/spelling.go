package hostrules

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
)

// These say why an agent has no rule.
const (
	noPattern = "its rules have no such pattern"
	noPlace   = "it has no rules for files"
	noTool    = "its rules name no such tool"
	noFetch   = "it has no rules for what its tools fetch"
)

// claudeRule spells a rule as the permissions of Claude Code do: Bash(git push:*), Read(~/.ssh/**), mcp__files__write.
func claudeRule(e *entry) (text, unfit string) {
	switch e.kind {
	case command:
		switch {
		case e.prefix && plain(e.text):
			return "Bash(" + e.text + ":*)", ""
		case e.text == "*":
			return "Bash", ""
		case !plain(strings.ReplaceAll(e.text, "*", "")) || strings.Contains(e.text, ":*"):
			return "", noPattern
		}
		return "Bash(" + e.text + ")", ""
	case read, write:
		path, ok := claudePath(e.text)
		if !ok {
			return "", noPattern
		}
		return map[kind]string{read: "Read(", write: "Edit("}[e.kind] + path + ")", ""
	case fetch:
		if host := strings.TrimPrefix(e.text, "*."); plain(host) {
			return "WebFetch(domain:" + e.text + ")", ""
		}
		return "", noPattern
	}
	switch {
	case !isName(e.text) || e.server != "" && !isName(e.server):
		return "", noPattern
	case e.server == "claude-code" || e.server == "" && e.text[0] >= 'A' && e.text[0] <= 'Z':
		return e.text, ""
	case e.server == "":
		return "", "its rules name the server of such a tool; write server into the rule"
	}
	return "mcp__" + e.server + "__" + e.text, ""
}

// claudePath spells a path as .gitignore does: two slashes begin one from the root.
func claudePath(path string) (spelled string, ok bool) {
	if body := strings.TrimPrefix(path, "~"); strings.ContainsAny(body, "?[]\\()~ \n\t") || path == "" ||
		strings.HasPrefix(path, "env:") || path[0] == '~' && !strings.HasPrefix(path, "~/") {
		return "", false
	}
	switch {
	case path[0] == '/':
		path = "/" + path
	case strings.HasPrefix(path, "*/"):
		path = "*" + path
	case path[0] == '*':
		path = "**/" + path
	case path[0] != '~' && path[0] != '.':
		path = "./" + path
	}
	if head, all := strings.CutSuffix(path, "/*"); all {
		path = head + "/**"
	}
	return path, true
}

var nameShape = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func isName(s string) bool { return nameShape.MatchString(s) }

func claudeFile(entries []entry, texts []string) string {
	lists := struct {
		Ask  []string `json:"ask"`
		Deny []string `json:"deny"`
	}{[]string{}, []string{}}
	for i := range entries {
		if entries[i].deny {
			lists.Deny = append(lists.Deny, texts[i])
		} else {
			lists.Ask = append(lists.Ask, texts[i])
		}
	}
	return asJSON(map[string]any{"permissions": lists}, "  ")
}

// codexRule spells a rule as Codex's rules do. It has rules for commands only, by their first words.
func codexRule(e *entry) (text, unfit string) {
	switch {
	case e.kind == read, e.kind == write:
		return "", noPlace
	case e.kind == tool:
		return "", noTool
	case e.kind == fetch:
		return "", noFetch
	case !e.prefix || !plain(e.text):
		return "", noPattern
	}
	var words []string
	for word := range strings.FieldsSeq(e.text) {
		words = append(words, quote(word))
	}
	decision := map[bool]string{true: "forbidden", false: "prompt"}[e.deny]
	return "prefix_rule(pattern=[" + strings.Join(words, ", ") + "], decision=\"" + decision + "\", justification=" +
		quote(e.reason()) + ")", ""
}

func codexFile(_ []entry, texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return strings.Join(texts, "\n") + "\n"
}

// reason is what the agent says when the rule holds. It has no character that the languages escape in different ways.
func (e *entry) reason() string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, cmp.Or(e.why, "rule "+e.rule+" of your Elicit policy"))
}

// geminiRule spells a rule as a policy of Gemini CLI does, without its decision.
func geminiRule(e *entry) (text, unfit string) {
	switch {
	case e.kind == command && e.prefix && plain(e.text):
		return "toolName = \"run_shell_command\"\ncommandPrefix = " + quote(e.text) + "\n", ""
	case e.kind == read, e.kind == write:
		pattern, ok := geminiPath(e.text)
		if !ok {
			return "", noPattern
		}
		tools := map[kind]string{read: `"read_file", "read_many_files", "list_directory", "glob", "grep_search"`,
			write: `"write_file", "replace"`}[e.kind]
		return "toolName = [" + tools + "]\nargsPattern = " + quote(pattern) + "\n", ""
	case e.kind == fetch:
		return "", noFetch
	case e.kind != tool || !isName(e.text) || e.server != "" && !isName(e.server) || strings.Contains(e.server, "_"):
		return "", noPattern
	case e.server == "" || e.server == "gemini":
		return "toolName = " + quote(e.text) + "\n", ""
	}
	return "mcpName = " + quote(e.server) + "\ntoolName = " + quote(e.text) + "\n", ""
}

// geminiPath is a regular expression for the JSON of a tool's arguments with such a path.
func geminiPath(path string) (pattern string, ok bool) {
	head, below := strings.CutSuffix(path, "/*")
	begin, rest := "", ""
	switch {
	case strings.HasPrefix(head, "~/"):
		begin, rest = `[^"]*/`, head[2:]
	case strings.HasPrefix(head, "*/"):
		begin, rest = `(?:[^"]*/)?`, head[2:]
	case strings.HasPrefix(head, "/"):
		rest = head
	}
	if rest == "" || strings.ContainsAny(rest, "*?[]\\~\"") || strings.HasSuffix(rest, "/") {
		return "", false
	}
	end := map[bool]string{true: "/", false: `"`}[below]
	return `"(?:file_path|absolute_path|dir_path|path)":"` + begin + regexp.QuoteMeta(rest) + end, true
}

func geminiFile(entries []entry, texts []string) string {
	var out strings.Builder
	for i := range entries {
		e := &entries[i]
		out.WriteString("[[rule]]\n" + texts[i])
		if e.deny {
			out.WriteString("decision = \"deny\"\npriority = 999\ndenyMessage = " + quote(e.reason()) + "\n\n")
		} else {
			out.WriteString("decision = \"ask_user\"\npriority = 998\n\n")
		}
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// quote spells a text as JSON, TOML and Starlark all read it.
func quote(text string) string { return strings.TrimSuffix(asJSON(text, ""), "\n") }

// asJSON is a value as JSON with a line end, with a line for each member if there is an indentation.
func asJSON(value any, indent string) string {
	var out strings.Builder
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	w.SetIndent("", indent)
	_ = w.Encode(value) // texts and lists of them have no error
	return out.String()
}

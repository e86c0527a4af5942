package guarded

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// Command says whether one plain command ends, removes, changes or goes around what asks the person. i is its place in
// r.Commands. It looks at the words of the command, and of those whose output it gets. The files that it touches are
// for Of.
func Command(r *impact.Report, i int) Touch {
	c := &r.Commands[i]
	words, program, args := read(c)
	// elicit uninstall --dry-run changes nothing, and neither does a help page.
	tells := hasWord(args, "--help", "-h", "--dry-run", "--version")
	switch {
	case relocates(c, words, program):
		return Touch{"agent", "environment"}
	case program == "elicit":
		if !tells && !harmlessVerb(args) {
			return Touch{"elicit", "elicit"}
		}
	case ends.Has(program):
		if endsElicit(program, args) {
			return Touch{"process", "elicit"}
		}
	case removes.Has(program) && !tells && holdsWord(args, "elicit") &&
		hasWord(args, "uninstall", "remove", "rm", "purge", "un", "unlink", "delete", "r"):
		return Touch{"package", "elicit"}
	// git restore .mcp.json and git stash -- .claude bring back or take away settings that are in the history.
	case program == "git" && gitChanges(args) && gitMark(args) != "":
		return Touch{"settings", gitMark(args)}
	case fetchesPrograms.Has(program) && !tells:
		if rest, is := elicitIn(args); is && !harmlessVerb(rest) {
			return Touch{"elicit", "elicit"}
		}
	// A hook of git runs with each commit. core.hooksPath makes it any file, for git config, for -c, and for the
	// variables GIT_CONFIG_KEY_0=core.hooksPath.
	case program == "git" && !hasWord(args, "--get", "--unset") &&
		(starts(args, "config") && strings.Contains(joined(args), "core.hookspath") ||
			strings.Contains(joined(append(words, texts(c.Assigns)...)), "core.hookspath=") ||
			strings.Contains(joined(texts(c.Assigns)), "=core.hookspath")):
		return Touch{"settings", "core.hooksPath"}
	case types(program, args):
		return Touch{"process", "a terminal"}
	case !tells && attaches(program, args):
		return Touch{"process", "another process"}
	}
	if !tells && locatesElicit(r, i, program) {
		return Touch{"process", "elicit"}
	}
	agent, rest := agentOf(program, args)
	if agent != "" && !tells && (outOfPlace(c, words, agent) || unasked(agent, rest) || changesServers(rest)) {
		return Touch{"agent", agent}
	}
	return Touch{}
}

// read returns the words of a command, its program without directory in small letters, and the arguments of that. For
// sudo -u root kill 1, words are all of them, and the program is kill: Inner is the command that another one starts.
func read(c *impact.Command) (words []string, program string, args []string) {
	words = texts(c.Words)
	inner := words
	if c.Inner != nil {
		inner = texts(c.Inner)
	}
	if len(inner) == 0 {
		return words, "", nil
	}
	return words, base(inner[0]), inner[1:]
}

func texts(list []impact.Text) []string {
	words := make([]string, 0, len(list))
	for i := range list {
		words = append(words, list[i].Text)
	}
	return words
}

// C:\Tools\Elicit.EXE and /usr/bin/elicit are elicit. The path may have the separators of both kinds of systems.
func base(word string) string {
	word = word[strings.LastIndexAny(word, `/\`)+1:]
	return strings.TrimSuffix(hostname.Lower(word), ".exe")
}

// harmlessVerb reports whether a verb of Elicit leaves it as it is. One that is not known does not. A list of what is
// allowed, so a verb of a later version counts as a change until somebody adds it.
func harmlessVerb(args []string) bool {
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch arg {
		case "log", "status", "doctor", "version", "explain", "check", "lint", "replay", "decide", "man", "help", "ask",
			"completion":
			return true
		case "policy":
			return hasWord([]string{next}, "test", "show", "record", "fmt", "")
		case "grants":
			return next == "list" || next == ""
		case "guardian":
			return hasWord([]string{next}, "bench", "cases", "check", "diff", "inspect", "new", "question", "rules", "run",
				"test", "")
		}
		return false
	}
	return true
}

// types reports whether a command presses keys in another window or terminal, where Elicit may ask a person. tmux
// send-keys y Enter answers a question that stands in a terminal.
func types(program string, args []string) bool {
	switch program {
	case "xdotool", "ydotool", "wtype", "dotool", "writevt":
		return true
	case "tmux":
		return hasWord(args, "send-keys", "send", "paste-buffer", "pasteb")
	case "screen":
		return hasWord(args, "stuff", "paste")
	}
	return false
}

// attaches reports whether a command reads or changes the memory of a process that runs already. It may be the one that
// asks the person. gdb PROGRAM PID and strace -p PID. frida and reptyr do nothing else.
func attaches(program string, args []string) bool {
	switch program {
	case "gcore", "reptyr", "frida":
		return true
	case "gdb", "lldb", "strace", "ltrace", "dlv", "py-spy":
		for i, arg := range args {
			if strings.HasPrefix(arg, "-p") || strings.HasPrefix(arg, "--p") || strings.Contains(arg, "att") ||
				i > 0 && strings.Trim(arg, "0123456789") == "" { // gdb PROGRAM PID
				return true
			}
		}
	}
	return false
}

// ends are programs that end processes and services. The names are as base writes them: lower case, and without .exe.
var ends = Words("kill pkill killall skill killall5 loginctl taskkill stop-process systemctl service launchctl sc")

func endsElicit(program string, args []string) bool {
	switch program {
	case "kill":
		// kill -9 -1 ends everything. kill -1 1234 sends a hangup to one process.
		return hasWord(args, "-1") && args[len(args)-1] == "-1" // everything
	case "killall5":
		return true
	case "loginctl":
		return hasWord(args, "terminate-user", "kill-user", "terminate-session", "kill-session")
	case "pkill", "killall", "skill":
		for _, arg := range args {
			if !strings.HasPrefix(arg, "-") && mayName(arg) {
				return true
			}
		}
		// pkill -u me, without a pattern: all processes of a person.
		return hasWord(args, "-u", "-U", "-t", "-g", "-s", "--uid", "--euid", "--session") && len(args) < 4
	}
	return holdsWord(args, "elicit") &&
		!hasWord(args, "status", "list", "is-active", "start", "restart", "query", "cat", "show")
}

// endsAny reports whether a command ends processes that the line does not tell. A word with impact.AnyText or AnyWord
// holds text that the line does not tell, such as the output of a command.
func endsAny(c *impact.Command) bool {
	_, program, args := read(c)
	return program == "kill" && strings.ContainsAny(strings.Join(args, ""), "\x00\x01")
}

// gitChanges reports whether a verb of git changes files of the person.
func gitChanges(args []string) bool {
	return hasWord(args, "stash", "apply", "am", "checkout", "restore", "reset", "clean", "rm", "mv", "switch",
		"read-tree")
}

// gitMark is a name of Elicit or of settings in the arguments of git. Files of a project may well be called elicit, so
// that alone is none.
func gitMark(args []string) string { return Mark(strings.ReplaceAll(joined(args), "elicit", "")) }

// fetchesPrograms are programs that fetch another one and start it. go run example.com/elicit@latest counts too: base
// cuts the module's path off.
var fetchesPrograms = Words("npx bunx pnpx npm pnpm yarn bun go uvx pipx")

// elicitIn finds Elicit among the words of such a program, and returns its arguments. npx elicit@latest uninstall gives
// uninstall. A package whose name only begins with elicit is another one.
func elicitIn(args []string) ([]string, bool) {
	for i, arg := range args {
		if name, _, _ := strings.Cut(base(arg), "@"); name == "elicit" && !strings.HasPrefix(arg, "-") {
			return args[i+1:], i == 0 || hasWord(args[:i], "exec", "x", "dlx", "run", "-y", "--yes")
		}
	}
	return nil, false
}

// mayName reports whether a pattern for names of processes may fit Elicit's. Each plain part of the pattern must be a
// part of a line such as /usr/local/bin/elicit proxy, so el.*t may be Elicit, and node may not.
func mayName(pattern string) bool {
	pattern = hostname.Lower(pattern)
	if strings.Contains(pattern, "elicit") {
		return true
	}
	for _, part := range strings.FieldsFunc(pattern, func(r rune) bool {
		return strings.ContainsRune("\x00\x01.*?+[]()^$|\\{}/ ", r)
	}) {
		if !strings.Contains("elicit proxy hook desk answer usr local bin home opt", part) {
			return false
		}
	}
	return true
}

// removes are the managers of packages that may remove Elicit. brew uninstall elicit and apt-get purge elicit. The word
// may stand anywhere, also in a path to the package.
var removes = Words("npm pnpm yarn bun brew apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk pip pip3 uv " +
	"pipx cargo gem winget scoop choco snap flatpak nix-env port")

// locatesElicit reports whether a command gets the place or the processes of Elicit from another one, unless it only
// shows something. kill $(pgrep elicit), pgrep elicit | xargs kill, and rm $(which elicit): the words of the second
// command name nothing.
func locatesElicit(r *impact.Report, i int, program string) bool {
	if program == "" || shows.Has(program) {
		return false
	}
	for j := range r.Commands { // its words may hold the output of another, and of one in the words of that
		at := j
		for range maxNested {
			if at = r.Commands[at].Into; at < 0 || at == i {
				break
			}
		}
		if at == i && tellsPlace(&r.Commands[j]) {
			return true
		}
	}
	for range maxNested {
		if i = r.Commands[i].After; i < 0 {
			return false
		}
		if tellsPlace(&r.Commands[i]) {
			return true
		}
	}
	return false
}

// maxNested is how far the output of a command is followed.
const maxNested = 16

// shows are programs that change nothing that their words name. grep elicit ~/.bashrc is a look. A program that is not
// in the list may do anything with the words that it gets.
var shows = Words("ls ll echo printf test [ [[ cat bat head tail less more file stat wc grep rg awk sed sort " +
	"uniq cut tr jq which type command whereis ps pgrep pidof readlink realpath dirname basename ldd nm sha256sum du " +
	"md5sum strings xxd od hexdump true false cd pushd if export local read tee column nl tac diff cmp")

// tellsPlace reports whether a command prints where Elicit is, or which processes it has.
func tellsPlace(c *impact.Command) bool {
	words, program, args := read(c)
	switch program {
	case "pgrep", "pidof", "ps", "which", "type", "command", "whereis", "grep", "lsof", "where", "get-command",
		"get-process", "fuser", "ss", "locate":
		return holdsWord(args, "elicit")
	}
	return len(words) > 1 && words[0] == "command" && holdsWord(words, "elicit")
}

// unclearMark names a part of Elicit's protection that the words or the input of a command name, if the reader cannot
// tell what the command does, or only that it changes the system. An example is a program that no table has, with
// ~/.claude among its words.
func unclearMark(r *impact.Report, c *impact.Command) string {
	for i := range r.Impacts {
		in := &r.Impacts[i]
		if in.At < c.At || in.End > c.End || in.Kind == impact.Changes && in.Target == "package" ||
			in.Kind != impact.Unknown && in.Kind != impact.Changes {
			continue
		}
		_, program, args := read(c)
		if containers.Has(program) {
			return gitMark(args) // an image may well be called elicit
		}
		texts := append(args, c.Stdin)
		for i, n := c.After, 0; i >= 0 && n < maxNested; i, n = r.Commands[i].After, n+1 {
			_, _, before := read(&r.Commands[i])
			texts = append(texts, before...)
		}
		return Mark(strings.Join(texts, "\n"))
	}
	return ""
}

// containers are programs that build and run images.
var containers = Words("docker podman nerdctl buildah docker-compose")

// Mark is a name of Elicit, or of settings that load it, in a text.
func Mark(text string) string {
	text = hostname.Lower(text)
	for _, mark := range marks {
		for rest, at := text, 0; at >= 0; {
			if at = strings.Index(rest, mark); at < 0 {
				break
			}
			// ".codex" does not stand in ".codexes": a letter behind it makes another word.
			if rest = rest[at+len(mark):]; rest == "" || rest[0] < 'a' || rest[0] > 'z' {
				return mark
			}
		}
	}
	return ""
}

var marks = strings.Fields("elicit .claude .codex .cursor .gemini .qwen .copilot .mcp.json mcp.json mcp_config.json " +
	"opencode windsurf claude_config_dir codex_home " +
	"claude_desktop_config.json --dangerously-skip-permissions --yolo core.hookspath")

// Words has words with blanks between them. A program that has it makes nothing of it at its start. A map would be
// filled at the start of each process, also of one that reads no command.
type Words string

// Has reports whether a word is one of them.
func (s Words) Has(word string) bool {
	if word == "" || strings.IndexByte(word, ' ') >= 0 {
		return false
	}
	for from := 0; ; {
		at := strings.Index(string(s[from:]), word)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		if (at == 0 || s[at-1] == ' ') && (from == len(s) || s[from] == ' ') {
			return true
		}
	}
}

func hasWord(args []string, words ...string) bool {
	for _, arg := range args {
		if slices.Contains(words, arg) {
			return true
		}
	}
	return false
}

// holdsWord reports whether an argument holds a word. Also as a part of a longer word, such as elicit.service.
func holdsWord(args []string, word string) bool { return strings.Contains(joined(args), word) }

func joined(args []string) string { return hostname.Lower(strings.Join(args, " ")) }

// starts reports whether the arguments without flags begin with a word.
func starts(args []string, word string) bool {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg == word
		}
	}
	return false
}

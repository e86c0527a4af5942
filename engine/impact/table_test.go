//go:build !browser

package impact

import (
	"slices"
	"strings"
	"testing"
)

// rows yields the names and the texts of the table.
func rows(yield func(name, text string) bool) {
	rows := table(programs)
	for at := rows.rowAt(0, 0); at < len(programs); at = rows.nextRow(at) {
		key := rows.keyAt(at)
		if !yield(key, strings.TrimLeft(programs[at+len(key)+1:rows.nextRow(at)], " ")) {
			return
		}
	}
}

var roles = strings.Fields("text read edit write delete move mode bits clock fetch send host from to data command " +
	"shell code push pull archive script source sub cwd assign config method filter mount last form setting object " +
	"variable warnings index goal suite suffix number ini " +
	"pair take encoded cookie page format outlet inlet into header pass apt pypi npm crate gem module image")

// TestTable checks that the table can be searched, and that each word of it means something.
func TestTable(t *testing.T) {
	last, n := "", 0
	for name, text := range rows {
		if n++; name <= last {
			t.Errorf("%q stands behind %q", name, last)
		}
		last = name
		if found, key, ok := lookup(name); !ok || key == name && !slices.Equal(found, readRow(text)) {
			t.Errorf("%q is not found", name)
		}
		if other, is := strings.CutPrefix(text, "= "); is {
			if _, _, ok := lookup(strings.TrimSpace(other)); !ok {
				t.Errorf("%q is as %q, which is not there", name, other)
			}
			continue
		}
		checkRow(t, name, readRow(text))
	}
	if n < 100 {
		t.Fatalf("only %d rows; the test has lost its subject", n)
	}
}

func checkRow(t *testing.T, name string, text row) {
	swapped := append(slices.Clone(roles), "assigns", "bare", "-*")
	for _, item := range text {
		if item[0] == '-' || item[0] == '+' {
			for one := range strings.SplitSeq(readOption(item).does, ",") {
				if from, to, is := strings.Cut(one, "="); is && one[0] != '!' {
					swapped = append(swapped, from)
					checkWord(t, name, to, roles)
				}
			}
		}
	}
	for _, item := range text {
		switch item[0] {
		case '-', '+':
			if item == "-*" {
				continue
			}
			o := readOption(item)
			if o.value != "" {
				checkWord(t, name, o.value, swapped)
			}
			for one := range strings.SplitSeq(o.does, ",") {
				switch {
				case one == "", one == "tree", one == "harmless", one == "stop", one == "unknown", strings.Contains(one, "=") &&
					one[0] != '!':
				case one[0] == '-':
					checkWord(t, name, one[1:], append(swapped, "reads", "writes", "sends", "fetches", "changes", "stdin"))
				case one[0] == '!':
					checkEffect(t, name, one[1:])
				default:
					t.Errorf("%s: %q means nothing", name, one)
				}
			}
		case '!':
			checkEffect(t, name, item[1:])
		case '@':
			if specials[item[1:]] == nil {
				t.Errorf("%s: there is no function %s", name, item)
			}
		default:
			checkWord(t, name, strings.TrimSuffix(item, "*"), swapped)
		}
	}
}

func checkWord(t *testing.T, name, word string, words []string) {
	if !slices.Contains(words, word) {
		t.Errorf("%s: %q is no role", name, word)
	}
}

func checkEffect(t *testing.T, name, effect string) {
	kind, value, _ := strings.Cut(effect, "=")
	switch kind {
	case "changes", "publishes":
		checkWord(t, name, value, Areas(Kind(kind)))
	case "executes":
		checkWord(t, name, value, []string{string(Project), string(Fetched), string(Built), string(File)})
	case "reads", "writes", "deletes", "fetches", "sends":
		if value == "" {
			t.Errorf("%s: %q has no target", name, effect)
		}
	case "unknown", "decodes", "passes", "plain", "stdin", "idle", "shell", "tree":
	default:
		t.Errorf("%s: %q means nothing", name, effect)
	}
}

// TestProgramsThatRunOthers has programs that run a text or a program among their words. The reader sees what it does,
// or says that it does not know.
func TestProgramsThatRunOthers(t *testing.T) {
	for _, line := range []string{
		"sqlite3 a.db '.shell rm -rf /'", "hyperfine true 'rm -rf /'", "dc -e '!rm -rf /'", "cmake -E rm -rf /",
		"yarn exec rm -rf /", "fd . -x rm -rf /", "fzf --preview 'rm -rf /'", "watch 'rm -rf /'",
		"tmux display '#(rm -rf /)'", "tmux new -d 'rm -rf /'", "screen -dm rm -rf /", "parallel rm -rf ::: /",
		"concurrently 'ls' 'rm -rf /'", "entr rm -rf /", "script -c 'rm -rf /' log", "flock /tmp/l rm -rf /",
		"strace -o log rm -rf /", "ltrace rm -rf /", "gdb -ex 'shell rm -rf /'", "perf stat rm -rf /",
		"sg disk 'rm -rf /'", "poetry run rm -rf /", "uv run rm -rf /", "pipenv run rm -rf /",
		"bundle exec rm -rf /", "pnpm exec rm -rf /", "conda run -n a rm -rf /", "direnv exec . rm -rf /",
		"npm exec -c 'rm -rf /'", "busybox rm -rf /", "bun exec 'rm -rf /'", "runuser -c 'rm -rf /'",
		"pkexec rm -rf /", "chroot / rm -rf /", "unshare -m rm -rf /", "nsenter -t 1 rm -rf /",
		"systemd-run rm -rf /", "stdbuf -oL rm -rf /", "setsid rm -rf /", "chrt -i 0 rm -rf /",
		"taskset -c 0 rm -rf /", "ionice -c 3 rm -rf /", "faketime now rm -rf /", "fakeroot rm -rf /",
		"setarch x86_64 rm -rf /", "xvfb-run rm -rf /", "socat - exec:'rm -rf /'", "ed f <<< '!rm -rf /'",
		"vim -c ':!rm -rf /'", "emacs --eval '(delete-directory \"/\")'", "perl -e 'system(\"rm -rf /\")'",
		"ruby -e 'system(\"rm -rf /\")'", "php -r 'system(\"rm -rf /\");'", "lua -e 'os.execute(\"rm -rf /\")'",
		"Rscript -e 'unlink(\"/\", TRUE)'", "osascript -e 'do shell script \"rm -rf /\"'",
		"tclsh <<< 'exec rm -rf /'", "gawk 'BEGIN { system(\"rm -rf /\") }'", "git bisect run rm -rf /",
		"git submodule foreach 'rm -rf /'", "git rebase -x 'rm -rf /' main",
		"git filter-branch --tree-filter 'rm -rf /'", "git difftool -x 'rm -rf /'", "rsync -e 'rm -rf /' a b:",
		"tar cf a --to-command='rm -rf /' b", "zip -TT 'rm -rf /' a b", "bat --pager='rm -rf /' f",
		"man -P 'rm -rf /' ls", "go test -exec 'rm -rf /' ./...", "complete -C 'rm -rf /' x",
		"python3 -m timeit 'import os; os.system(\"rm -rf /\")'", "psql -c '\\! rm -rf /'", "pwsh -c 'rm -r /'",
	} {
		report, seen := Read(line, Options{}), false
		for _, in := range report.Impacts {
			seen = seen || in.Kind == Unknown || in.Kind == Deletes && in.Target == "/" ||
				in.Kind == Executes && in.How != Project && in.How != File
		}
		if !seen {
			t.Errorf("%s: %v", line, report.Impacts)
		}
	}
}

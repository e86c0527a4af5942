package guarded

import (
	"path"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
)

// Touch says how a deed touches what Elicit's own protection rests on. The zero value says that it does not.
type Touch struct {
	What string // settings, process, elicit, agent, package, unread
	Name string // the place or the program, as a table of this package names it
}

// Work is where a deed happens. The zero value knows nothing: no directory, no line. Relative paths are then compared
// with the table as they stand.
type Work struct {
	Cwd   string // "" when it is not known
	Opens bool   // the deed opens places and changes nothing yet
	Line  string // the command

	Fetched bool // the session has fetched, or it is not known, so that an archive may come from others
}

// Of says how the impacts of a deed touch Elicit's protection. Text that nobody can read counts if it names something
// of it. A line that is too long or broken counts always, because the rest of it may do anything. The order of the
// checks decides only which of several touches is named. Cost: impacts × places, and commands × impacts, all within the
// limits of the reader of lines.
func Of(r *impact.Report, w Work) Touch {
	joins := 0
	for i := range r.Impacts {
		in := &r.Impacts[i]
		w.Fetched = w.Fetched || in.Kind == impact.Fetches
		if impact.HasReader && in.Kind == impact.Unknown && (in.How == impact.Limit || in.How == impact.Syntax) {
			return Touch{"unread", "a command"}
		}
		name := w.settings(in)
		if name == above && onlyJunk(r, in) {
			name = ""
		}
		// echo x > $f/.claude: the target holds text that the line does not tell.
		if in.Free && name == "" && (in.Kind == impact.Writes || in.Kind == impact.Deletes) {
			name = Mark(w.Line) // it may lead anywhere, and the line names one of the places
		}
		if name == "" && in.Kind == impact.Writes && copies.Has(in.Program) {
			name = w.copied(r, in, &joins)
		}
		if name != "" {
			return Touch{"settings", name}
		}
	}
	// A build without the reader of command lines has no commands. The impacts then come from paths alone.
	if !impact.HasReader {
		return Touch{}
	}
	if runsUnseen(r) || copiesFound(r) {
		return Touch{"elicit", "elicit"}
	}
	if answersItself(r) {
		return Touch{"agent", "opencode"}
	}
	for i := range r.Commands {
		if touch := Command(r, i); touch.What != "" {
			return touch
		}
		if name := w.givenTo(r, &r.Commands[i]); name != "" {
			return Touch{"settings", name}
		}
		if endsAny(&r.Commands[i]) && Mark(w.Line) != "" {
			return Touch{"process", "elicit"}
		}
		if name := unclearMark(r, &r.Commands[i]); name != "" {
			return Touch{"settings", name}
		}
	}
	return Touch{}
}

// givenTo names a place that a command gets as a word, if the command may write there and no impact tells it. Such a
// command runs code of the project, writes its output to the place, or is Elicit with such an option. Examples: make
// OUT=~/.claude/settings.json, and docker run -v ~/.claude:/x image.
func (w Work) givenTo(r *impact.Report, c *impact.Command) string {
	words, program, _ := read(c)
	for _, word := range words {
		if at := strings.IndexByte(word, '/'); at >= 0 {
			// Read with ls, because ls copies nothing: only the sockets count here, and not the program.
			named := impact.Impact{Kind: impact.Reads, Target: word[at:], Program: "ls"}
			if name := w.settings(&named); name != "" {
				return name // the address of a socket
			}
		}
	}
	if shows.Has(program) {
		return ""
	}
	own := program == "elicit"
	// Verbs of Elicit that write a file which the line names.
	runs := own && hasWord(words, "-w", "--write", "new", "--update")
	for i := range r.Impacts {
		in := &r.Impacts[i]
		runs = runs || in.Kind == impact.Executes && in.At >= c.At && in.End <= c.End && in.How != impact.Code &&
			in.How != impact.File
	}
	for i, word := range words {
		option := ""
		if strings.HasPrefix(word, "-") {
			at := strings.IndexAny(word, "=/~")
			if at < 0 {
				continue
			}
			option, word = word[:at], strings.TrimPrefix(word[at:], "=")
		} else if _, value, assigned := strings.Cut(word, "="); assigned {
			word = value // -o cache_dir=/tmp
		}
		if option == "" && i > 0 && strings.HasPrefix(words[i-1], "-") {
			option = words[i-1]
		}
		writes := strings.Contains(option, "out") || own && option != "" && !readsFile.Has(option)
		if word == "" || !strings.ContainsAny(word[:1], "/~.") || !runs && !writes {
			continue
		}
		if name := w.settings(&impact.Impact{Kind: impact.Writes, Target: word}); name != "" {
			return name
		}
	}
	return ""
}

// readsFile are the options of Elicit that name a file which it only reads. An option of Elicit that is not in the list
// may write the file that follows it.
var readsFile = Words("--policy --user --managed --project --session --guardian --permit --settings --data " +
	"--schema --answers --journal-key --principal --server --json -v --verbose --all --fix -h")

// maxJoins bounds the names that are looked for below directories.
const maxJoins = 1024

// copied names the place of a file that a program writes below a directory under the name that it has elsewhere: in
// another directory, or in a URL. All that a directory holds may have any name. cp x/settings.json ~/.claude/ writes
// ~/.claude/settings.json, which no word of the line spells.
func (w Work) copied(r *impact.Report, in *impact.Impact, joins *int) string {
	reaches := func(name string) string {
		// The count is for the whole line: cp with 1,000 files into 1,000 directories would be a million looks.
		if *joins++; *joins > maxJoins {
			return "more files than can be looked at"
		}
		to := *in
		to.Target = strings.TrimSuffix(in.Target, "/") + "/" + path.Base(name)
		return w.settings(&to)
	}
	for i := range r.Impacts {
		if from := &r.Impacts[i]; from.Kind == impact.Reads && from.Program == in.Program {
			if name := reaches(from.Target); name != "" {
				return name
			}
		}
	}
	for i := range r.Commands {
		_, program, args := read(&r.Commands[i])
		if program != in.Program {
			continue
		}
		for _, arg := range args {
			// cp -r x/. ~ puts all that x holds into the home directory, under its own names.
			if strings.HasSuffix(arg, "/.") && in.How == impact.Tree && w.above(placeSegments(in.Target), in, true) {
				return above
			}
			if url, _, _ := strings.Cut(arg, "?"); strings.Contains(url, "://") {
				if name := reaches(url); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

// above stands for a directory that holds settings of agents further down. It is told in place of a name, because a
// person should not read a list of 60 places.
const above = "a directory above them"

// junk are patterns for files that tools leave behind. No place of the table has such a name.
var junk = Words("*.pyc *.pyo *.o *.orig *.rej *.tmp *.bak *.swp *~ .DS_Store Thumbs.db __pycache__")

// onlyJunk reports whether find deletes only files of such names, and every condition must hold. find ~ -name '*.pyc'
// -delete is nothing. With -o, a condition may hold for other files, and a -delete before -name deletes everything:
// find reads its words from the left.
func onlyJunk(r *impact.Report, in *impact.Impact) bool {
	for i := range r.Commands {
		c := &r.Commands[i]
		if in.Program != "find" || in.At < c.At || in.End > c.End {
			continue
		}
		words, only := texts(c.Words), false
		if len(c.Runs) > 0 || hasWord(words, "-o", "-or", ",", "!", "-not", "-regex") {
			return false
		}
		for j, word := range words {
			switch {
			case word == "-delete" && !only:
				return false
			case word == "-name" && j+1 < len(words):
				only = only || junk.Has(words[j+1])
			}
		}
		return only && base(words[0]) == "find"
	}
	return false
}

// settings names the place of Elicit or of an agent that an impact changes, or may change. Reads count in three cases:
// a place where a reader can answer, a copy of Elicit's program, and a link, which is another name for the same file.
func (w Work) settings(in *impact.Impact) string {
	deletes := in.Kind == impact.Deletes
	if in.Kind == impact.Reads {
		have := placeSegments(in.Target)
		// grep -r x /run reads all of them. A program that only looks does not: find /run/user and ls -R /run/user print
		// names, and nobody can answer with these.
		opens := !looks.Has(in.Program)
		tree := opens && in.How == impact.Tree && len(have) > 2
		// In find /run | xargs cat, the names are from all levels, and the impact of cat has one star for them.
		if opens && len(have) > 1 && have[1] == "run" && (in.How == impact.Tree || in.Open && len(have) == 3) {
			tree, have = true, have[:2]
		}
		for _, want := range answering.paths {
			if reaches(want, have, tree, in.Open) {
				return strings.TrimPrefix(strings.Join(want, "/"), "/")
			}
		}
		tree = in.How == impact.Tree && len(have) > 1 && (copies.Has(in.Program) || unpacks.Has(in.Program))
		for _, want := range program.paths {
			if opens && reaches(want, have, tree, in.Open) {
				return strings.TrimPrefix(strings.Join(want, "/"), "/")
			}
		}
	}
	switch {
	case in.Kind == impact.Reads && in.Program == "ln": // a link is another name under which it can be changed
		deletes = true
	case !deletes && in.Kind != impact.Writes, in.Program == "mkdir":
		return ""
	}
	have := placeSegments(in.Target)
	// /proc/PID/root/home/me/.claude is /home/me/.claude in another spelling.
	if len(have) > 3 && have[0] == "" && have[1] == "proc" && have[3] == "root" {
		have = append([]string{""}, have[4:]...)
	}
	// Only a change that puts files of any name into a directory reaches what lies below one that others share. rm -r
	// ~/.config takes Elicit's files with it. echo x > ~/.config/y does not.
	shared := deletes || in.How == impact.Tree || in.How == impact.Mode || unpacks.Has(in.Program)
	if shared && w.above(have, in, deletes) {
		return above
	}
	for i := range places {
		if places[i].Kind != agentKind {
			continue
		}
		for _, want := range places[i].paths {
			if reaches(want, have, shared && !w.Opens, in.Open) {
				return strings.TrimPrefix(strings.Join(want, "/"), "/")
			}
		}
	}
	if w.isProgram(have) {
		return "elicit"
	}
	return ""
}

// isProgram reports whether a path is in a directory of programs outside of the project, under the name of Elicit's. A
// file called elicit in ./bin of the project is the project's own. One in ~/tools/bin may be run in the place of ours.
func (w Work) isProgram(have []string) bool {
	last := len(have) - 1
	if last < 2 || have[0] != "" && have[0] != "~" || base(have[last]) != "elicit" ||
		!strings.HasSuffix(have[last-1], "bin") {
		return false
	}
	cwd := placeSegments(w.Cwd)
	return len(cwd) < 2 || len(have) < len(cwd) || !slices.Equal(have[:len(cwd)], cwd)
}

// looks are programs that copy nothing of the files that they read. They may print names and sizes. A list of what is
// harmless: a program that is not in it counts as one that copies.
var looks = Words("ls test [ [[ stat file du wc sha256sum md5sum realpath readlink ldd nm strings find which")

// unpacks are programs that write files whose names the line does not tell. tar, patch and git take the names of files
// from their input, which others may have written.
var unpacks = Words("tar bsdtar unzip 7z 7za 7zr unrar cpio pax rsync ditto scp sftp patch jar git " +
	"busybox robocopy xcopy")

// archives are those that read only files for it. Of a fetched archive nobody knows the names. A rsync or scp brings
// files from elsewhere in any case.
var archives = Words("tar bsdtar unzip")

// copies are programs that write a file of the same name into a directory. The source tells the name of the file, in a
// path or at the end of a URL.
var copies = Words("cp mv install ln rsync scp copy move wget curl aria2c")

// above reports whether a directory is a person's own, or where the agent works, or above one of them. A program that
// only puts files there reaches the settings of a project too, except git, whose files have a history. The path is in
// segments, see placeSegments. It has one for /, one for ~, and none for the directory of the work.
func (w Work) above(have []string, in *impact.Impact, deletes bool) bool {
	switch {
	case in.Open || w.Opens && in.How == impact.Tree && len(have) > 1:
		return false
	case len(have) == 1 && (have[0] == "" || have[0] == "~"),
		len(have) == 2 && have[0] == "" && (have[1] == "home" || have[1] == "users"):
		return true
	case w.Opens || !deletes && (in.Program == "git" || !unpacks.Has(in.Program)):
		return false
	case len(have) > 0 && have[0] == "..":
		return true
	}
	// tar xf a.tar in the project brings what the project has already, unless the archive was fetched in this session.
	own := !deletes && !w.Fetched && archives.Has(in.Program) // what the project holds anyway
	if len(have) == 0 {
		return !own
	}
	if w.Cwd == "" {
		return false
	}
	cwd := placeSegments(w.Cwd)
	if len(have) > len(cwd) || own && len(have) == len(cwd) {
		return false
	}
	for i := range have {
		if have[i] != cwd[i] {
			return false
		}
	}
	return true
}

// reaches reports whether a change of a path changes a place of the table. shared says that all below the path is
// concerned. want begins anywhere in have, unless it is anchored at / or ~. Three fits: the place itself, below it, or
// a directory above it that the change takes as a whole.
func reaches(want, have []string, shared, open bool) bool {
	below := want[len(want)-1] == ""
	if below {
		want = want[:len(want)-1]
	}
	anchored := want[0] == "" || want[0] == "~"
	for at := range have {
		if anchored && at > 0 {
			return false
		}
		n := 0
		// In the home directory, a pattern that says little may still be a place of the table: rm ~/.c*.
		own := anchored || at > 0 && have[at-1] == "~"
		for n < len(want) && at+n < len(have) &&
			(segmentFits(want[n], have[at+n], open) ||
				open && (own || n > 0 && ownTree(want[:n])) && anyFits(have[at+n], want[n])) {
			n++
		}
		switch end := at + n; {
		// A checkout of this project is called elicit as well.
		case n == 0, n == 1 && want[0] == "elicit" && len(want) > 1 && at > 0 && have[at-1] == "~": // ~/elicit is a project
		case n == len(want) && (below || end == len(have)):
			return true
		case n < len(want) && end == len(have) && (ownTree(want[:n]) || shared && own && (n > 1 || !anchored)),
			n < len(want) && end == len(have) && open && own && n > 2 && have[end-1] == "*": // any text, which may have slashes
			return true
		}
	}
	return false
}

// anyFits reports whether a shell's pattern fits a name of the table, also one that says little. globFits wants two
// equal letters, or rm * would be every place of the table. Within a directory that is Elicit's own one star is enough.
func anyFits(pattern, want string) bool {
	if !strings.ContainsAny(pattern, "*?[") || want == "" || want[0] == '.' && pattern[0] != '.' {
		return false
	}
	fit, _ := globLetters(pattern, want)
	return fit
}

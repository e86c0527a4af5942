// Package impact reads what a command line does: which programs it runs, which paths it reads, writes and deletes,
// where it sends data, what it executes, what it changes in the system. Read turns a line of a shell into a Report.
// What cannot be read is an impact too: Unknown.
//
//	report := impact.Read("git -C /src push origin main | tee log", impact.Options{})
//	// runs git, publishes git, runs tee, writes log
//
// The line is parsed by engine/internal/shell. This package follows what the shell does with it: quotes, variables
// whose values the line tells, substitutions, here-documents, functions, branches, and texts that another shell gets
// (bash -c, eval, a pipe into sh, a file that the line has just written). Anything that the line leaves open is a hole
// in a word, and the target of such an impact is a pattern. Work, depth and the number of impacts have limits, beyond
// which the line is Unknown.
//
// # Reading order
//
// The files fall into four layers. Each layer calls only the next ones.
//
//   - impact.go has the types that go out: Report, Impact, Command, Text. request.go has Of, which begins with a whole
//     request: a command, a patch, a permission or a tool.
//   - read.go, branch.go, call.go, redirect.go and scope.go walk the tree of a script: lists, pipes, branches, loops,
//     functions, assignments and redirections. They own the state of the shell: variables, files and links that the
//     line makes.
//   - word.go, expand.go and twice.go turn one word of the script into the words that a program gets.
//   - run.go, option.go, act.go and execute.go read these words by the row of the program. special.go, find.go,
//     git.go, filter.go and goal.go read what a row cannot say. The files inline*.go read programs of Python.
//
// The walk goes down and comes up again: a word can hold a script ($(…)), and a program can get a script as a word (sh
// -c). All of it spends from one budget, reader.left. When it is spent, the reader adds Unknown with Limit for the
// whole line, and all further calls return at once.
//
// # What a report promises
//
//   - No silent loss. Each thing that the line may do has an impact in the report, or the report has an Unknown. A
//     policy may accept a line only if it knows all of its impacts, so an impact that is missing is a hole in
//     security, and an Unknown that is not needed only costs a question.
//   - More than happens is allowed. Both branches of an if, a function that nothing calls, and a program that a
//     function may hide are all in the report. So an impact means "may", and never "will".
//   - Nothing is run, opened or looked up. The report depends on the text, on Options and on the tables alone. Whether
//     a path exists, and what a link on the disk leads to, is for the host to know.
//   - The same line gives the same report, in the same order: the order in which the reader meets the words.
//
// The reader never guesses. A value is known as a whole, or it has holes: AnyText where any number of words may stand,
// AnyWord where the text stays within its word. These examples show the difference:
//
//	rm "$X"             deletes *, one path that may lie anywhere
//	rm -rf build/$X     deletes build/*: the hole may hold "../..", so Free says that it may lead anywhere
//	X=a; rm "$X"        deletes a
//	X=a; if b; then X=c; fi; rm "$X"    deletes *: doubt spreads at branches, loops and jumps
//	for d in a b; do rm $d; done        deletes a, deletes b: up to four known words are read one by one
//
// Each rule about the shell comes from POSIX.1-2024 or from Bash 5.2. Where sh, dash and Bash read a line in different
// ways, the reader takes what all of them could run, or says Unknown. For example, ((rm > 9)) compares in Bash, and
// begins two subshells in dash.
//
// # The table of programs
//
// programs.txt says what each program does with its words. A row is one line; indented lines below go on with it, and
// "#" begins a comment. Rows are sorted by name, byte by byte, because the table is searched and not parsed.
//
//	cp: read* write -t,--target-directory=write{write=read} -r,-R,-a,--recursive,--archive{tree} -S,--suffix=text
//	git: sub -C=cwd -c=config --git-dir,--work-tree=text --no-pager
//	git push: text* !publishes=git -n,--dry-run{harmless} -f,--force --repo=text
//	sh = bash
//
// The name is a program without its directory, in small letters, or a program with a subcommand behind a space. Deeper
// subcommands have more words: "docker container rm". "aws *" is any other subcommand. "= NAME" says that a program is
// as another one.
//
// A word is the role of an operand: the first word is the first operand, and so on. A role with "*" takes all operands
// that the others leave. These are the roles:
//
//	text      nothing that matters
//	read      a path that is read; edit: read and written; write; delete; move: read and deleted
//	mode      a path whose permissions change; bits: the permissions
//	warnings  filters of warnings of Python, which may import a module
//	clock     a time to which the clock is set, or "+" and a format
//	fetch     a host, or a URL, that data comes from; send: that data goes to; host: both
//	from, to  a path, or HOST:PATH: read or fetched from, written or sent to; take: from, and a path is deleted
//	into      a path that is written, or NAME=PATH with commas between, where src is read
//	outlet    a path that is written, or a text for a shell behind "|"; inlet: the same, and it is read
//	archive   a path that is read, wherever an option says that others belong
//	push,pull a repository of git: a URL, HOST:PATH, or a name for any place
//	data      a text to send, or a file after "@"; encoded: after "@" anywhere; header: the same, and it is sent
//	cookie    a file if it has no "="; page: a file if it has a slash; format: Unknown if it runs or writes something
//	command   a program, and all words behind it are its own
//	shell     a text that a shell reads; with "*", the words are joined
//	code      a text for an interpreter, which is Unknown unless the reader knows all of it; no more options follow
//	script    a file, or "-", that is executed; no more options follow
//	sub       a subcommand; its row has its own operands, and its options are searched before those of this row
//	cwd       the directory to which other paths belong
//	assign    NAME=VALUE, as many as there are, and not counted as operands; assigns: also behind operands
//	last      text, and no more options follow
//	config    a setting of git; setting: one of ssh; method: a method of HTTP; form: a field of a form that is sent
//	filter    a program of sed or awk; mount: a mount of a container
//	pypi, npm, crate, gem, module, image
//	          a package of that registry with its version; no more options follow an image
//	number    digits in the same word; letters behind them are options again
//	ini       NAME=VALUE of PHP, Java, rustc or systemd, which may name code; apt: of apt; pair: two words of text;
//	          pass: -Wl,A,B
//	suite     places with ":" between, of which those outside the directory are executed
//	suffix    what sed adds to the name of a copy, or the path of one
//	object    REVISION:PATH of git, or a path outside the directory; variable: the name of a variable that changes;
//	          index: the name of one that does not
//
// Any other word is a role that options can replace (see below), and means text if none does.
//
// A word with a hyphen is an option, also a lone one: its names, then "=ROLE" if it takes a value, or "?ROLE" if it
// takes one only in the same word, and at last in braces what it does, with commas between:
//
//	read=write   operands and values of the one role get the other
//	-text        the first operand of this role falls away; -writes: an impact that the row always has
//	tree         paths count with all that is below
//	harmless     the program does nothing but tell: of its impacts only Runs is left
//	stop         options end here
//	unknown      the reader cannot tell what happens
//	!changes=service and the like: the impact is there
//
// An option that is not in the row makes the command Unknown. "-*" says that all other options take no value in
// another word, and do nothing that matters. --help and --version are harmless unless the row has them. A long option
// may be shortened. With "-*" the short form may be another option, so the next word is its value and an operand too.
// Single letters may stand together, unless the row has names of one hyphen and several letters and one of them fits.
// Among them a harmless one counts only if the row has them all: "kill -KILL" has no -L.
//
// A word with "!" is an impact that the program always has: !changes=AREA, !publishes=AREA, !executes=HOW,
// !fetches=HOST, !sends=HOST, !reads=PATH, !writes=PATH, !deletes=PATH, !unknown. !decodes says that what comes out is
// decoded, !passes that it is what went in if no file is read, and !plain that it is none of what went in. !stdin says
// that the input is executed, and !idle that it is without operands. !shell says that a shell reads it unless a command
// is among the words: "echo rm x | sudo -s". A word with "@" names a function of this package that reads the words, for
// programs with a language of their own.
//
// Git can throw work away. The row then writes a directory with all that is below, or ".git". "git reset --hard" writes
// the tree of ".", and "git stash drop" writes ".git".
//
// # Programs in the line
//
// A program of Python in the line is read as its tokens, because a name is judged wherever it stands. inline.txt lists
// names of the language and its library, and what they do. Code of the project and of packages may do what its tests
// may do: that Executes Project. Any other name is Unknown.
//
// A row must come from the program's own manual or its help, and what it says must be seen in a run where that is
// safe. Rows follow the manuals of GNU coreutils 9, findutils 4.9, Git 2.47, curl 8, Docker 27, Go 1.26, npm 11, pip
// 25, OpenSSH 9, tar 1.35, wget 1.24 and POSIX.1-2024.
package impact

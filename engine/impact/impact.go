package impact

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Kind says what a program does to the machine or to the world.
type Kind string

// These are the kinds. Unknown stands for whatever the reader cannot tell: no rule that accepts may pass over it. The
// words are those of the policy language and of the vectors, so they never change.
const (
	Runs      Kind = "runs"      // a program
	Reads     Kind = "reads"     // a path
	Writes    Kind = "writes"    // a path
	Deletes   Kind = "deletes"   // a path
	Sends     Kind = "sends"     // to a host
	Fetches   Kind = "fetches"   // from a host
	Executes  Kind = "executes"  // a file or a text as a program
	Changes   Kind = "changes"   // the system: see Areas
	Publishes Kind = "publishes" // to others: see Areas
	Unknown   Kind = "unknown"
)

// Areas lists what the target of an impact can be that changes the system or publishes. Kinds besides these two have
// targets of their own: programs, paths and hosts. For them the list is nil. The caller may keep and change the list,
// because each call makes a new one.
func Areas(kind Kind) []string {
	switch kind {
	case Changes:
		return []string{"service", "schedule", "package", "permission", "user", "kernel", "startup", "network", "disk",
			"process", "setting", "container"}
	case Publishes:
		return []string{"git", "package", "image", "release", "cloud", "message"}
	}
	return nil
}

// Impact is one thing that a command does.
type Impact struct {
	Kind Kind

	// Target is the program, the path, the host, the file, the area. A path is clean, and relative to the directory in
	// which the line begins unless that is known; "~" begins the person's own. "env:NAME" is a variable of the
	// environment.
	Target string

	// How says more: one of the words of the type How.
	How How

	// Program has the impact, or is "" for the shell itself.
	Program string

	// Open says that Target is a pattern. "*", "?" and "[…]" are those of a shell, and "*" also stands for any text that
	// the line does not tell, with slashes.
	Open bool

	// Free says that an open Target holds text that the line does not tell, so that it may lead anywhere. A name that a
	// pattern of the shell matches is not free: "rm *.o" deletes files of this directory, however they are called.
	// "rm $X" is free, because X may be "/" or "../x". So a rule about a directory can hold for the first one.
	Free bool

	At, End int // where the line says it, in bytes
}

// How says more about an impact.
type How string

// These are the words. For Executes they name where the text comes from, and for Unknown what cannot be read. A text
// has one How, although several could fit. Fetched counts before Decoded, and Decoded before Built, as flow.how says:
// the origin that is worse hides the others.
const (
	Tree    How = "tree"    // the path with all that is below
	Mode    How = "mode"    // only the permissions of the path
	Fetched How = "fetched" // a text from the network
	Decoded How = "decoded" // a text that was decoded or decrypted
	Built   How = "built"   // a text that a command made
	Code    How = "code"    // a text in the line for an interpreter
	File    How = "file"    // a file
	Project How = "project" // what files of the project say: a Makefile, a package.json, tests
	Word    How = "program" // a program that the table does not have, or that the line does not tell
	Option  How = "option"  // an option or subcommand that the table does not have
	Syntax  How = "syntax"  // the line, or a text within it
	Limit   How = "limit"   // more than the reader takes
)

// AppendJSON appends {"impact","target"?,"how"?,"program"?,"open"?,"at","end"}. The members stand in this order,
// because vectors compare bytes. Free has no member: it serves rules alone.
func (i Impact) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "impact", string(i.Kind))
	o.OptStrs("target", i.Target, "how", string(i.How), "program", i.Program)
	o.OptTrue("open", i.Open)
	o.Int("at", int64(i.At))
	o.Int("end", int64(i.End))
	return o.End()
}

// Report is what a line does. Impacts, Commands, Addresses and Packages are views of one reading, and not derived from
// each other. Impacts serve policies. Commands and their words serve the findings of package risk and the prefix rules
// of package policy, which look at how a thing is written. Each list is bounded by maxImpacts or maxCommands.
type Report struct {
	Impacts []Impact
	Unknown bool // one of the impacts is Unknown

	// Commands are the plain commands of the line, also those within texts that a shell reads. They stand in the order
	// of their beginning, so a command in a word follows the command that gets the word. Into and After of a Command
	// are places in this list. A loop that is read several times has its commands once if all rounds have the same
	// words.
	Commands []Command

	// Addresses are where programs send to or fetch from, as they get them: a URL, a host, HOST:PATH or USER@HOST. An
	// impact has only the host of it, in small letters. A check of a URL needs the text itself.
	Addresses []Text

	// Packages are what programs install or run from a registry, as the line names it. "pip install requests==2.0" has
	// the name requests==2.0: its version is not split off.
	Packages []Package

	// Plain says that the line has only words, quotes and separators: a shell replaces and redirects nothing in it. A
	// caller that compares a line with an allowed prefix needs that: for a plain line, the words are what the programs
	// get. Any byte outside ASCII, a comment, a backslash that matters and a pattern make it false. It starts as true,
	// and each place that replaces something clears it.
	Plain bool
}

// Package is a package with its version, or an image.
type Package struct {
	Registry string // pypi, npm, crate, gem, module (of Go) or image
	Name     Text
}

// Command is one plain command: a program with its words. The reader fills it while it reads the command, so given,
// From, To and Stdin may still grow when a word of it is expanded. After Read nothing changes it.
type Command struct {
	Words   []Text   // after assignments; the first is the program, or what runs it
	Assigns []Text   // NAME=VALUE
	To      []Text   // files that its output goes to
	From    []Text   // files that it reads by a redirection
	Stdin   string   // a here-document or here-string that it reads
	Runs    [][]Text // what it runs in other words: behind sudo, of find -exec, without options before a subcommand
	// In "sudo -u root rm x", Words begins with sudo. Runs has one list for each command that sudo leads to, and Inner
	// is the last of these: "rm x". A rule about rm has to look at both.
	Inner   []Text // the words that others only run, such as sudo, xargs and an alias of git; nil without any
	Into    int    // the command whose words have its output, or -1
	After   int    // the command whose output it reads through a pipe, or -1
	Nested  bool   // it stands in a text within the line; At and End are those of the word with the text
	At, End int    // with its redirections

	given flow // what is in its words
}

// Text is a word as a program gets it.
//
// One word of the script can become several words or none: unquoted $X with "a b" gives two, and an empty expansion
// gives none. All of them have the place of the word in the script. A word within a nested text has the place of the
// outer word in the line, so At and End always lie in the line.
type Text struct {
	// Text is without quotes. AnyText stands for any text that the line does not tell, AnyWord for one without blanks.
	Text    string
	At, End int

	Glob      bool // a shell matches it with names of files
	Quoted    bool // a part of it is in quotes
	Broken    bool // it has quotes or backslashes where none are needed
	Holds     bool // it has the output of another command
	Pipe      bool // it stands for a file with that output: <(…)
	Variables int  // expansions of variables in it
	Escapes   int  // characters in it that are spelled as \x41 or \101

	secret string // a variable of the environment in it that is named like a secret
	found  found
}

// What stands for text that the line does not tell. No command has these bytes. NUL cannot stand in an argument of a
// program, because execve takes texts that end at it. The byte 1 can, so a line that has either of them is Unknown at
// once (see Read). The difference matters where words are counted: "rm $X" may have "-rf /" in X, so options and
// further operands are possible; with quotes around $X there is exactly one operand.
const (
	AnyText = '\x00'
	AnyWord = '\x01'
)

// flow is what goes from one command to another.
//
// It stands for the text of a pipe, of $(…), of a here-document, or of a file that the line has written. It carries two
// things: the text itself, if known says so, and a history of the text, which stays when the text is lost. In
// "curl a.example | tr a b | sh" no text is known, yet fetched goes through tr, and sh executes a fetched text.
//
// The zero value means that no text comes, or one that no command of the line has made: a person types it. With known
// and an empty text, the output is empty for sure, as that of "cd".
//
// Fields exclude each other as follows. Without known, text is "". With known, built is false. file and found are set
// only by the place that just made the flow, and and drops both.
type flow struct {
	text    string
	known   bool   // text is all of it
	fetched string // the host that some of it comes from, "*" for one that the line does not tell
	decoded bool
	built   bool   // a command made some of it
	edited  string // what sed has put into a file that was there before
	found   found  // it is the names of files that find prints
	file    string // it is what this file holds, which the line does not tell
	loose   bool   // of a file: what it held before may be read in its place
}

// lost is a flow whose text the line no longer tells. That it was fetched or decoded stays, because a rule about such
// texts must still hold.
func (f flow) lost() flow {
	f.text, f.known, f.built = "", false, true
	return f
}

// found are files below a directory whose names match a pattern.
type found struct{ below, names string }

// and is both flows, one after the other. The history is a union: one fetched part makes all of it fetched. The text is
// known only if both are, up to 4 KiB. The bound keeps a loop or a long list from doubling a text again and again.
//
// A flow from a file whose text is not known counts as built afterwards. Behind another text, its content is no longer
// the file that Executes could name: in "{ echo x; cat f; } | sh" the shell does not run f alone.
func (f flow) and(g flow) flow {
	f.known = f.known && g.known && len(f.text)+len(g.text) <= 4<<10
	if f.known {
		f.text += g.text
	} else {
		f.built = f.built || f.text+g.text != "" // there is a text, though its words are lost
		f.text = ""
	}
	if f.fetched == "" {
		f.fetched = g.fetched
	}
	f.decoded, f.built = f.decoded || g.decoded, f.built || g.built
	f.built = f.built || f.file != "" || g.file != ""
	f.edited, f.found, f.file = "", found{}, ""
	return f
}

// Options are what is known beyond the line.
type Options struct {
	// With "", paths stay relative to that unknown directory, and "cd -" or "cd $X" make them begin with "*/". With a
	// value, paths in the report are absolute or begin with "~", unless the line goes to a directory that it does not
	// tell.
	Cwd string // the directory in which it runs, "" if it is not known
}

//go:build !browser

package impact

import "strings"

// goals are words in the names of what make and its relatives make. They tell that the rules of the project install or
// publish something. A release may be no more than a fast build, so make may make one.
var goals = map[string]string{"install": "changes=package", "uninstall": "changes=package",
	"deploy": "publishes=release", "publish": "publishes=release", "upload": "publishes=release",
	"push": "publishes=release", "release": "publishes=release"}

// goal looks at what make shall make. Only the first and the last part count: "docker-push" and "release.linux"
// publish, and "push-button-test" does too, while "no-push-here" does not. A guess that is wrong costs a question, and
// the Executes Project of make stays.
func (c *run) goal(w Text) {
	c.expands(w)
	parts := strings.FieldsFunc(w.Text, func(r rune) bool { return strings.ContainsRune("-_:.", r) })
	if len(parts) == 0 {
		return
	}
	for _, part := range [...]string{parts[0], parts[len(parts)-1]} {
		if does := goals[lowered(part)]; does != "" && (c.key != "make" || part != "release") {
			c.effect(does)
		}
	}
}

// expands notes that make runs the commands in a word: $(shell …), NAME!=… In "make X='$(shell rm x)'" make itself runs
// rm (GNU make, "The shell Function"). A dollar with a plain name is open as well, because the Makefile may give that
// name a command.
func (c *run) expands(w Text) {
	if c.key == "make" && strings.ContainsAny(w.Text, "$`!") {
		c.unknown(Option, c.program, span{w.At, w.End})
	}
}

// ps shows the variables of programs for the letter "e" among letters without a hyphen. "ps auxe" shows the environment
// of each process, and with it secrets. "ps -e" lists all processes and shows none of it. A value such as the format
// behind -o may have an "e" too, so letters with a value end the word.
func (c *run) ps(words []Text) {
	for i := 0; i < len(words); i++ {
		text := words[i].Text
		valued := "opqtUkO"
		switch {
		case strings.HasPrefix(text, "--"):
			continue
		case strings.HasPrefix(text, "-"):
			valued = "opqtUCgGsNOu"
		case strings.Trim(text, "abcdefghijklmnopqrstuvwxyzACEFGHLMNOSTUVXZ") != "":
			continue
		case strings.Contains(text, "e"):
			c.effect("reads=env:*")
		}
		if at := strings.IndexAny(text, valued); at > 0 && at == len(text)-1 { // a value follows
			i++
		}
	}
}

// named notes what a value does that names a setting, or that is a file only with a certain sign.
func (c *run) named(role string, w Text) {
	name, value, is := strings.Cut(w.Text, "=")
	reads := func(file string) {
		w.Text = file
		c.file(Reads, w)
	}
	switch role {
	case "form": // x=@a,b;headers=@c
		for rest := w.Text; rest != ""; {
			if _, rest, _ = strings.Cut(rest, "="); rest == "" || rest[0] != '@' && rest[0] != '<' {
				continue
			}
			for files, _, _ := strings.Cut(rest, ";"); files != ""; {
				var one string
				one, files, _ = strings.Cut(files, ",")
				if one = strings.Trim(one, `@<"`); one != "" {
					reads(one)
				}
			}
		}
	case "encoded": // NAME=TEXT or NAME@FILE
		if at := strings.IndexAny(w.Text, "=@"); at >= 0 && w.Text[at] == '@' {
			reads(w.Text[at+1:])
		}
	case "cookie":
		if !is {
			reads(w.Text)
		}
	case "page":
		if strings.Contains(w.Text, "/") {
			reads(w.Text)
		}
	case "format":
		if holed(w.Text) || strings.Contains(w.Text, "#(") || strings.Contains(w.Text, "%output{") {
			c.unknown(Option, c.program, span{w.At, w.End})
		} else if file, is := strings.CutPrefix(w.Text, "@"); is {
			reads(file)
		}
	case "inlet", "outlet":
		if script := strings.TrimLeft(w.Text, "|!"); script != w.Text {
			c.shell(w, script, nil)
			return
		}
		if role == "inlet" {
			c.file(Reads, w)
			return
		}
		c.file(Writes, w)
	case "into": // PATH, or type=local,dest=PATH, or id=x,src=PATH
		for rest := w.Text; rest != ""; {
			var one string
			one, rest, _ = strings.Cut(rest, ",")
			switch name, path, is := strings.Cut(one, "="); {
			case !is:
				w.Text = one
				c.file(Writes, w)
			case name == "src" || name == "source":
				reads(path)
			case name != "type" && name != "id" && name != "mode" && name != "ref":
				w.Text = path
				c.file(Writes, w)
			}
		}
	case "pass": // to the linker, the assembler or the preprocessor: -Wl,-Map,PATH
		for _, rest, _ := strings.Cut(w.Text, ","); rest != ""; {
			var one string
			one, rest, _ = strings.Cut(rest, ",")
			if one = strings.TrimLeft(one, "-"); holed(one) || begins(one, passed) {
				c.unknown(Option, c.program, span{w.At, w.End})
			}
		}
	case "ini":
		if w.Text = strings.Trim(value, ` "'`); holed(name) || loadsCode(strings.TrimSpace(name)) {
			c.script(w)
		}
	case "apt":
		name = lowered(name)
		known := begins(name, aptSettings)
		forces := !strings.HasPrefix(name, "dpkg::options") || strings.HasPrefix(value, "--force-conf")
		if !known || !forces || holed(w.Text) || strings.Contains(name, "detect") {
			c.unknown(Option, c.program, span{w.At, w.End})
		}
	}
}

// begins reports whether a text begins with one of a list.
func begins(text string, list []string) bool {
	for _, one := range list {
		if strings.HasPrefix(text, one) {
			return true
		}
	}
	return false
}

// passed begin the options of the programs behind a compiler that write a file or load code.
var passed = []string{"plugin", "Map", "o", "dependency-file", "MD", "MMD", "al", "@"}

// aptSettings begin the settings of apt that name no program and no file. APT::Update::Pre-Invoke names one.
var aptSettings = []string{"acquire::", "apt::get::", "apt::install-", "apt::color", "debug::", "dpkg::options",
	"dpkg::use-pty", "dpkg::progress", "dpkg::lock"}

// loadsCode reports whether a setting of PHP, of Java, of rustc or of systemd names code or a program.
func loadsCode(setting string) bool {
	switch setting {
	case "auto_prepend_file", "auto_append_file", "extension", "zend_extension", "opcache.preload", "ffi.preload",
		"OnError", "OnOutOfMemoryError", "Flags", "VMOptionsFile", "linker", "codegen-backend":
		return true
	}
	return strings.HasPrefix(setting, "Exec")
}

// assigns reports whether a word is NAME=VALUE with a name for a variable.
func assigns(word string) bool {
	at := strings.IndexByte(word, '=')
	if at <= 0 {
		return false
	}
	for i := range at {
		if b := lower(word[i]); b != '_' && (b < 'a' || b > 'z') && (i == 0 || b < '0' || b > '9') {
			return false
		}
	}
	return true
}

//go:build !browser

package impact

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// output is a file that the output of a command goes to.
type output struct {
	path  Text
	adds  bool // behind what the file holds
	mixes bool // over some of what it holds
	apart bool // something else than the standard output goes there, or that may still go on
}

// redirections reads the redirections of a command, and returns its input and the files of its output. The last
// redirection of the input counts, as in a shell. Of several outputs each gets the text, which is more than a shell
// writes. Only the descriptors 0 and 1 are the input and the output: in "echo ls 2>f | sh" the shell gets the text.
func (r *reader) redirections(place int, list []*shell.Redirect, in flow) (flow, []output) {
	var outputs []output
	for _, d := range list {
		r.report.Plain = false
		number := ""
		if d.N != nil {
			number = d.N.Value
		}
		if d.Word == nil || d.Op == shell.Hdoc || d.Op == shell.DashHdoc {
			// The document comes last here, although its words stand in the next lines. A shell expands it before it runs
			// the command.
			text := "" // nothing is in it
			if d.Hdoc != nil {
				text = r.document(d, place)
				r.report.Commands[place].Stdin = text
			}
			if number == "" || number == "0" {
				in = flow{text: text, known: !holed(text)}
			}
			continue
		}
		word := r.one(d.Word, place)
		// The line "rm >&-/etc/hosts" deletes /etc/hosts in Bash, and dash takes "-/etc/hosts" for a bad descriptor.
		if (d.Op == shell.DplOut || d.Op == shell.DplIn) && len(word.Text) > 1 && word.Text[0] == '-' {
			r.unknown(Syntax, "", span{word.At, word.End}) // Bash ends the redirection at "-": the rest is another word
		}
		switch d.Op {
		case shell.WordHdoc, shell.RdrIn, shell.RdrInOut, shell.DplIn:
			if read := r.input(d.Op, word, place, in); number == "" || number == "0" {
				in = read
			}
			if d.Op == shell.RdrInOut {
				outputs = append(outputs, output{path: word, mixes: true, apart: number != "1"})
			}
		// All other operators write: >, >>, >|, &>, &>> and >& with the name of a file.
		default:
			if d.Op == shell.DplOut && isDescriptor(word.Text) {
				continue
			}
			c := &r.report.Commands[place]
			c.To = append(c.To, word)
			if !word.Holds || !strings.HasPrefix(word.Text, string(AnyWord)) {
				outputs = append(outputs, output{path: word, adds: d.Op == shell.AppOut || d.Op == shell.AppAll,
					apart: number != "" && number != "1" || r.goesOn(word)})
			}
		}
	}
	return in, outputs
}

// goesOn reports whether a file may stand for an output that the command has besides. In "echo ls >/dev/stdout | sh"
// the shell gets the text.
func (r *reader) goesOn(path Text) bool {
	name, _ := r.place(path, "")
	return holed(path.Text) || strings.HasPrefix(name, "/dev/std") || strings.HasPrefix(name, "/dev/fd/") ||
		strings.HasPrefix(name, "/proc/") || name == "/dev/tty"
}

// input is what a redirection gives to a command that had another input.
func (r *reader) input(op shell.RedirOperator, word Text, place int, in flow) flow {
	c := &r.report.Commands[place]
	switch {
	// A here-string ends with a line end that the line does not spell.
	case op == shell.WordHdoc:
		text := flow{text: word.Text + "\n", known: !holed(word.Text)}
		r.shows(word, "")
		// In "sh <<< $(curl a.example)" the text is unknown, but its history is that of the command in the word.
		if in = text; word.Holds {
			in = in.and(c.given)
			in.text, in.known, in.built = text.text, text.known, !text.known
		}
		c.Stdin = word.Text
		return in
	case op == shell.DplIn && word.Text == "0":
		return in
	// "<&3" reads what an earlier exec has opened, which nobody can tell. "<&-" closes the input, so nothing comes.
	case op == shell.DplIn && isDescriptor(word.Text):
		return flow{built: word.Text != "-"}
	}
	c.From = append(c.From, word)
	read := r.held(word)
	if !word.Holds {
		r.path(Reads, word, "", "", "")
	} else {
		read = read.and(c.given)
	}
	if word.Text == "/dev/stdin" || word.Text == "/dev/fd/0" {
		return in
	}
	return read
}

// held is what a file holds that is read.
func (r *reader) held(path Text) flow {
	name, open := r.place(path, "")
	in, written := r.files[name]
	if in.loose {
		in = in.lost()
		in.loose = false
	}
	// The cases are: a file that the line has written without a known text; a path that the line does not tell; and a
	// file that the line has not written, which is named, so that its execution can be reported by name.
	switch in.known = in.known && name != ""; {
	case written && !in.known && in == (flow{}):
		in.built = true
	case !written && (open || name == ""):
		in.built = !path.Holds
	case !written && (strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")):
		in.built = true
	case !written && !strings.HasPrefix(name, "/dev/"):
		in.file = name
	}
	return in
}

func isDescriptor(s string) bool { return s == "-" || s != "" && strings.Trim(s, "0123456789-") == "" }

// document is the text of a here-document. A backslash stays, except before a dollar, a backquote, a backslash and the
// end of a line (POSIX XCU 2.7.4). If a part of the end word is quoted, as in <<'E' or <<\E, the text stays as it is. A
// parser node within the text shows that it is expanded.
func (r *reader) document(d *shell.Redirect, place int) string {
	plain := true // nothing in it is replaced if a part of its end word is quoted
	for _, part := range d.Word.Parts {
		lit, is := part.(*shell.Lit)
		plain = plain && is && strings.IndexByte(lit.Value, '\\') < 0
	}
	e := expander{r: r, into: place, whole: true}
	for _, part := range d.Hdoc.Parts {
		lit, is := part.(*shell.Lit)
		if !is {
			e.parts([]shell.WordPart{part}, true)
			e.word.At, e.word.End = r.span(d.Word).at, r.span(d.Word).end
			r.shows(e.word, "")
			continue
		}
		r.spend(len(lit.Value))
		r.unticked(lit.Value, d.Word)
		for i := 0; i < len(lit.Value); i++ {
			b := lit.Value[i]
			if b == '\\' && plain && i+1 < len(lit.Value) && strings.IndexByte("$`\\\n", lit.Value[i+1]) >= 0 {
				if i++; lit.Value[i] == '\n' {
					continue
				}
				b = lit.Value[i]
			}
			e.cur = append(e.cur, b)
		}
	}
	return string(e.cur)
}

// redirected notes what goes to files, and returns what is left for the next command.
func (r *reader) redirected(out flow, outputs []output) flow {
	r.writes(outputs, out)
	if slices.ContainsFunc(outputs, func(o output) bool { return !o.apart }) {
		return flow{known: true}
	}
	return out
}

// writes notes that each file is written, and what it holds from now on. The shell itself performs it: so "> f" runs no
// program and still has an impact.
func (r *reader) writes(outputs []output, out flow) {
	for _, o := range outputs {
		r.path(Writes, o.path, "", "", "")
		if o.apart { // what is written there, nobody has read
			r.adds(o, flow{built: true})
		} else {
			r.adds(o, out)
		}
	}
}

// adds notes what a file holds behind, or over, what it held. "echo ls >> s" behind "echo 'rm x' > s" makes a file with
// both lines. Without the first command, the line does not tell what s begins with. "<>" writes over the beginning of a
// file and leaves its end.
func (r *reader) adds(o output, out flow) {
	name, _ := r.place(o.path, "")
	if had, is := r.files[name]; o.mixes || o.adds {
		if out = had.and(out); o.mixes || !is {
			out = out.lost()
		}
		delete(r.files, name)
	}
	r.holds(o.path, out)
}

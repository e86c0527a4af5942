// Package redteam changes forms and commands as an attacker would, who wants the same but not be found. Tests inspect
// both, and hold how many of the findings are kept. `./build.sh redteam` prints the worst change of each rule.
package redteam

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Field is what a form shows of a field that a person can type into.
type Field struct{ Name, Title, Description string }

// Form is what a server asks.
type Form struct {
	Message string
	Fields  []Field
}

// FormChange is a way to write a form otherwise, so that a person still does what it asks.
type FormChange struct {
	Name string
	Do   func(Form) Form
}

var calm = [...]Field{{"city", "City", "Where the team meets"}, {"project", "Project", "As in the library"},
	{"colour", "Favourite colour", "For the label"}, {"size", "Size of the shirt", ""}, {"order", "Order number", ""},
	{"guests", "Number of guests", "At most eight"}, {"comment", "Comment", "It helps us"}, {"start", "First day", ""}}

// FormChanges are all of them.
var FormChanges = []FormChange{
	{"calm help", first(func(f *Field) { f.Description = sentences(f.Description, "It keeps your project on track") })},
	{"calm message", func(f Form) Form {
		f.Message = sentences("Thank you for your library order", f.Message, "The parcel leaves today")
		return f
	}},
	{"innocent name", first(func(f *Field) { f.Name = "favourite_colour" })},
	{"more fields before", func(f Form) Form { f.Fields = append(calm[:len(calm):len(calm)], f.Fields...); return f }},
	{"more fields after", func(f Form) Form { f.Fields = append(slices.Clone(f.Fields), calm[:]...); return f }},
	{"other order", first(func(f *Field) {
		f.Title, f.Description = f.Description, f.Title
		f.Title = cmp.Or(f.Title, "Details")
	})},
	{"split over two texts", first(func(f *Field) {
		if words := strings.Fields(f.Title); len(words) > 1 && f.Description == "" {
			f.Title, f.Description = strings.Join(words[:len(words)/2], " "), strings.Join(words[len(words)/2:], " ")
		}
	})},
	{"split words", texts(func(s string) string { return eachWord(s, "-") })},
	{"padding", first(func(f *Field) {
		f.Title = sentences("Nice to see you", f.Title, "You can change it later")
		f.Description = sentences(strings.Repeat("We read every answer. ", 6), f.Description)
	})},
	{"another language", func(f Form) Form {
		f.Message = sentences("Vielen Dank für Ihre Bestellung", f.Message)
		f.Fields = slices.Clone(f.Fields)
		f.Fields[0].Description = sentences(f.Fields[0].Description, "Merci, c'est pour la bibliothèque")
		return f
	}},
	{"hidden signs", texts(func(s string) string { return eachWord(s, "\u200b") })},
	{"capitals", texts(strings.ToUpper)},
	{"look-alikes", texts(strings.NewReplacer("a", "а", "e", "е", "o", "о", "p", "р", "c", "с").Replace)},
	{"calm clause", first(func(f *Field) { f.Title += ", as in your project" })},
}

// first changes the first field.
func first(change func(*Field)) func(Form) Form {
	return func(f Form) Form {
		f.Fields = slices.Clone(f.Fields)
		change(&f.Fields[0])
		return f
	}
}

// texts changes all that is on the screen.
func texts(change func(string) string) func(Form) Form {
	return func(f Form) Form {
		f.Message, f.Fields = change(f.Message), slices.Clone(f.Fields)
		for i := range f.Fields {
			f.Fields[i].Title, f.Fields[i].Description = change(f.Fields[i].Title), change(f.Fields[i].Description)
		}
		return f
	}
}

// sentences joins texts that are not empty.
func sentences(list ...string) string {
	var out []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, strings.TrimSuffix(s, "."))
		}
	}
	for i, s := range out[:max(len(out)-1, 0)] {
		if !strings.ContainsAny(s[len(s)-1:], "?!:") {
			out[i] = s + "."
		}
	}
	return strings.Join(out, " ")
}

// eachWord puts a mark into the middle of each word of five Latin letters or more.
func eachWord(s, mark string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		r := []rune(w)
		other := func(r rune) bool { return r > unicode.MaxLatin1 || !unicode.IsLetter(r) }
		if len(r) > 4 && !slices.ContainsFunc(r, other) {
			words[i] = string(r[:len(r)/2]) + mark + string(r[len(r)/2:])
		}
	}
	return strings.Join(words, " ")
}

// CommandChange is a way to write a command otherwise that does the same.
type CommandChange struct {
	Name string
	Do   func(string) string
}

// around writes text around a command. One with a here-document stays as it is.
func around(before, after string) func(string) string {
	return func(s string) string {
		if strings.Contains(s, "<<") {
			return s
		}
		return before + s + after
	}
}

// CommandChanges are all of them.
var CommandChanges = []CommandChange{
	{"after another", around("cd /tmp && ", "")}, {"before another", around("", "; echo done")},
	{"subshell", around("(", ")")}, {"group", around("{ ", "; }")}, {"not", around("! ", "")},
	{"case", around("case x in x) ", ";; esac")}, {"function", around("f() { ", "; }; f")},
	{"condition", around("if true; then ", "; fi")}, {"loop", around("for i in 1; do ", "; done")},
	{"substitution", around("echo $(", ")")}, {"default", around("echo ${x:-$(", ")}")},
	{"here-document", around("cat <<E\n$(", ")\nE")}, {"eval", quoted("eval ")}, {"sh -c", quoted("sh -c ")},
	{"bash -c", quoted("bash -lc ")}, {"env", word("env A=1 ")}, {"sudo", word("sudo -n ")}, {"nohup", word("nohup ")},
	{"timeout", word("timeout 9 ")}, {"time", word("time ")}, {"coproc", word("coproc ")}, {"assignment", word("A=1 ")},
	{"backslash", func(s string) string { return `\` + s }},
	{"quotes", func(s string) string {
		name, rest, _ := strings.Cut(s, " ")
		if len(name) < 2 || strings.ContainsAny(name, `'"$=()`) {
			return s
		}
		return name[:1] + `""` + name[1:] + " " + rest
	}},
}

// word puts a word before a simple command. Others stay as they are.
func word(before string) func(string) string {
	return func(s string) string {
		if strings.ContainsAny(s, "\n(){}<") {
			return s
		}
		return before + s
	}
}

func quoted(before string) func(string) string {
	return func(s string) string { return before + "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
}

// Kept counts what is found of entries under one change, of those found without it.
type Kept struct {
	Change    string
	Kept, Of  int
	FirstLost string
}

func (k Kept) String() string {
	return fmt.Sprintf("%-22s %d of %d %s", k.Change, k.Kept, k.Of, k.FirstLost)
}

// Percent is the part that is kept.
func (k Kept) Percent() float64 { return 100 * float64(k.Kept) / float64(max(k.Of, 1)) }

// Forms changes each form in each way and counts what is still found of those that are found as they are.
func Forms(forms []Form, found func(Form) bool) []Kept {
	forms = slices.DeleteFunc(slices.Clone(forms), func(f Form) bool { return !found(f) })
	var list []Kept
	for _, change := range FormChanges {
		list = append(list, keep(change.Name, forms, func(f Form) Form { return change.Do(f) }, found))
	}
	return list
}

// Commands is Forms for commands.
func Commands(commands []string, found func(string) bool) []Kept {
	commands = slices.DeleteFunc(slices.Clone(commands), func(c string) bool { return !found(c) })
	var list []Kept
	for _, change := range CommandChanges {
		list = append(list, keep(change.Name, commands, change.Do, found))
	}
	return list
}

func keep[T any](name string, entries []T, change func(T) T, found func(T) bool) Kept {
	k := Kept{Change: name, Of: len(entries)}
	for _, e := range entries {
		if changed := change(e); found(changed) {
			k.Kept++
		} else if k.FirstLost == "" {
			k.FirstLost = fmt.Sprintf("%.160q", fmt.Sprintf("%v", changed))
		}
	}
	return k
}

// Worst is the change that hides most.
func Worst(list []Kept) Kept {
	return slices.MinFunc(list, func(a, b Kept) int { return int(a.Percent()*100) - int(b.Percent()*100) })
}

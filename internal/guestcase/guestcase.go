// Package guestcase reads the cases of guardians. It also makes the question of a case what an engine would ask: it
// adds what the built-in inspection finds in the request, and that the inspection read it.
package guestcase

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/risk"
)

// Case is one case as its file holds it.
type Case struct {
	Name string // the file's name without .json, or the case's own name in a file with a list
	File string
	Nth  int    // the place in the list, from 0
	At   int    // where Text begins in the file
	Text []byte // a JSON object, unless the file holds something else
}

// Split returns the cases of a file: the whole file, or the members of its list. A case in a list without a name has
// the file's name and its number.
func Split(file string, text []byte) (cases []Case) {
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	list := gjson.ParseBytes(text)
	if !list.IsArray() || !gjson.ValidBytes(text) {
		return []Case{{Name: name, File: file, Text: text}}
	}
	for i, c := range list.Array() {
		own := cmp.Or(c.Get("name").Str, fmt.Sprintf("%s_%d", name, i+1))
		cases = append(cases, Case{own, file, i, c.Index, text[c.Index : c.Index+len(c.Raw)]})
	}
	return cases
}

// In returns the cases of the files *.json of a directory. It does not look into directories below.
func In(dir string) (cases []Case, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		cases = append(cases, Split(file, text)...)
	}
	return cases, err
}

// Inspected returns the question with the members findings and inspected of its request, and with the impacts of a
// deed. A request that has findings or inspected already stays as it is, so an author can also write what an engine
// found, or "inspected": false. A permit narrows the question afterwards. The known hosts and servers of an engine are
// not known here.
func Inspected(question []byte) []byte {
	request := gjson.GetBytes(question, "request")
	if !request.IsObject() || request.Get("inspected").Exists() || request.Get("findings").Exists() {
		return question
	}
	end := request.Index + len(request.Raw) - 1
	out := append([]byte(nil), question[:end]...)
	separator := ","
	if len(request.Map()) == 0 {
		separator = ""
	}
	subject := subjectOf(request)
	if findings := risk.Inspect(subject); len(findings) > 0 {
		out = elicit.AppendList(append(out, separator+`"findings":`...), findings)
		separator = ","
	}
	out = append(out, separator+`"inspected":true`...)
	if does := subject.Does; (does != elicit.DeedNone || subject.Command != "") && !request.Get("impacts").Exists() {
		deed := elicit.Request{Does: does, Command: subject.Command, Cwd: request.Get("cwd").Str, Paths: subject.Paths,
			Annotations: elicit.Annotations{ReadOnly: said(request.Get("annotations.read_only"))}}
		for _, host := range request.Get("hosts").Array() {
			deed.Hosts = append(deed.Hosts, host.Str)
		}
		out = elicit.AppendList(append(out, `,"impacts":`...), impact.Of(&deed).Impacts)
	}
	return append(out, question[end:]...)
}

func said(v gjson.Result) elicit.Said {
	if !v.Exists() {
		return elicit.Unsaid
	}
	return elicit.Say(v.Bool())
}

// Asked returns the question as an engine asks a guardian that is permitted all that its manifest declares.
func Asked(m guardian.Manifest, question []byte) []byte {
	permit := guardian.Permit{Declared: guardian.Declared{Phases: m.Phases, Reads: m.Reads}, Reads: m.Reads}
	return permit.Narrow(Inspected(question))
}

// subjectOf reads a request as the question to a guardian spells it.
func subjectOf(request gjson.Result) *risk.Subject {
	text := func(name string) string { return request.Get(name).Str }
	s := &risk.Subject{Server: text("server"), Mode: elicit.Mode(cmp.Or(text("mode"), string(elicit.Form))),
		Message: text("message"), URL: text("url"), Does: elicit.Deed(text("does")), Command: text("command"),
		FormTitle: request.Get("form.title").Str, FormHelp: request.Get("form.help").Str}
	if request.Get("url").Exists() {
		s.Mode = elicit.URL
	}
	for _, p := range request.Get("paths").Array() {
		s.Paths = append(s.Paths, p.Str)
	}
	s.Outside = said(request.Get("outside"))
	for _, f := range request.Get("form.fields").Array() {
		field := risk.Field{Name: f.Get("name").Str, Title: f.Get("label").Str, Description: f.Get("help").Str,
			Default: f.Get("initial").Str}
		switch f.Get("kind").Str {
		case "boolean", "choice", "choices":
			field.Closed = true
		}
		for _, c := range f.Get("choices").Array() {
			label := c.Get("title")
			if !label.Exists() {
				label = c.Get("value")
			}
			field.Choices = append(field.Choices, risk.Choice{Label: label.Str})
		}
		s.Fields = append(s.Fields, field)
	}
	return s
}

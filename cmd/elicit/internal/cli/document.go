package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// Document is one input file, with the name that messages about it use.
type Document struct {
	Name string
	Text []byte
}

// maxDocument is the most bytes that ReadDocument reads. It is far above every limit of the engine; it only prevents
// a wrong path, such as a device, from filling the memory.
const maxDocument = 1 << 30

// ReadDocument reads a file, or standard input when name is "-". A name that begins with "{" is the document itself,
// because people type short documents on the command line.
func ReadDocument(cmd *cobra.Command, name string) (Document, error) {
	return ReadOpened(cmd, name, os.Open)
}

// ReadRegular is ReadDocument for a file of a guardian. It opens nothing but a regular file: a proxy that waited for
// the writer of a pipe could never read its rules again.
func ReadRegular(cmd *cobra.Command, name string) (Document, error) {
	return ReadOpened(cmd, name, trustedfile.OpenRegular)
}

// ReadOpened is ReadDocument with another function that opens a file.
func ReadOpened(cmd *cobra.Command, name string, open func(string) (*os.File, error)) (Document, error) {
	if strings.HasPrefix(name, "{") {
		return Document{"the argument", []byte(name)}, nil
	}
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := open(name)
		if trustedfile.IsWrong(err) {
			return Document{}, err
		}
		if err != nil {
			return Document{}, CannotRead(name, err)
		}
		defer f.Close()
		in = f
	} else {
		name = "standard input"
	}
	return ReadFrom(name, in)
}

// ReadFrom reads an open file.
func ReadFrom(name string, in io.Reader) (Document, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return Document{}, CannotRead(name, err)
	}
	if len(text) > maxDocument {
		return Document{}, fmt.Errorf("%s is larger than 1 GiB, the limit for an input; check that it is the right file",
			name)
	}
	return Document{name, text}, nil
}

// CannotRead says why a file cannot be read, and what to give instead.
func CannotRead(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s; give a path, or - for standard input", name)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", name, err)
}

// PrintProblems writes one line for each problem, in the format of compilers: file:line:column: pointer: sentence.
func (d Document) PrintProblems(w io.Writer, problems []elicit.Problem) {
	for _, p := range problems {
		where := ui.Plain(d.Name)
		if at := d.Offset(p); at >= 0 {
			line, column := plain.Position(d.Text, at)
			where = fmt.Sprintf("%s:%d:%d", where, line, column)
		}
		if p.Pointer != "" {
			where += ": " + ui.Plain(p.Pointer)
		}
		fmt.Fprintf(w, "%s: %s\n", where, ui.Plain(english.Problem(p)))
	}
}

// Refuse prints the problems of a document, and returns the error that ends a command for them; nil without problems.
func (d Document) Refuse(cmd *cobra.Command, problems []elicit.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	d.PrintProblems(cmd.ErrOrStderr(), problems)
	return ErrInvalid
}

// ReadJSON is ReadDocument for JSON that every program reads alike.
func ReadJSON(cmd *cobra.Command, name string) (Document, error) {
	doc, err := ReadDocument(cmd, name)
	if err == nil {
		err = doc.Refuse(cmd, doc.Problems())
	}
	return doc, err
}

// Problems lists why the document is not JSON that every program reads alike (engine/internal/jsontext, the gate).
func (d Document) Problems() []elicit.Problem {
	return ui.NotStrict(d.Text)
}

// Offset returns the byte offset of a problem in the document, or -1 when there is none. For a problem that has only a
// pointer it looks the pointer up. When the member is missing, the offset is that of the innermost parent that exists.
func (d Document) Offset(p elicit.Problem) int {
	if p.Start > 0 || p.End > 0 {
		return min(p.Start, len(d.Text))
	}
	if p.Code == "json_truncated" {
		return len(d.Text)
	}
	if p.Pointer == "" || !gjson.ValidBytes(d.Text) {
		return -1
	}
	at := gjson.ParseBytes(d.Text)
	offset := 0
	for token := range strings.SplitSeq(p.Pointer[1:], "/") {
		next := Child(at, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		if !next.Exists() {
			break // a missing member is reported at its parent
		}
		offset += next.Index
		at = gjson.Parse(next.Raw)
	}
	return offset
}

// Child finds the member or element of parent that token names. The Index of the result is relative to the parent.
func Child(parent gjson.Result, token string) (found gjson.Result) {
	i := 0
	parent.ForEach(func(k, v gjson.Result) bool {
		if parent.IsObject() && k.String() == token || parent.IsArray() && fmt.Sprint(i) == token {
			found = v
		}
		i++
		return !found.Exists()
	})
	return found
}

// ReadScript reads a file of answers.
func ReadScript(cmd *cobra.Command, name string) (*ui.Script, error) {
	doc, err := ReadDocument(cmd, name)
	if err != nil {
		return nil, err
	}
	script, problems := ui.ReadScript(doc.Text, cmd.ErrOrStderr())
	if problems != nil {
		doc.PrintProblems(cmd.ErrOrStderr(), problems)
		return nil, Exit(Invalid, errors.New("the answers file has problems"))
	}
	script.OnUnknown(func(p elicit.Problem) { doc.PrintProblems(cmd.ErrOrStderr(), []elicit.Problem{p}) })
	return script, nil
}

// ErrInvalid ends a command that has already printed the problems of its input.
var ErrInvalid = Exit(Invalid, nil)

// WriteNew writes a new file. It never overwrites an existing one.
func WriteNew(path string, text []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if os.IsExist(err) {
		return fmt.Errorf("%s exists already; give another name, or remove it", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// Rewrite replaces a file's text and keeps its permissions. It writes a new file and renames it, so that a crash leaves
// either the old text or the new one.
func Rewrite(name string, text []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	was, err := os.Stat(name)
	if err != nil {
		return err
	}
	err = trustedfile.Replace(name, func(beside *os.File) error {
		_, err := beside.Write(text)
		return errors.Join(err, beside.Chmod(was.Mode().Perm()))
	})
	if err != nil {
		return fmt.Errorf("cannot rewrite %s: %w", name, err)
	}
	return nil
}

// QuestionOf makes a question from the values of flags: a page when url is given, else the form of the schema in
// schemaFile, else a form without fields. It refuses a schema with problems, because here it can print their lines.
func QuestionOf(cmd *cobra.Command, message, url, schemaFile string) (elicit.Request, error) {
	r := elicit.Request{Mode: elicit.Form, Message: message, Schema: []byte(`{"type":"object","properties":{}}`)}
	switch {
	case url != "":
		r.Mode, r.URL, r.Schema = elicit.URL, url, nil
	case schemaFile != "":
		doc, err := ReadDocument(cmd, schemaFile)
		if err != nil {
			return r, err
		}
		_, problems := schema.Compile(doc.Text, schema.Options{})
		if err := doc.Refuse(cmd, problems); err != nil {
			return r, err
		}
		r.Schema = doc.Text
	}
	return r, nil
}

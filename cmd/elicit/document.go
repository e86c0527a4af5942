package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// document is one input file, with the name that messages about it use.
type document struct {
	name string
	text []byte
}

// maxDocument is the most bytes that readDocument reads. It is far above every limit of the engine; it only prevents
// a wrong path, such as a device, from filling the memory.
const maxDocument = 1 << 30

// readDocument reads a file, or standard input when name is "-". A name that begins with "{" is the document itself,
// because people type short documents on the command line.
func readDocument(cmd *cobra.Command, name string) (document, error) {
	return readOpened(cmd, name, os.Open)
}

// readRegular is readDocument for a file of a guardian. It opens nothing but a regular file: a proxy that waited for
// the writer of a pipe could never read its rules again.
func readRegular(cmd *cobra.Command, name string) (document, error) {
	return readOpened(cmd, name, trustedfile.OpenRegular)
}

// readOpened is readDocument with another function that opens a file.
func readOpened(cmd *cobra.Command, name string, open func(string) (*os.File, error)) (document, error) {
	if strings.HasPrefix(name, "{") {
		return document{"the argument", []byte(name)}, nil
	}
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := open(name)
		if trustedfile.IsWrong(err) {
			return document{}, err
		}
		if err != nil {
			return document{}, cannotRead(name, err)
		}
		defer f.Close()
		in = f
	} else {
		name = "standard input"
	}
	return readFrom(name, in)
}

// readFrom reads an open file.
func readFrom(name string, in io.Reader) (document, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return document{}, cannotRead(name, err)
	}
	if len(text) > maxDocument {
		return document{}, fmt.Errorf("%s is larger than 1 GiB, the limit for an input; check that it is the right file",
			name)
	}
	return document{name, text}, nil
}

func cannotRead(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s; give a path, or - for standard input", name)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", name, err)
}

// printProblems writes one line for each problem, in the format of compilers: file:line:column: pointer: sentence.
func (d document) printProblems(w io.Writer, problems []elicit.Problem) {
	for _, p := range problems {
		where := ui.Plain(d.name)
		if at := d.offset(p); at >= 0 {
			line, column := plain.Position(d.text, at)
			where = fmt.Sprintf("%s:%d:%d", where, line, column)
		}
		if p.Pointer != "" {
			where += ": " + ui.Plain(p.Pointer)
		}
		fmt.Fprintf(w, "%s: %s\n", where, ui.Plain(english.Problem(p)))
	}
}

// problems lists why the document is not JSON that every program reads alike (engine/internal/jsontext, the gate).
func (d document) problems() []elicit.Problem {
	asked := []byte(`{"document_text":` + quoted(string(d.text)) + `}`)
	return ui.Problems(gjson.ParseBytes(abi.Eval("parse", asked, nil)).Get("problems"))
}

// offset returns the byte offset of a problem in the document, or -1 when there is none. For a problem that has only a
// pointer it looks the pointer up. When the member is missing, the offset is that of the innermost parent that exists.
func (d document) offset(p elicit.Problem) int {
	if p.Start > 0 || p.End > 0 {
		return min(p.Start, len(d.text))
	}
	if p.Code == "json_truncated" {
		return len(d.text)
	}
	if p.Pointer == "" || !gjson.ValidBytes(d.text) {
		return -1
	}
	at := gjson.ParseBytes(d.text)
	offset := 0
	for token := range strings.SplitSeq(p.Pointer[1:], "/") {
		next := child(at, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		if !next.Exists() {
			break // a missing member is reported at its parent
		}
		offset += next.Index
		at = gjson.Parse(next.Raw)
	}
	return offset
}

// child finds the member or element of parent that token names. The Index of the result is relative to the parent.
func child(parent gjson.Result, token string) (found gjson.Result) {
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

// printProblemsJSON prints {"problems":[…]}, the output of --json for an input with problems.
func printProblemsJSON(w io.Writer, problems []elicit.Problem) {
	fmt.Fprintf(w, "{\"problems\":%s}\n", elicit.AppendList(nil, problems))
}

// errInvalid ends a command that has already printed the problems of its input.
var errInvalid = exitWith(exitInvalid, nil)

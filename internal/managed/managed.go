// Package managed reads the policy that the administrator of this machine wrote. It lies in one place, which no flag,
// variable or file of a user changes:
//
//	Linux, BSD   /etc/elicit/managed.json
//	macOS        /Library/Application Support/Elicit/managed.json
//	Windows      Elicit\managed.json in the folder ProgramData
//
// Root must own the file and every directory above it, and no other user may write them. On Windows the administrators
// stand for root. A file that is there and cannot be used counts as a policy that declines every question.
//
//	p := managed.Read()
//	config := elicit.Config{Policy: elicit.Policies{Managed: p.Text, ManagedPath: p.Path}}
package managed

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// Policy is the managed layer of this machine.
type Policy struct {
	// Path is where the file is; "" if this machine has no managed policy.
	Path string
	// Text is the document. With a Fault it declines every question and names the fault.
	Text []byte
	// Fault says why the file cannot be used, and what to do; "" if it is in force.
	Fault string
}

// place is the file, for tests that a linker sets. A program that is installed has "" here.
var place string

// Path returns where the file would be on this system. An error is one of Windows.
func Path() (string, error) {
	if place != "" {
		return place, nil
	}
	return systemPath()
}

// maxSize is above every limit of the parser; it only keeps a wrong file from filling the memory.
const maxSize = 16 << 20

// Read reads the file. It never fails: see Fault.
func Read() Policy {
	path, err := Path()
	if err != nil {
		return closed(filepath.Base(path), fmt.Sprintf("the folder ProgramData cannot be found (%s)", err))
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return Policy{}
	}
	text, err := read(path)
	if err != nil {
		return closed(path, err.Error())
	}
	if _, problems := policy.Parse(policy.Managed, text); len(problems) > 0 {
		at := problems[0].Pointer
		if at != "" {
			at += ": "
		}
		return closed(path, fmt.Sprintf("%s has problems, such as %s%s; an administrator corrects it, "+
			"and `elicit policy fmt --check %[1]s` names every problem", path, at, english.Problem(problems[0])))
	}
	return Policy{Path: path, Text: text}
}

func read(path string) ([]byte, error) {
	f, err := trustedfile.Open(path, os.O_RDONLY, trustedfile.System)
	switch {
	case trustedfile.IsWrong(err):
		return nil, err
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s cannot be read by this user; an administrator runs `chmod a+rx %s` and `chmod a+r %[1]s`",
			path, filepath.Dir(path))
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read (%w); an administrator corrects that", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read (%w); an administrator corrects that", path, err)
	case len(text) > maxSize:
		return nil, fmt.Errorf("%s is larger than %d MB; an administrator makes it smaller", path, maxSize>>20)
	}
	return text, nil
}

// closed is a policy that declines every question.
func closed(path, fault string) Policy {
	why := elicit.Str("why", "the managed policy of this machine cannot be used: "+fault)
	return Policy{Path: path, Fault: fault, Text: []byte(`{"version":1,"rules":[{"name":"managed-policy-unusable",` +
		`"when":{},"then":"decline","why":` + why.Raw + `}]}`)}
}

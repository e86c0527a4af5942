package main

import (
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// questionOf makes a question from the values of flags: a page when url is given, else the form of the schema in
// schemaFile, else a form without fields. It refuses a schema with problems, because here it can print their lines.
func questionOf(cmd *cobra.Command, message, url, schemaFile string) (elicit.Request, error) {
	r := elicit.Request{Mode: elicit.Form, Message: message, Schema: []byte(`{"type":"object","properties":{}}`)}
	switch {
	case url != "":
		r.Mode, r.URL, r.Schema = elicit.URL, url, nil
	case schemaFile != "":
		doc, err := readDocument(cmd, schemaFile)
		if err != nil {
			return r, err
		}
		if _, problems := schema.Compile(doc.text, schema.Options{}); problems != nil {
			doc.printProblems(cmd.ErrOrStderr(), problems)
			return r, errInvalid
		}
		r.Schema = doc.text
	}
	return r, nil
}

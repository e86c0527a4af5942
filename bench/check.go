package main

import (
	"bytes"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	santhosh "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"
	"github.com/xeipuuv/gojsonschema"

	"github.com/elicit-engine/elicit/engine/schema"
)

// validator is one way to check an answer. compile reads the schema and returns a function that checks raw bytes.
type validator struct {
	name    string
	compile func(doc []byte) func(answer []byte) bool
}

func validators() []validator {
	return []validator{{"elicit", elicitForm}, {"santhosh-tekuri/jsonschema v6", santhoshSchema},
		{"google/jsonschema-go", googleSchema}, {"xeipuuv/gojsonschema", xeipuuvSchema}}
}

func elicitForm(doc []byte) func([]byte) bool {
	form, problems := schema.Compile(doc, schema.Options{})
	mustHold(problems == nil, "the form is refused")
	return func(answer []byte) bool { return form.Check(answer) == nil }
}

func santhoshSchema(doc []byte) func([]byte) bool {
	v, err := santhosh.UnmarshalJSON(bytes.NewReader(doc))
	must(err)
	c := santhosh.NewCompiler()
	c.AssertFormat()
	must(c.AddResource("form.json", v))
	s, err := c.Compile("form.json")
	must(err)
	return func(answer []byte) bool {
		v, err := santhosh.UnmarshalJSON(bytes.NewReader(answer))
		return err == nil && s.Validate(v) == nil
	}
}

// googleSchema is the validator of the official Go SDK. It does not check formats.
func googleSchema(doc []byte) func([]byte) bool {
	var s jsonschema.Schema
	must(json.Unmarshal(doc, &s))
	r, err := s.Resolve(nil)
	must(err)
	return func(answer []byte) bool {
		var v any
		return json.Unmarshal(answer, &v) == nil && r.Validate(v) == nil
	}
}

func xeipuuvSchema(doc []byte) func([]byte) bool {
	s, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(doc))
	must(err)
	return func(answer []byte) bool {
		result, err := s.Validate(gojsonschema.NewBytesLoader(answer))
		return err == nil && result.Valid()
	}
}

// answers measures checking an answer, with a schema compiled earlier and including its compilation.
func answers() (contests []*contest, rows []row) {
	check := &contest{procs: 1, batch: batch, batches: batches}
	unseen := &contest{procs: 1, batch: batch, batches: batches}
	for _, v := range validators() {
		judge := v.compile(formText)
		mustHold(judge(rightAnswer) && !judge(wrongAnswer), v.name)
		check.lines = append(check.lines, &line{name: v.name, unit: "ns", run: func(n int) {
			for range n {
				judge(rightAnswer)
			}
		}})
		unseen.lines = append(unseen.lines, &line{name: v.name, unit: "ns", run: func(n int) {
			for range n {
				v.compile(formText)(rightAnswer)
			}
		}})
	}
	read := &line{name: "gjson.ValidBytes of the same bytes", unit: "ns", run: func(n int) {
		for range n {
			gjson.ValidBytes(rightAnswer)
		}
	}}
	check.lines = append(check.lines, read)
	alone := &line{name: "a check alone", unit: "ns", run: check.lines[0].run}
	var forms schema.Cache
	seen := &line{name: "elicit, schema.Cache", unit: "ns", run: func(n int) {
		for range n {
			form, _ := forms.Compile(formText, schema.Options{})
			mustHold(form.Check(rightAnswer) == nil, "elicit, with a form seen before")
		}
	}}
	again := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{alone, seen}}

	own, both := check.lines[0], unseen.lines[0]
	return []*contest{check, unseen, again}, []row{
		{path: "check an answer", ours: own, kind: allocs, most: 0, what: "a right answer"},
		{path: "check an answer", ours: own, against: check.lines[1], most: 0.06},
		{path: "check an answer", ours: own, against: check.lines[2], most: 0.06},
		{path: "check an answer", ours: own, against: check.lines[3], most: 0.06},
		{path: "check an answer", ours: own, against: read, most: 2},
		{path: "compile + check, schema not seen before", ours: both, against: unseen.lines[3], most: 0.12},
		{path: "compile + check, schema not seen before", ours: both, against: unseen.lines[2], most: 0.04},
		{path: "compile + check, schema not seen before", ours: both, against: unseen.lines[1], most: 0.04},
		{path: "compile + check, schema seen before", ours: seen, against: alone, most: 1.5},
	}
}

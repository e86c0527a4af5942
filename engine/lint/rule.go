package lint

// Doc is the documentation of one rule. Code is part of the contract; the other texts may change.
type Doc struct {
	Code     string
	Severity Severity
	Title    string
	About    string
	Mends    bool // findings have edits, at least where the place allows it
}

// rule is a Doc with the function that makes the findings: over all fields, over each field, over each text that people
// read, or over a request. A rule without a function is found while the schema itself is read. All functions that are
// set run. They report through l.say, and keep no state between calls.
type rule struct {
	Doc
	form    func(*linter, []field)
	field   func(*linter, *field)
	text    func(*linter, prose)
	request func(*linter, *node)
}

// rules lists every rule in the order of the documentation. The order is part of the result: findings at one place keep
// it.
func rules() []*rule {
	return []*rule{
		&defaultUnfit, &notInProtocol, &extraKeyword,
		&manyFields, &crowdedForm, &sameTitle, &requiredNullable,
		&missingTitle, &missingDescription, &secretField, &misspelledFormat, &unknownFormat, &requiredWithDefault,
		&requiredMayBeEmpty, &booleanWithoutDefault, &minLengthZero,
		&untitledChoices, &legacyNames, &singleChoice, &manyChoices, &sameChoiceTitle,
		&longText, &textLink, &textMarkup,
		&messageMissing, &modeUnknown, &modeNotInProtocol, &schemaMissing, &urlMissing, &urlInsecure, &otherModesMember,
	}
}

// Docs returns the documentation of every rule. In addition, every problem of package schema is an error under its own
// code, and every note of a form is a warning.
func Docs() []Doc {
	var docs []Doc
	for _, r := range rules() {
		docs = append(docs, r.Doc)
	}
	return docs
}

// Package schema compiles the restricted JSON Schema of a request into a Form. A Form checks, fills and coerces
// answers.
//
// # Reading a schema
//
// Compile collects every problem of a document, at most 64, each with the pointer of the offending value. Problems of
// the root come first, then those of each field in the order of the document, then those of "required". A document that
// is not JSON has one problem. The grammar is the protocol's (MCP client/elicitation, "Requested Schema"). The tolerant
// profile also accepts the following, because no meaning is lost:
//
// - annotations that it does not know, title and description at the root, and additionalProperties anywhere;
// - $ref to #/$defs/… or #/definitions/…, never any other, and never fetched;
// - a union of one type with null, which is read as that type. A null is never sent, so a person must still fill in a
// required field;
// - allOf, if its schemas constrain different things: several patterns must all match, and any other keyword that
// occurs
// twice is refused;
// - choices of numbers, by enum or const, whose answer is a number. They may not be in a list or mixed with strings;
// - oneOf or anyOf in either place, options without a title, const as a single choice, and uniqueItems;
// - exclusiveMinimum, exclusiveMaximum and multipleOf, enforced on exact decimals;
// - pattern, in linear time, by the ECMA-262 grammar. A pattern that cannot be matched in linear time is refused, and
// the problem names the construct;
// - the dialects 2019-09 and draft-07, where the schema has the same meaning in 2020-12;
// - formats that it does not know, as a note to the person.
//
// Compile refuses a keyword that would constrain an answer and that it does not understand. It never ignores one. The
// notes of the form list everything that was left out without a loss to the answer: see Note.
//
// # Answers
//
// Fill writes the canonical answer: known fields in form order, and the default of each absent field. Check makes one
// pass over the bytes, and a second one if the first saw anything unusual. It does not allocate when the answer is
// valid. Coerce reads what a person typed. Lengths are code points. Numbers are compared as decimals, so 3.0 is an
// integer and 2^53+1 is not 2^53.
//
// A repeated choice counts once everywhere: minItems and maxItems are compared with the distinct choices. Fill drops
// the repetition from an answer, Coerce from typed input, and Compile from a default.
//
// # A tour
//
// This schema is one of the simplest that a request can have:
//
//	{"type":"object","properties":{"age":{"type":"integer","minimum":0}},"required":["age"]}
//
// Compile makes a Form with one Field of it: name "age", label "Age", kind Integer, widget number. For that
// form:
//
//	Fill   of {"x":1,"age":5.0}  appends {"age":5}
//	Check  of {"age":-1}         returns the problem too_low at /age, with the limit 0
//	Coerce of the text " 5 "     appends {"age":5}
//	Coerce of the text "1,5"     returns the problem digit_separator
//
// A host sends what Fill wrote only if Check then finds nothing in it. Coerce does both itself.
//
// # Who owns what
//
// Compile copies the document once. Raw values, names, titles and bounds of the Form share the memory of that
// copy, which nothing writes to. The caller may reuse the bytes that it gave to Compile, Check, Fill or Coerce.
// A compiler lives for one call of Compile, a checker for one call of Check. A Form lives as long as somebody
// holds it.
//
// # Reading order
//
// - form.go, field.go: what comes out. Options, limits and the data of a form.
// - compile.go, note.go, keyword.go: the pass over the document, and the keywords of one property, a node.
// - ref.go: $ref, allOf and unions with null are folded into the node.
// - shape.go, choice.go, number_choice.go: the kind of the field, then its choices.
// - bounds.go, pattern.go, multiple.go, whole.go: the constraints. default.go: the initial value.
// - check.go walks over any answer. run.go is the faster form of it for the usual answer.
// - fill.go and coerce.go write answers. json.go and schema_write.go write forms.
//
// # What holds between the steps
//
// 1. The method root reads the whole document with a strict scanner. Later steps therefore slice raw values and
// never test the JSON grammar again.
//
// 2. The method resolve leaves a node without $ref and allOf, and without a union of null and one schema. Strict
// profiles refuse them instead. The method shape decides the kind after that.
//
// 3. The method shape sets the kind before bounds reads constraints, because the kind says which ones have a
// meaning.
//
// 4. The initial value comes last. It is checked by the same code as an answer, against the finished
// constraints.
//
// 5. Each step adds its problems to the compiler. It returns false only if the next step would have nothing to
// read, so that an author sees as many problems at once as possible.
package schema

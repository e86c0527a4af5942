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
package schema

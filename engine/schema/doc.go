// Package schema turns the restricted JSON Schema of a request into a Form, and checks, fills and coerces answers by
// it.
//
// # Reading a schema
//
// Compile collects every problem of a document (at most 64), each with the pointer of the offending value: first those
// of the root, then those of each field in the order of the document, then those of "required". A document that is not
// JSON is one problem. The grammar is the protocol's (MCP client/elicitation, "Requested Schema"); the tolerant profile
// adds what loses nothing:
//
//   - annotations it does not know, title and description at the root, additionalProperties anywhere;
//   - $ref to #/$defs/… or #/definitions/…, never any other, and never fetched;
//   - a union of one type with null, which is read as that type: null itself is never sent, so a required field still has
//     to be filled in;
//   - allOf, where its schemas say different things: several patterns all have to match, another keyword twice is refused;
//   - choices of numbers, by enum or const, whose answer is a number; not in a list, and not mixed with strings;
//   - oneOf or anyOf in either place, options without a title, const as a single choice, uniqueItems;
//   - exclusiveMinimum, exclusiveMaximum and multipleOf, enforced on exact decimals;
//   - pattern, in linear time, by the ECMA-262 grammar; what cannot be matched so is refused by name;
//   - the dialects 2019-09 and draft-07, where what stands there means the same in 2020-12;
//   - formats it does not know, as a note to the person.
//
// A keyword that would constrain an answer and is not understood is refused, never ignored. What is left out without a
// loss to the answer is said in the notes of the form: see Note.
//
// # Answers
//
// Fill writes the canonical answer: known fields in form order, defaults where a field is absent. Check is one pass over
// the bytes, a second one when something in the first was out of the ordinary, and does not allocate when the answer is
// valid. Coerce reads what a person typed. Lengths are code points; numbers are compared as decimals, so 3.0 is an integer
// and 2^53+1 is not 2^53.
//
// A repeated choice is treated in one way everywhere. It counts once: minItems and maxItems are compared with the distinct
// choices. Fill drops it from an answer, Coerce from what was typed, and Compile from a default.
package schema

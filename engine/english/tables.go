package english

import "github.com/elicit-engine/elicit/engine/elicit"

var problems = map[string]string{
	// engine/internal/jsontext
	"json_empty":         "the document is empty",
	"json_syntax":        "this is not JSON",
	"json_truncated":     "the document ends too early",
	"json_trailing":      "something follows the end of the document",
	"json_duplicate_key": "this key occurs twice in one object",
	"json_depth":         "objects and arrays are nested deeper than {limit} levels",
	"json_size":          "the document is longer than {limit} bytes",
	"json_members":       "more than {limit} members in one object or array",
	"json_utf8":          "these bytes are not UTF-8",
	"json_surrogate":     "half of a surrogate pair is not a character",
	"json_number":        "this is not a JSON number",
	"json_control":       "a control character in a string must be escaped",
	"json_bom":           "the document begins with a byte order mark",

	// engine/schema: requested schemas

	// engine/schema: answers and typed text

	// engine/policy: policy files

	// engine/wire

	// engine, engine/pending, engine/journal

	// cmd/elicit: answers files
	"not_json":               "this is not JSON: {detail}",
	"wrong_json_type":        "this must be {want}",
	"unknown_answer_key":     "there is no key {key} here; known are {known}",
	"repeated_key":           "the key {key} stands here twice",
	"missing_key":            "the key {key} is missing",
	"unknown_action":         "the action is {action}; it must be accept, decline or cancel",
	"content_without_accept": "only accept carries content, not {action}",

}

var reasons = map[string]string{
	// engine/policy

	// engine

}

var findings = map[string]string{
	// engine/risk

}

var causes = map[elicit.Cause]string{
	elicit.ByUser:           "the person decided",
	elicit.ByPolicy:         "policy decided; nobody was asked",
	elicit.ByGuardian:       "a guardian decided",
	elicit.ByRateLimit:      "too many requests from this server; nobody was asked",
	elicit.ByInvalidRequest: "the request was not valid; nobody was asked",
	elicit.ByUnsupported:    "this mode was not declared; nobody was asked",
	elicit.ByTimeout:        "nobody answered in time",
	elicit.BySuperseded:     "a newer request took its place",
	elicit.ByPeerCancelled:  "the server withdrew the request",
	elicit.BySessionClosed:  "the session closed while it was open",
	elicit.ByNoUI:           "there was nobody to show it to",
	elicit.ByDuplicate:      "the same request was already open",
	elicit.ByShutdown:       "the host shut down while it was open",
}

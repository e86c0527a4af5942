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
	"policy_wrong_type":      "this must be of type {want}",
	"policy_unknown_key":     "unknown key {key}; nothing is done with it",
	"policy_missing_key":     "the required key {key} is missing",
	"policy_unknown_value":   "unknown value {value}; allowed are {allowed}",
	"policy_unknown_version": "version {version} is not known here, so this policy declines everything; known is 1",
	"policy_duplicate_name":  "another rule is already named {name}",
	"policy_bad_glob":        "the pattern {glob} cannot be read: {fault}",
	"policy_empty_list":      "an empty list would never match",
	"policy_too_many_rules":  "more than {limit} rules; those after are not read, and every request is asked at least",
	"policy_too_many_globs":  "more than {limit} patterns in one policy; criteria after are not read",

	// engine/wire
	"envelope_batch":          "batches are not part of the protocol; send one message at a time",
	"envelope_not_object":     "a message must be a JSON object",
	"envelope_version":        "the jsonrpc member must be \"2.0\"",
	"envelope_id":             "an id must be a string or an integer",
	"envelope_method":         "the method must be a non-empty string",
	"envelope_params":         "params must be an object",
	"envelope_ambiguous":      "a message has one of method, result and error, not several",
	"envelope_error":          "the error must be an object",
	"envelope_empty":          "a message has a method, a result or an error; this has none",
	"version_unknown":         "protocol version {version} is not known here",
	"not_in_version":          "{name} is not part of protocol version {version}",
	"elicitation_unsupported": "elicitation was not declared by this client",
	"mode_unknown":            "there is no mode called {mode}",
	"mode_undeclared":         "mode {mode} was not declared by this client",
	"action_unknown":          "the action is {action}; it must be accept, decline or cancel",
	"wire_missing":            "this member is required and missing",
	"wire_type":               "this must be of type {want}",
	"wire_empty":              "this must not be empty",
	"wire_too_long":           "at most {limit} bytes; this has {length}",
	"wire_too_many":           "at most {limit} entries; this has {count}",
	"url_required_code":       "only error -32042 of protocol version 2025-11-25 lists URLs to visit",
	"url_required_form":       "this error may list URLs only; this entry asks for a form",
	"link_conflict":           "elicitationId {link} stands for two different URLs",
	"result_type_unknown":     "there is no resultType called {type}",
	"input_required_empty":    "the result asks for input, but has neither inputRequests nor requestState",
	"input_not_allowed":       "a result of {method} may not ask for input",
	"input_key_empty":         "a key of inputRequests must not be empty",
	"input_key_unknown":       "this round has no entry called {key}",
	"input_method_unknown":    "an input request cannot be {method}",
	"draft_type_unknown":      "there is no input request of type {type}",
	"draft_option":            "an option is a string, or an object with a label and a value that are strings",
	"draft_option_again":      "option {value} is listed twice",
	"answer_missing":          "{key} has no answer yet",
	"answer_again":            "{key} has been answered",
	"answer_unfit":            "this answer does not fit {key}",
	"retry_not_a_call":        "only a request can be made again",
	"retry_id":                "a call made again needs an id of its own",
	"retry_state":             "requestState must be the string the server sent",
	"retry_response":          "the answer to {key} must be an object",
	"round_limit":             "the server asked again after {limit} rounds; the call is given up",

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
	"rule_matched":        "it matches and says {then}",
	"rule_shadowed":       "it matches and says {then}, but an earlier rule of this layer decides",
	"rule_broken":         "it could not be read whole, so it may match too much; it can only tighten, and says {then}",
	"accept_needs_data":   "accepting would need data from a person, so it asks",
	"layer_cannot_accept": "only managed and user policies may accept, so it asks",
	"cannot_loosen":       "it wants {wanted}, but a layer above it stands at {stands}",
	"policy_unreadable":   "this policy cannot be read, so everything is declined",
	"finding_declined":    "finding {finding} is {severity}, which this policy declines",
	"mode_asks":           "mode {mode} asks the person",
	"mode_reviews":        "mode {mode} sends tool approvals to the reviewer",
	"strict_review":       "the server asked for a strict review, so a reviewer decides",
	"mode_never":          "mode {mode} lets nobody be asked",
	"granular_off":        "mcp_elicitations is false, so nobody may be asked",
	"mode_unreadable":     "the mode {mode} is not known, so everything is declined",
	"full_access_accepts": "mode {mode} with full access accepts what needs no data",
	"host_shows_forms":    "the host shows forms to the person even in mode {mode}",
	"claim_malformed":     "it claims to be a tool approval but is not one, so it is declined without review",
	"suggestion_refused":  "a server may not suggest tools to install",
	"request_unknown":     "this kind of request is not known here",

	// engine

}

var findings = map[string]string{
	// engine/risk
	"secret_in_form":        "this form asks for a secret ({word}); what is typed here reaches the server and possibly the model, so do not type one",
	"url_scheme":            "this is not a web page: a {scheme} address can run code, read files or start a program",
	"url_insecure":          "the connection is not encrypted; anybody on the way can read and change the page",
	"url_userinfo":          "what stands before the @ is decoration; the page that opens is {host}",
	"url_control":           "the address hides {count} invisible characters; what you read is not what opens",
	"url_bidi":              "the address contains marks that turn the direction of text; what you read is not what opens",
	"url_backslash":         "the address contains a backslash, which programs read in different ways to reach different hosts",
	"url_encoded_host":      "the host is hidden behind percent escapes; it means {decoded}",
	"url_ip_literal":        "the host is a bare number, {address} ({reach} network), and says nothing about who runs it",
	"url_punycode":          "the host is an international name that may be shown as {unicode}; compare both forms letter by letter",
	"url_mixed_script":      "the host mixes {scripts} letters in one name ({label}), as imitations do",
	"url_lookalike":         "the host is written in foreign letters that only look Latin ({label}); it is not the name it seems",
	"url_non_ascii_host":    "the host is written in letters outside plain ASCII; it is looked up as {ascii}",
	"url_host_in_subdomain": "the address begins like somebody else's, but its owner is {owner}",
	"url_many_subdomains":   "the host has {parts} parts; look at the end of it to see who owns it",
	"url_host_in_path":      "the path contains another address; only the host at the front is visited",
	"url_port":              "the address names the unusual port {port}",
	"url_long":              "the address is {bytes} bytes long; its end may hide something",
	"url_secret_in_query":   "the address carries what looks like a secret; it may be open to others, or open somebody else's session",
	"url_unparsable":        "this is not an address that every program reads in the same way, so nobody can say what would open",
	"text_link":             "the text contains a link ({count} in all); open nothing but the address you are asked to agree to",
	"text_link_mismatch":    "a link shows {shown} but leads to {target}",
	"text_markup":           "the text contains HTML ({count} tags); it is shown as plain text",
	"text_bidi":             "the text contains {count} marks that turn its direction; it may say something else than it shows",
	"text_control":          "the text contains {count} invisible characters, which can hide words or repaint a terminal",
	"text_long":             "the text is {bytes} bytes long; what matters may stand where nobody reads",
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

package english

// relayProblems are the sentences for what a connection refuses, removes or reports.
var relayProblems = map[string]string{
	"message_line_break": "a message must stand on one line; this one has a line break in it",
	"key_lookalike":      "the key {key} could be read as {means}, and is not spelled like it",
	"key_prototype": "the key __proto__ may not stand here: some readers take its members for those of the " +
		"object around it",
	"envelope_batch_size": "a batch must hold from 1 to {limit} messages",
	"answer_unasked":      "no open request has the id {id}, so this answer is for nobody",
	"question_without_id": "an elicitation without an id could never be answered",
	"responses_removed": "inputResponses and requestState were taken out of a message: they continue no round that " +
		"was asked here",
	"unknown_request_state": "this requestState continues no round that was asked here",
	"bom_removed":           "a byte order mark was removed from the beginning of the stream",
	"client_no_answer":      "the client did not answer a question: {why}",
	"input_not_in_result":   "only the result of a call may ask for input",
	"input_not_named":       "a result that holds inputRequests must say resultType input_required",
	"page_again":            "the call asks for a page again, or for pages too often",
	"page_refused":          "a page that the call needs was not visited: {outcome}",
	"pages_not_allowed":     "a call of {method} may not ask for pages",
	"too_many_calls":        "more than {limit} requests are open, or they are too large",
	"engine_replaced":       "the engine broke and was replaced; open questions went on with the new one",
	"unknown_end":           "the end must be client, server or host",
	"unknown_role":          "there is no role called {role}",
	"unknown_asker":         "{ask} is none of host, client, policy and nobody",
	"message_too_long":      "the message is longer than {limit} bytes",
	"server_ended":          "the server ended before it answered",
	"client_refused":        "the client did not answer {method}, which the server needs to go on",
	"event_unfit":           "a connection gives this event to its engine itself",
}

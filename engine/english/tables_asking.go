//go:build !browser

package english

// askingProblems are the sentences for what a machine of the asking side cannot use, and for questions that reach
// nobody.
var askingProblems = map[string]string{
	"call_unnamed":       "a call needs a name of 1 to 512 bytes, and a target and method of at most 1,024",
	"call_running":       "this call runs already",
	"unknown_call":       "no call of that name runs here, or its run was ended",
	"too_many_questions": "one call may ask at most {limit} questions",
	"values_too_large":   "the values that one call keeps have more than {limit} bytes",
	"question_open":      "another question is open, and the server asks one at a time",
	"page_needed":        "only a page of the server may take the answer, and there is none that the client can open",
	"another_needs_form": "a question for another principal must be a form, because nobody could tell who visits a URL",
	"nobody_reachable":   "the client can show no question of this kind, and no tool passes on answers",
	"client_error":       "the client answered with the error {code}[: {message}]",
	"not_offered":        "this question was not offered in that way",
	"link_used":          "another browser has this link",
	"page_open":          "the person must finish the page; nobody can accept in their place",
	"unknown_order":      "there is no order called {order}",
	"session_closed":     "the session is over",
	"bad_address":        "a browser cannot use this address",
	"page_not_https":     "others could read the answers on this page",
}

// askingRemedies tell what to do about them.
var askingRemedies = map[string]string{
	"call_unnamed":       "name each call, shortly",
	"call_running":       "use a name that no running call has",
	"unknown_call":       "say that the call begins before its handler asks",
	"too_many_questions": "ask fewer questions, or put several fields into one form",
	"values_too_large":   "keep less: a name, a digest, or where the rest is",
	"question_open":      "wait until the other question is answered, or choose the order queue",
	"page_needed":        "host a page for answers, and use a client that opens URLs or tools",
	"another_needs_form": "ask with a form, or ask the caller",
	"nobody_reachable":   "use a client that declares elicitation, or name a fallback tool",
	"client_error":       "look at the client's log",
	"not_offered":        "answer in the way that the question was put",
	"link_used":          "use the browser that opened it first",
	"page_open":          "open the page and finish it",
	"unknown_order":      "use queue, supersede or reject",
	"bad_address":        "give a whole address, such as https://bot.example/ask/#/; sign_in may be a path",
	"page_not_https":     "use https, except on loopback",
}

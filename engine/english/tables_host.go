package english

// faults are why a guardian gave no verdict. The last three are found by the engine; a host reports the others.
var faults = map[string]string{
	"fuel":               "the guardian used all the fuel it was permitted",
	"depth":              "the guardian's calls nested too deep",
	"trap":               "the guardian crashed",
	"start":              "the guardian crashed before it could be asked",
	"no_memory":          "there was no memory for the guardian to begin with",
	"bad_alloc":          "the guardian gave no room for the question",
	"bad_output":         "the guardian pointed to an answer that is not there, or is not text",
	"output_too_large":   "the guardian answered with more than 16 KiB",
	"question_too_large": "the question is larger than 128 KiB, so the guardian was not asked",
	"exit":               "the guardian ended itself instead of answering",
	"refused":            "the guardian gave no answer",
	"not_loaded":         "nobody loaded the guardian's module, or it wants WASI, which is not permitted",
	"unavailable":        "the host could not ask the guardian",
	"internal":           "the host that runs the guardian has a bug",
	"timeout":            "the guardian did not answer by its deadline",
	"bad_verdict":        "the guardian answered, but not with a verdict",
	"unknown":            "the host reported a fault that is not known here",
}

// statuses are how a call of an interface went. The last two are of the C library alone.
var statuses = map[string]string{
	"ok":             "the call was carried out",
	"invalid":        "the input has the problems that are listed, and nothing was changed",
	"unknown_handle": "the handle is not open",
	"too_large":      "the input is longer than the interface takes",
	"conflict":       "another caller is using this engine now",
	"internal":       "a bug of this program; this engine can only be saved and closed",
	"forked":         "a forked child cannot use the engine of its parent",
	"no_memory":      "the output could not be allocated; the call was carried out",
}

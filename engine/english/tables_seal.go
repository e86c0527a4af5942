//go:build !browser

package english

// sealProblems are the problems of tokens. The module for pages makes and opens none, and does not have them.
var sealProblems = map[string]string{
	// engine/seal
	"seal_malformed":       "this is not a token of Elicit",
	"seal_unknown_key":     "the token was sealed with the key {key}, which this server does not have",
	"seal_broken":          "the token was changed, cut, or not sealed by this server",
	"seal_expired":         "the token has expired",
	"seal_not_yet":         "the token was issued in the future",
	"seal_wrong_principal": "the token belongs to somebody else",
	"seal_wrong_method":    "the token belongs to a request of another method",
	"seal_wrong_target":    "the token belongs to another tool, prompt or resource",
	"seal_wrong_audience":  "the token was sealed by another server with the same key",
	"seal_other_arguments": "the token belongs to a request with other arguments",
	"seal_wrong_purpose":   "the token is for another purpose",
	"seal_too_long":        "the token has more than {limit} characters",
	"seal_forbidden":       "this process allows the algorithms of FIPS 140 alone, and seals need others",

	"stored_plain":       "the store holds something that is not encrypted",
	"stored_tampered":    "the store holds something that was changed or moved",
	"stored_unknown_key": "the store holds something sealed with the key {key}, which is not in the ring",
}

// sealRemedies say what to do about them.
var sealRemedies = map[string]string{
	"seal_malformed":       "give back the token exactly as the server sent it",
	"seal_unknown_key":     "give every replica the same keys; keep an old key until its tokens have expired",
	"seal_broken":          "give back the token as the server sent it; if many fail, compare the replicas' keys",
	"seal_expired":         "begin again without the token, or seal for a longer time",
	"seal_not_yet":         "set the clocks of the replicas, or allow a larger skew",
	"seal_wrong_principal": "sign in as the person for whom the token was made",
	"seal_wrong_method":    "give the token back with the request that got it",
	"seal_wrong_target":    "give the token back with the request that got it",
	"seal_wrong_audience":  "use one audience for all replicas of a server, and different keys for different servers",
	"seal_other_arguments": "repeat the request with the same arguments, or begin again without the token",
	"seal_wrong_purpose":   "use the token only in the place for which it was made",
	"seal_too_long":        "keep large values in a store, and seal only their id",
	"seal_forbidden":       "run without GODEBUG=fips140=only, or without seals",

	"stored_plain":       "open that store without encryption, or begin a new one",
	"stored_tampered":    "restore the store from a copy, and find out who wrote to it",
	"stored_unknown_key": "keep old keys in the ring as long as something sealed with them is at rest",
}

package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// Doc is the row of one check in the documentation. Code is contract; the words are not.
type Doc struct {
	Code     string
	Title    string
	Severity elicit.Severity // About says when a finding is graver or milder than this
	About    string
	Spec     string // where the rule comes from
}

// check is one row of Doc with the function that finds it: over the request, over each text, or over the URL. Two
// rows have none: secrets are looked for by findSecrets and InspectAnswer.
type check struct {
	Doc
	request func(*hits, *Subject)
	text    func(*hits, string)
	needs   classes // of which a text must have one for text to find anything; 0 for any text
	url     func(*hits, *address)
}

// checkList holds every check in the order of the documentation. urlUnparsable is last of the URL checks because it only
// speaks when no other has explained what is wrong.
var checkList = []*check{
	&secretInForm, &secretValue, &secretInAnswer, &serverLookalike,
	&urlScheme, &urlInsecure, &urlUserinfo, &urlControl, &urlBidi, &urlBackslash, &urlEncodedHost,
	&urlIPLiteral, &urlPunycode, &urlMixedScript, &urlLookalike, &urlKnownLookalike, &urlNonASCIIHost,
	&urlHostInSubdomain, &urlManySubdomains, &urlHostInPath, &urlPort, &urlLong, &urlSecretInQuery, &urlUnparsable,
	&textLink, &textLinkMismatch, &textMarkup, &textBidi, &textControl, &textLong,
	&textPressure, &textDestructive, &textImpersonation,
}

// The checks by what they look at.
var (
	requestChecks = checksThat(func(c *check) bool { return c.request != nil })
	textChecks    = checksThat(func(c *check) bool { return c.text != nil })
	urlChecks     = checksThat(func(c *check) bool { return c.url != nil })
)

func checksThat(look func(*check) bool) (list []*check) {
	for _, c := range checkList {
		if look(c) {
			list = append(list, c)
		}
	}
	return list
}

// Docs returns the row of every check.
func Docs() []Doc {
	var docs []Doc
	for _, c := range checkList {
		docs = append(docs, c.Doc)
	}
	return docs
}

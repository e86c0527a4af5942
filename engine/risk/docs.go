package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// Doc is the documentation of one check. Code is part of the contract; the other texts may change.
type Doc struct {
	Code     string
	Title    string
	Severity elicit.Severity // the usual severity; About says when a finding has another one
	About    string
	Spec     string // the source of the rule: a specification and its section
}

// check is a Doc with the function that makes the findings. It tells [hits] of each: h.add has the text, where the
// finding is in its bytes, and the arguments of its sentence. Two checks have no function here, because findSecrets and
// InspectAnswer look for secrets. A new check needs an entry in checkList, a row on the page, English for its code, and
// vectors in a file of its name. Tests compare these.
type check struct {
	Doc
	request func(*hits, *Subject)   // once, over everything
	command func(*hits, *shellLine) // the command of an approval
	text    func(*hits, string)     // the message, and each text of a form; also with a link inside
	needs   classes                 // text can find something only if the text has one of these; 0 means any text
	url     func(*hits, *address)   // only the page that a request in URL mode wants to open
}

// checkList holds every check in the order of the documentation. urlUnparsable is the last of the URL checks, because
// it reports only what no other check has explained. Findings are sorted by severity, so the order matters for two
// checks alone. urlUnparsable asks whether another one has found something critical (hits.fatal), and commandSensitive
// asks what the checks of commands before it have found.
var checkList = []*check{
	&commandDestructive, &commandExfiltrates, &commandObfuscated, &commandPipeToShell, &commandSensitive,
	&commandPackage, &commandControl, &commandIntruder, &patchSensitive, &patchOutside,
	&secretInForm, &secretValue, &secretInAnswer, &serverLookalike,
	&urlScheme, &urlInsecure, &urlUserinfo, &urlControl, &urlBidi, &urlBackslash, &urlEncodedHost,
	&urlIPLiteral, &urlPunycode, &urlMixedScript, &urlLookalike, &urlKnownLookalike, &urlNonASCIIHost,
	&urlHostInSubdomain, &urlManySubdomains, &urlHostInPath, &urlPort, &urlLong, &urlSecretInQuery, &urlUnparsable,
	&textLink, &textLinkMismatch, &textMarkup, &textBidi, &textControl, &textLong,
	&textPressure, &textDestructive, &textImpersonation,
}

// These are the checks by what they look at.
var (
	requestChecks = checksThat(func(c *check) bool { return c.request != nil })
	commandChecks = checksThat(func(c *check) bool { return c.command != nil })
	textChecks    = checksThat(func(c *check) bool { return c.text != nil })
	urlChecks     = checksThat(func(c *check) bool { return c.url != nil })
)

// checksThat lists the checks with a property, in the order of checkList.
func checksThat(look func(*check) bool) (list []*check) {
	for _, c := range checkList {
		if look(c) {
			list = append(list, c)
		}
	}
	return list
}

// Docs returns the documentation of every check, in the order of docs/reference/flagged.md.
func Docs() []Doc {
	var docs []Doc
	for _, c := range checkList {
		docs = append(docs, c.Doc)
	}
	return docs
}

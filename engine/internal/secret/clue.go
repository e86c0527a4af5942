package secret

// Clue is a hint in a text at a secret that is described and not named: "the six figures your bank just sent". Only a
// set of clues in one text decides; a single clue never does. A set has room for 32 clues. clueList maps the names of
// the tables to them, and an entry of an index holds the place in that list.
type Clue uint32

// These are the clues. The tables have the words of each language for each of them.
const (
	clueAsk       Clue = 1 << iota // enter, give, what is
	clueCode                       // code, digits, characters: things that a person types
	clueThing                      // number, word, phrase, string, line: things that a person may type
	clueWords                      // words, in the plural
	clueCount                      // three to nine, sixteen, in figures or words
	clueDozen                      // twelve, twenty-four
	clueSent                       // sent, received, arrived
	clueText                       // SMS, text message
	clueSender                     // bank, phone, app, "we"
	clueApp                        // authenticator, code generator
	clueCard                       // card, plastic
	clueSide                       // back, front, strip, embossed
	clueUnlock                     // unlock, log in, lock screen
	clueWhat                       // what you, the one you
	clueKnow                       // only you know, nobody else
	clueWallet                     // wallet, recovery, coins
	clueOrder                      // in order, on paper
	clueCash                       // cash machine, withdraw
	clueKey                        // token, key, login, cookie
	clueOrigin                     // freshly made, from the console, begins with
	clueFile                       // .env, id_rsa, kubeconfig
	clueBegin                      // sk-, ghp_, BEGIN
	clueHarmless                   // voucher, parcel, library: the text asks for something else
	clueNever                      // never, do not share
	clueUser                       // e-mail, user name: things typed beside a password
	clueContents                   // contents, paste, copy
	clueBack                       // back, behind: where a card has its short number
	clueGeneric                    // value, answer
	clueOther                      // board, crossword: gives a word with two meanings the harmless one
	clueAttribute                  // name of, limit of: at the start of a label, about what follows
)

// clueList has the clues of each name in the tables.
var clueList = [...]struct {
	name string
	clue Clue
}{
	{"ask", clueAsk}, {"code", clueCode}, {"thing", clueThing}, {"words", clueWords | clueThing},
	{"count", clueCount}, {"dozen", clueDozen | clueCount}, {"sent", clueSent}, {"text", clueText},
	{"sender", clueSender}, {"app", clueApp}, {"card", clueCard}, {"side", clueSide}, {"unlock", clueUnlock},
	{"what", clueWhat}, {"know", clueKnow}, {"wallet", clueWallet}, {"order", clueOrder}, {"cash", clueCash},
	{"key", clueKey}, {"origin", clueOrigin}, {"file", clueFile}, {"begin", clueBegin},
	{"harmless", clueHarmless}, {"never", clueNever}, {"user", clueUser}, {"contents", clueContents | clueAsk},
	{"back", clueBack | clueSide}, {"generic", clueGeneric}, {"other", clueOther}, {"attribute", clueAttribute}}

// has reports whether c has all of some clues; any reports whether it has one of them.
func (c Clue) has(all Clue) bool { return c&all == all }
func (c Clue) any(of Clue) bool  { return c&of != 0 }

// Described returns a word for the secret that a set of clues describes. The cases are the ways in which swindlers were
// seen to ask without a name. Each needs two clues or more: "six digits" alone may be a date. A harmless word, such as
// voucher or parcel, or a negation, ends all of them.
func (c Clue) Described() (word string, ok bool) {
	if c.any(clueHarmless | clueNever) {
		return "", false
	}
	// "digits", or "six numbers".
	figures := c.any(clueCode) || c.has(clueCount|clueThing)
	switch {
	// "the code in our SMS", "the six digits that your bank sent", "the code of your authenticator app".
	case c.any(clueText) && (figures || c.has(clueSent|clueThing)),
		c.has(clueSent|clueSender) && figures,
		c.any(clueApp) && (figures || c.any(clueThing|clueWhat)):
		return "one time code", true
	// "the digits on the back of your card".
	case c.any(clueCard) && c.any(clueSide) && (figures || c.any(clueThing)),
		c.has(clueCard | clueCount | clueCode),
		c.has(clueBack | clueCount | clueCode):
		return "card number", true
	// "the twelve words of your wallet", "the words on your paper, in order".
	case c.any(clueWallet) && (c.any(clueWords) || c.has(clueCount|clueThing) || c.has(clueOrder|clueThing)),
		c.has(clueDozen|clueWords) && c.any(clueOrder|clueKnow):
		return "recovery phrase", true
	// "what you type at the cash machine".
	case c.any(clueCash) && (figures || c.any(clueThing|clueWhat)):
		return "pin", true
	// "what you type to unlock your phone". A user name beside it makes it a form for signing in, with fields of its
	// own.
	case c.any(clueUnlock) && (figures || c.any(clueThing|clueWhat)) && !c.any(clueUser),
		c.any(clueKnow) && (figures || c.any(clueThing|clueWhat)):
		return "password", true
	// "the string from your console that begins with sk-".
	case c.any(clueBegin) && (c.any(clueOrigin | clueContents | clueThing | clueKey)),
		c.has(clueOrigin|clueKey) && c.any(clueAsk|clueContents):
		return "api key", true
	// "paste your .env".
	case c.any(clueFile) && c.any(clueContents):
		return "credential", true
	}
	return "", false
}

// Typed reports clues at something that a person types. A field with such clues may leave the rest to the message above
// it. A field "Six digits" says how, and the message above it says of what.
func (c Clue) Typed() bool {
	return c.any(clueCode|clueSide) || c.has(clueCount|clueThing) || c.any(clueUnlock|clueWhat)
}

// helping are the clues that never begin a description. A text with no other clues is not read.
const helping = clueAsk | clueThing | clueCount | clueSender | clueOrder | clueHarmless | clueNever |
	clueUser | clueContents | clueGeneric | clueOther | clueAttribute

// Clues holds what a text, or one sentence of it, says about a secret, and the bytes [Start, End) that say it.
type Clues struct {
	Clue
	Start, End int
}

// The span begins at the first clue that is no negation and ends behind the last one.
func (c *Clues) add(clue Clue, start, end int) {
	if c.Clue&^(clueHarmless|clueNever) == 0 {
		c.Start = start
	}
	c.Clue |= clue
	if clue&^(clueHarmless|clueNever) != 0 {
		c.End = end
	}
}

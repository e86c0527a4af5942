package secret

// words is a list of words or phrases with bars between them. It takes far less room in a module than a slice.
type words string

// language is the vocabulary of one language. A space in a phrase also matches no space, an underscore and a camelCase
// boundary. The first four lists hold phrases of at least two letters, the others single words. A word goes to the list
// whose rule fits all of its uses: "password" names a secret wherever it stands, "pin" only at the end of a label, and
// "passwd" also at the end of a longer word.
type language struct {
	// tag only names the language for tests and for people; no text says in which language it is written.
	tag       string // BCP 47
	anywhere  words  // a secret anywhere in a label
	ending    words  // a secret only as the last word of a label: a map has pins, too
	glued     words  // a secret also at the end of a longer word
	harmless  words  // has a word of the lists above but asks for no secret
	after     words  // the next word that makes a secret harmless
	tails     words  // the next word that leaves an ending word a secret
	asks      words  // an earlier word of the sentence that makes a mention a request
	about     words  // an earlier word that makes it a mention
	happened  words  // the next word in prose that reports about a secret: "your password was changed"
	articles  words  // may come between a word that asks and an ending word: "enter your PIN"
	negations words
	other     words // an earlier word that gives an ending word another meaning: "message to pin"
	doubles   words // words of anywhere with another meaning: "hasło" is also an entry of a crossword
	between   words // small words allowed between a negation and the secret

	// In languages with the verb at the end, the words after the secret decide too. Both lists hold phrases.
	asksLater []string // "パスワードを入力してください"
	refuses   []string // "şifrenizi paylaşmayın"
}

// languages are all languages of the tables. A form may use any of them, and they share their look-ups. So no word of
// one may be an everyday word of another that reverses its meaning.
var languages = [...]language{english, german, dutch, french, spanish, portuguese, italian, polish, russian, turkish,
	chinese, japanese, korean, arabic, danish, norwegian, swedish, finnish, czech, hungarian, romanian, greek,
	ukrainian, hindi, thai, vietnamese, indonesian, hebrew, persian}

var english = language{
	doubles: `card number|card no|pin number|pin code|long number on the front`,
	tag:     "en",
	anywhere: `sign in phrase|login phrase|pswd|psswd|psword|passwrd|pasword|passsword|passwrod|psswrd|pwrd|pword|iban|
authorization header|auth header|bearer key|recovery words|backup words|wallet words|mnemonic words|
secret words|long number on the front|long card number|number on the front of your card|first pet|childhood pet|
mothers name before|first school you|you grew up on|you grew up in|tax identification number|shared access key|
env contents|contents of env|card cvc|bank login|login credentials|id rsa|ssh key|account recovery code|
scratch code|one time pin|security pin|national id number|identity card number|sort code|2fa code|access key|
access token|account key|account password|admin pass|anthropic key|api key|api secret|api token|app password|
auth code|auth cookie|auth key|auth token|authentication code|authentication token|authenticator code|
authorization code|authorization token|backup code|backup phrase|bank account number|bearer token|card code|
card details|card no|card number|card pin|card security code|card verification|client secret|connection string|
consumer secret|credential|credit card details|credit card number|cvc|cvv|db pass|debit card number|
decryption key|deploy key|digit code|driver license number|drivers license number|encryption key|github token|
hmac key|hmac secret|id token|identity token|jwt|login code|login pass|maiden name|master key|mfa code|
mnemonic phrase|mysql pass|national insurance number|one time code|one time password|one time passcode|
openai key|otp|passcode|passphrase|passport number|passwd|password|personal access token|pin code|pin number|
private key|pwd|recovery code|recovery key|recovery phrase|refresh token|root pass|routing number|
secret access key|secret answer|secret code|secret key|secret phrase|secret recovery phrase|secret token|
secret value|secret word|security answer|security code|seed phrase|seed words|service account key|
session cookie|session token|shared secret|signing key|signing secret|sms code|smtp pass|social security no|
social security number|ssh private key|ssn|storage key|stripe key|token secret|totp|two factor code|
twofactor code|user pass|verification code|wallet seed|webhook secret`,
	ending: `mfa|2fa|totp|bearer|kubeconfig|tkn|pw|passw|tan|credit card|debit card|mnemonic|pin|secret|social security|
token`,
	glued: `creditcard|creditcardnumber|cardnumber|seedphrase|securitycode|passcode|pincode|accesskey|accesstoken|apikey|
apitoken|authtoken|clientsecret|passphrase|passwd|password|privatekey|secretkey`,
	harmless: `pin code area|pin code of your area|pin code of the area|pin code of your district|postal pin code|
area pin code|drop a pin|deploy token name|secret santa|ssh key name|ssh key fingerprint|public ssh key|ssh public key|
api key id|access key id|access token url|continuation token|cursor token|design token|gpio pin|index card number|
input token|k8s secret|kubernetes secret|library card number|loyalty card number|map pin|max token|
membership card number|min token|maximum token|next page token|next token|not a robot token|output token|page token|
pagination token|public access key|push pin|stop token|sync token|trello card number`,
	after: `helper|scanner|scanners|scanning|leak|leaks|detector|
meter|reminder|history|change|changes|requirements|generator|dispenser|santa|ingredient|menu|sauce|layout|
price|pricing|colour|color|balance|mapping|assignment|board|header file|age|algorithm|budget|complexity|cost|count|
created|days|endpoint|expiration|expires|expiry|file|filename|format|hint|id|ids|kind|label|length|less|lifetime|limit|
limits|link|location|manager|method|name|names|owner|path|permissions|policies|policy|prefix|protected|protection|
provider|reset|rotation|rules|scope|scopes|settings|storage|store|strength|symbol|ttl|type|types|updated|uri|url|usage|
vault|version|window`,
	tails: `again|and|code|confirm|confirmation|for|from|here|number|optional|or|please|required|string|text|value|verify`,
	asks:  `confirm|enter|fill|give|input|need|paste|provide|repeat|retype|send|submit|supply|share|tell|type`,
	about: `rule|rules|finds|detects|scans|
when|who|allowed|chapter|article|section|regarding|question|under|below|above|may|should|must|can|could|does|
found|detected|leaked|move|old|wrong|minimum|maximum|min|max|remind|previous|remembered|strength|many|weeks|months|
between|about|contain|containing|contains|days|forgot|forgotten|generate|hold|holding|holds|hours|how|length|managing|
minutes|often|path|rename|reset|resetting|revoke|rotate|rotating|stored|storing|where|whether`,
	happened: `changed|created|deleted|expired|expires|had|has|matched|removed|revoked|saved|set|stored|updated|was|were|
will`,
	articles: `fresh|valid|current|working|personal|live|secret|own|existing|correct|a|an|my|new|that|the|this|your`,
	other: `chip|select|analog|sda|scl|tx|rx|data|clock|ground|safety|hair|lapel|enamel|rolling|bowling|of|name|names|
title|label|message|post|comment|note|version|number|led|gpio|board|count|which|path|colour|color|list|tab|chat|tweet|
thread|pins|nickname|description|owner|game|level|mount|hardware|connector|wire|servo|sensor|relay|design|css|lexer|
next|per|context|model`,
	negations: `cannot|dont|never|no|not|without`,
	between: `a|actual|an|and|any|ask|enter|for|give|include|my|need|or|paste|provide|put|real|send|share|store|the|to|
type|use|write|you|your`,
}

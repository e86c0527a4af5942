// Package secret knows the words by which a form asks for something that must never be typed into a form: passwords,
// keys, tokens, card and identity numbers.
//
// It reads words, not substrings: apiKey, API_KEY, "API key" and api-key are the same two words, "pinned" is not a PIN
// and max_tokens is a number. Letters that only look Latin and invisible characters are seen through, because a server
// that wants a password has a reason to spell it with a Cyrillic а. The package is a leaf: it imports nothing of ours.
package secret

// Match says which word of the table a text contains and where: the byte span [Start, End) of the text.
type Match struct {
	Word       string
	Start, End int
}

// Field reports whether a field asks for a secret, and by which word of the table ("api key"). Name and title are read
// as labels, the description as prose. It allocates nothing, and costs time linear in the three texts.
//
// A field whose answers are closed (a boolean, an enumeration) cannot carry a secret; callers need not ask about one.
func Field(name, title, description string) (word string, ok bool) {
	if m, ok := Label(name); ok {
		return m.Word, true
	}
	if m, ok := Label(title); ok {
		return m.Word, true
	}
	m, ok := Prose(description)
	return m.Word, ok
}

// Label finds the first secret that a name or title asks for.
func Label(text string) (Match, bool) { return find(text, false) }

// Prose finds the first secret that a sentence asks for. To mention a password is not to ask for one, so prose counts
// only when the sentence begins with the word or asks ("enter your API key"), and not when it forbids ("never enter
// your password").
func Prose(text string) (Match, bool) { return find(text, true) }

func find(text string, prose bool) (Match, bool) {
	c := cursor{text: text}
	var said sentence
	for {
		before := c
		l, ok := c.next()
		if !ok {
			return Match{}, false
		}
		said.pause(l.gap)
		if !l.starts {
			if m, ok := before.compound(l); ok && m.asked(text, &said, prose) {
				return m, true
			}
			said.grow(l)
			continue
		}
		if after, ok := before.harmless(l); ok {
			c = after
			said.add(l.from, after.at)
			continue
		}
		if m, ok := before.secret(l, &said, prose); ok {
			return m, true
		}
		said.add(l.from, l.to)
	}
}

// harmless steps over a phrase that only resembles a secret, such as "next page token".
func (c cursor) harmless(first letter) (cursor, bool) {
	for i := range languages {
		for _, w := range starting(languages[i].harmless, first.r) {
			if after, ok := c.spell(w, true); ok {
				return after, true
			}
		}
	}
	return c, false
}

// secret tries every word of the table at the start of a word.
func (c cursor) secret(first letter, said *sentence, prose bool) (Match, bool) {
	for i := range languages {
		lang := &languages[i]
		for _, w := range starting(lang.anywhere, first.r) {
			after, ok := c.spell(w, true)
			m := Match{w, first.from, after.at}
			if ok && !after.neutral(lang) && m.asked(c.text, said, prose) {
				return m, true
			}
		}
		if prose {
			continue
		}
		for _, w := range starting(lang.ending, first.r) {
			if after, ok := c.spell(w, false); ok && after.ends(lang) && !said.forbids(c.text, lang) {
				return Match{w, first.from, after.at}, true
			}
		}
	}
	return Match{}, false
}

// compound finds a word glued to the end of another: dbpassword, myapikey.
func (c cursor) compound(first letter) (Match, bool) {
	for i := range languages {
		for _, w := range starting(languages[i].glued, first.r) {
			if after, ok := c.spell(w, true); ok && !after.neutral(&languages[i]) {
				return Match{w, first.from, after.at}, true
			}
		}
	}
	return Match{}, false
}

// asked decides whether the sentence so far turns a mention into a request.
func (m Match) asked(text string, said *sentence, prose bool) bool {
	asks, about := false, false
	for i := range languages {
		lang := &languages[i]
		if said.forbids(text, lang) {
			return false
		}
		asks = asks || said.has(text, lang.asks)
		about = about || said.has(text, lang.about)
	}
	return asks || !about && (!prose || said.words <= 3)
}

// neutral reports that the word after a secret makes it harmless: "password policy", "token count".
func (c cursor) neutral(lang *language) bool {
	w, ok := c.following()
	return ok && oneOf(w, lang.after)
}

// ends reports that nothing follows a word that is a secret only at the end of a label, or only words that keep it so:
// "PIN", "PIN code", "Token (from your account page)", but not "Pin to dashboard".
func (c cursor) ends(lang *language) bool {
	w, ok := c.following()
	return !ok || (w[0] >= '0' && w[0] <= '9') || oneOf(w, lang.tails)
}

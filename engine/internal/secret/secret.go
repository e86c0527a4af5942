// Package secret knows the words by which a form asks for something that no one should type into a form: passwords,
// keys, tokens, card and identity numbers.
//
// It reads words, not substrings: apiKey, API_KEY, "API key" and api-key are the same two words, "pinned" is not a PIN,
// and max_tokens is a number. It ignores invisible characters, and reads letters that only look Latin as Latin, because
// a server that wants a password has a reason to spell it with a Cyrillic а. The package imports only packages in
// engine/internal.
//
// # From a text to a word
//
// A text passes three stages, each of which spares the next one most of the work:
//
//   - glance.look (glance.go) reads the text once and says from hashes whether a phrase of the tables may be in it.
//     Nearly all texts end here.
//   - cursor (words.go, fold.go) gives the letters one by one: folded, with the places where words begin and what
//     stands between them. index (index.go) has the phrases by their first letters.
//   - sentence (sentence.go) remembers the last words, and decides whether a mention of a secret asks for it.
//
// Beside the names there are clues (clue.go, described.go): words that together describe a secret that nobody names.
// These examples show all of it:
//
//	apiKey, API_KEY, dbpassword, p4ssw0rd       a secret
//	pinned, max_tokens, password policy         none
//	Enter your API key.                         a secret: it names one and asks
//	Your password was changed.                  none: it only reports
//	Never enter your password here.             none: it forbids
//	Do not forget to enter your password.       a secret: the negation ends at another verb
//	Enter the six digits your bank sent you.    a one-time code: it is described and not named
//
// # The tables
//
// tables.go has the lists of a language and says what each means; tables_*.go has the languages, and tables_clues_*.go
// their clues. Programs do not read these: layout.go writes laid_out.go from them, in a form that needs no work at the
// start of a program. A test keeps both alike (TestLookUpsAreFresh).
//
// # Errors
//
// The two errors differ in cost. A secret that is missed is typed into a form of a stranger. A harmless field that is
// taken for a secret makes the form be refused or asked about. So a word counts unless something near it says
// otherwise, and the lists of harmless words grow from real forms.
package secret

import "unicode/utf8"

// Match is the word of the table that a text contains, with its byte span [Start, End) in the text. Word is the
// spelling of the table and not of the text: "api key" for apiKey. The span has the letters of the text, so a screen
// can mark them. A match by clues has the span from the first clue to the last one.
type Match struct {
	Word       string
	Start, End int
	Weak       bool // the word also means other things, which the words around it may tell: see Elsewhere
}

// Field reports whether a field asks for a secret that it names or describes, and by which word of the table ("api
// key"). Name and title are read as labels, and the description as prose. Each stretch of them is judged alone, so no
// other text takes away what one says. Field allocates nothing, and its time is linear in the three texts.
//
// A field with closed answers (a boolean, an enumeration) cannot carry a secret, so callers need not call Field for it.
// The name counts less: nobody sees it beside a title. So a weak word in it needs a title that agrees, and its clues
// count only without a title.
func Field(name, title, description string) (word string, ok bool) {
	all, weak := Clue(0), Match{}
	for i, text := range [...]string{name, title, description} {
		m, found, c := Study(text, i == 2)
		if i > 0 || title == "" {
			all |= c.Clue
		}
		switch {
		// The name is the first text. A weak word in it is dropped if the title gives the word another meaning.
		case !found || i == 0 && m.Weak && !Agrees(m, title):
		case !m.Weak:
			return m.Word, true
		// A weak word waits: a strong one in a later text decides before it.
		case weak.Word == "" && !Elsewhere(m, name, title, description):
			weak = m
		}
	}
	if weak.Word != "" {
		return weak.Word, true
	}
	return all.Described()
}

// Study finds the secret that a label asks for, or with prose, a sentence. If there is none, or only a weak one, it
// returns the clues of the text at a secret. A strong match needs no clues, so the text is read a second time only
// without one.
func Study(text string, prose bool) (m Match, ok bool, c Clues) {
	may := looks().look(text)
	if may == 0 {
		return m, false, c
	}
	// Clues are read for a weak match too, because they may describe a secret for sure.
	if m, ok = stretches(text, prose, may); (!ok || m.Weak) && may&seenClues != 0 {
		c = reading(text)
	}
	return m, ok, c
}

// Agrees reports whether the title of a field leaves a weak match in its name its meaning. It does not for the name pin
// with the title "Message to pin". The title agrees if it names a secret itself, or if it does not have the word at
// all: "pin" with the title "Map marker" still counts.
func Agrees(m Match, title string) bool {
	_, ok := Label(title)
	return ok || !speaksOf(title, m.Word)
}

// Label finds the first secret that a name or title asks for.
func Label(text string) (Match, bool) { return find(text, false) }

// find finds the first secret that a name, a title or a sentence asks for. Mentioning a password is not asking for it.
// So prose counts only if the sentence begins with the word or asks ("enter your API key"), and not if it forbids
// ("never enter your password").
func find(text string, prose bool) (Match, bool) { return stretches(text, prose, looks().look(text)) }

// stretches judges each stretch of a text alone. A strong match counts before a weak one. The first weak match is kept,
// and a strong one behind it replaces it. A weak match in a stretch that gives its word another meaning does not count.
func stretches(text string, prose bool, may seen) (weak Match, ok bool) {
	if may&(seenNames|seenSigns) == 0 {
		return weak, false
	}
	for from, to := range Stretches(text) {
		m, found := finding(text[from:to], prose, may)
		if !found || m.Weak && (ok || meansOther(text[from:to])) {
			continue
		}
		m.Start, m.End = m.Start+from, m.End+from
		if !m.Weak {
			return m, true
		}
		weak, ok = m, true
	}
	return weak, ok
}

// Masked letters are searched for in windows of maxMasked bytes, each a quarter over the one before, so a phrase that
// lies across the end of a window lies within the next one.
func finding(text string, prose bool, may seen) (Match, bool) {
	if may&seenNames != 0 {
		// "Name of the secret" asks for a name.
		if m, ok := search(text, prose); ok && (prose || !attribute(text)) {
			return m, true
		}
	}
	for from := 0; may&seenSigns != 0; from += maxMasked * 3 / 4 {
		to := min(from+maxMasked, len(text))
		if m, ok := unmasked(text[from:to], prose); ok {
			m.Start, m.End = m.Start+from, m.End+from
			return m, true
		}
		if to == len(text) {
			break
		}
	}
	return Match{}, false
}

// attribute reports a label that begins with the attribute that it asks for: "Name of the secret".
func attribute(text string) bool {
	clue, _ := cursor{text: text}.clue()
	return clue.any(clueAttribute)
}

// The walk goes letter by letter, but tries the tables where a word begins, and the endings also within words. Each
// letter is read a bounded number of times, since phrases are bounded.
func search(text string, prose bool) (Match, bool) {
	c := cursor{text: text}
	var said sentence
	for {
		here := c
		l, ok := c.next()
		if !ok {
			return Match{}, false
		}
		said.pause(l.gap)
		// The letter goes on with a word, so only the endings of longer words are tried here: "my-apikey" has a word at
		// the a, and "myapikey" has not.
		if !l.starts {
			said.grow(c.at)
			if beginsEnding(l.r) {
				if m, ok := here.compound(l, &said, prose); ok {
					return m, true
				}
			}
			continue
		}
		m, after, found := here.phrase(l, &said, prose)
		if !found && after.at == here.at && beginsEnding(l.r) {
			if m, ok := here.compound(l, &said, prose); ok {
				return m, true
			}
		}
		switch {
		case found:
			return m, true
		// A harmless phrase ends here. Its words still count for the sentence: "next token" is no request for what
		// follows.
		case after.at > here.at:
			c = after
			said.add(l.from, after.at)
		default:
			said.add(l.from, c.at)
		}
	}
}

// phrase tries the table at the start of a word. It returns a secret, or the end of a harmless phrase, which the caller
// skips. The candidates come in the order of their kinds: a harmless phrase such as "secret santa" comes before the
// secret in it.
func (c cursor) phrase(first letter, said *sentence, prose bool) (m Match, after cursor, found bool) {
	list := phrases.candidates(c)
	for {
		e, ok := list.next()
		if !ok {
			return Match{}, c, false
		}
		// "passwords" asks as "password" does, and "pins" does not.
		end, ok := c.spell(e.phrase, kind(e.what) != ending)
		if !ok {
			continue
		}
		// Every word that counts only at the end of a label is weak, and so is one that the tables call a double.
		m = Match{e.phrase, first.from, end.at, kind(e.what) == ending || e.double}
		lang := &grammars[e.lang]
		switch kind(e.what) {
		case harmless:
			return Match{}, end, false
		// A policy, a length or a count of the secret is no secret (neutral).
		case anywhere:
			found = !end.neutral(prose) && said.asks(c.text, prose, end, lang)
		case ending:
			found = end.ends() && !said.forbids(c.text) && (prose || !said.tellsOf(c.text)) &&
				(!prose || said.asksFor(c.text) && !end.later(lang.refuses))
		}
		if found {
			return m, end, true
		}
	}
}

// compound finds a word joined to the end of another one: dbpassword, myapikey. Only the list glued is tried here:
// short words such as pin would be found in "shopping".
func (c cursor) compound(first letter, said *sentence, prose bool) (Match, bool) {
	list := endings.candidates(c)
	for {
		e, ok := list.next()
		if !ok {
			return Match{}, false
		}
		end, ok := c.spellInside(e.phrase)
		if ok && !end.neutral(prose) && said.asks(c.text, prose, end, &grammars[e.lang]) {
			return Match{Word: e.phrase, Start: first.from, End: end.at}, true
		}
	}
}

// letters matches the letters of a phrase, wherever the word that has the last one ends.
func (c cursor) letters(phrase string) (cursor, bool) {
	for _, want := range phrase {
		if want == ' ' {
			continue
		}
		l, ok := c.next()
		// A comma within a phrase ends it: "api, key" are two words.
		if !ok || l.r != fold(want) || l.gap >= gapComma {
			return c, false
		}
	}
	return c, true
}

// spellInside matches a phrase up to the end of a word, or up to a filler: passwordhere.
func (c cursor) spellInside(phrase string) (cursor, bool) {
	if end, ok := c.spell(phrase, true); ok {
		return end, true
	}
	c, ok := c.letters(phrase)
	if !ok {
		return c, false
	}
	for _, filler := range fillers {
		if _, ok := c.spell(filler, false); ok {
			return c, true
		}
	}
	return c, false
}

var fillers = [...]string{"here", "now", "please", "field", "value", "input", "box", "text", "again", "string", "entry",
	"below", "pls", "to continue"}

// neutral reports whether the word after a secret makes it harmless: "password policy", "token count". The next word
// must belong to the same phrase: "password, policy" has a comma, so policy does not count.
func (c cursor) neutral(prose bool) bool {
	w, ok := c.following()
	if !ok {
		return false
	}
	k := kindsOf(w)
	return k.has(after) || prose && k.has(happened)
}

// ends reports whether a word that is a secret only at the end of a label is at the end. Some words may follow: "PIN",
// "PIN code", "Token (from your account page)", but not "Pin to dashboard".
func (c cursor) ends() bool {
	w, ok := c.following()
	return !ok || (w[0] >= '0' && w[0] <= '9') || kindsOf(w).has(tails)
}

// maxLater is the most words after a secret that are read for the verb of the sentence. The bound keeps a text of
// secrets without a verb from being read to its end at each of them.
const maxLater = 24

// later reports whether one of the phrases is in the rest of the sentence.
func (c cursor) later(phrases []string) bool {
	if len(phrases) == 0 {
		return false
	}
	for words := 0; words < maxLater; {
		here := c
		l, ok := c.next()
		if !ok || l.gap == gapStop {
			return false
		}
		if !l.starts {
			continue
		}
		words++
		for _, phrase := range phrases {
			first, _ := utf8.DecodeRuneInString(phrase)
			if fold(first) != l.r {
				continue
			}
			if _, ok := here.spell(phrase, false); ok {
				return true
			}
		}
	}
	return false
}

package secret

// sentence remembers the last words before the current one. They decide whether a mention is a request. Eight words are
// enough to find the verb of a request in the languages of the tables. Their kinds are looked up only when a secret is
// near, and then once.
type sentence struct {
	said  [8]word
	words int // since the sentence began
	floor int // words before the last comma, which no longer count
}

// word is a span of the text, with its kinds once they were looked up.
type word struct {
	from, to int
	known    bool
	kinds    kinds
}

// pause starts a new clause or sentence.
func (s *sentence) pause(g gap) {
	switch g {
	// Words before a comma count no more for what follows, but the sentence keeps its number of words.
	case gapComma:
		s.floor = s.words
	case gapStop:
		s.words, s.floor = 0, 0
	}
}

// add appends a word to the ring. Its kinds are looked up when a secret asks for them.
func (s *sentence) add(from, to int) {
	s.said[s.words%len(s.said)] = word{from: from, to: to}
	s.words++
}

// A letter that begins no word belongs to the last one, so that word ends later and must be looked up again.
func (s *sentence) grow(to int) {
	if s.words > s.floor {
		w := &s.said[(s.words-1)%len(s.said)]
		w.to, w.known = to, false
	}
}

// back returns the kinds of the word n places before the current one, n from 1.
func (s *sentence) back(text string, n int) (kinds, bool) {
	// The ring holds the last eight words of the clause.
	if n > s.words-s.floor || n > len(s.said) {
		return 0, false
	}
	w := &s.said[(s.words-n)%len(s.said)]
	if !w.known {
		w.kinds, w.known = kindsOf(text[w.from:w.to]), true
	}
	return w.kinds, true
}

// asks decides whether the sentence turns a mention into a request. A label is a request unless it is about the secret.
// rest is the text after the secret, for languages that put the verb there. A label is short and asks by standing
// there: "Password". A sentence must ask, or be so short that it can only be a label.
func (s *sentence) asks(text string, prose bool, rest cursor, lang *grammar) bool {
	if s.forbids(text) {
		return false
	}
	var all kinds
	for n := 1; ; n++ {
		k, ok := s.back(text, n)
		if !ok {
			break
		}
		all |= k
	}
	if !prose {
		// "Enter old password" has "old", which makes it a mention, and "enter", which asks.
		return all.has(asks) || !all.has(about)
	}
	// A language without words that ask cannot be judged by them, so its sentences count as labels.
	few := s.words <= 3 || !lang.asks && len(lang.asksLater) == 0
	return (all.has(asks) || !all.has(about) && few || rest.later(lang.asksLater)) && !rest.later(lang.refuses)
}

// asksFor reports whether a word that asks comes directly before the current one, or with articles between: "enter
// your".
func (s *sentence) asksFor(text string) bool { return s.follows(text, asks, articles) }

// follows reports whether a word of a kind is before the current one, with only words of another kind between.
func (s *sentence) follows(text string, kind, small kind) bool {
	for n := 1; ; n++ {
		k, ok := s.back(text, n)
		if !ok || k.has(kind) {
			return ok
		}
		if !k.has(small) {
			return false
		}
	}
}

// forbids reports a negation before the current word with only small words between: "do not type any". Any other word
// between ends the negation, so "do not forget to enter your password" is still a request. In
// "never share or enter your password" all words between belong to the list.
func (s *sentence) forbids(text string) bool { return s.follows(text, negations, between) }

// tellsOf reports an earlier word that makes a label be about another meaning, or about the secret: "Message to pin",
// "Name of the secret". A word that asks takes precedence.
func (s *sentence) tellsOf(text string) bool {
	var all kinds
	for n := 1; ; n++ {
		k, ok := s.back(text, n)
		if !ok {
			return !all.has(asks) && (all.has(about) || all.has(other))
		}
		all |= k
	}
}

// Requested reports whether the sentence around a match asks for it, before or after it, and does not only mention it.
func Requested(text string, m Match) bool {
	asked := false
	for c := (cursor{text: text}); c.at < m.Start; {
		l, ok := c.next()
		if !ok {
			break
		}
		if l.gap == gapStop {
			asked = false
		}
		if !l.starts {
			continue
		}
		if w, ok := (cursor{text: text, at: l.from}).following(); ok && l.from < m.Start {
			asked = asked || kindsOf(w).has(asks)
		}
	}
	if asked {
		return true
	}
	rest := cursor{text: text, at: m.End}
	for i := range grammars {
		if rest.later(grammars[i].asksLater) {
			return true
		}
	}
	return false
}

package secret

import "strings"

// Read collects the clues of a text. A sentence of it that describes a secret alone is all of the answer, whatever the
// others say. Otherwise, sentences that ask for something harmless count for nothing. Read allocates nothing, and its
// time is linear in the text.
func Read(text string) (all Clues) {
	if looks().look(text)&seenClues == 0 {
		return all
	}
	return reading(text)
}

// Clues of several sentences are joined, since a server can spread a description over sentences. A sentence about a
// harmless thing is left out as a whole.
func reading(text string) (all Clues) {
	read(text, func(c Clues) bool {
		is := described(c)
		switch {
		// A sentence that describes a secret alone replaces all that was collected before.
		case is, all.Clue == 0 && !c.any(clueHarmless|clueNever):
			all = c
		case !c.any(clueHarmless | clueNever):
			all.Clue, all.End = all.Clue|c.Clue, c.End
		}
		return !is
	})
	return all
}

// Elsewhere reports whether a text gives the word of a weak match another meaning: the pin of a board. Only a stretch
// that has the word can. "Which pin of the board?" has the word and "board", so a field named pin is harmless. A
// sentence about a board without the word changes nothing: any form may have one. A text that also asks for the word,
// in a sentence that names no board, gives no other meaning: "See the map of pins. Enter your PIN."
func Elsewhere(m Match, texts ...string) bool {
	for _, text := range texts {
		other, asked := false, false
		for from, to := range Stretches(text) {
			stretch := text[from:to]
			switch {
			case asked || !speaksOf(stretch, m.Word):
			case meansOther(stretch):
				other = true
			default:
				found, ok := find(stretch, true)
				asked = ok && Requested(stretch, found)
			}
		}
		if other && !asked {
			return true
		}
	}
	return false
}

// meansOther reports whether a stretch has a word that gives a weak match in it another meaning.
func meansOther(stretch string) (is bool) {
	read(stretch, func(c Clues) bool {
		is = c.any(clueOther)
		return !is
	})
	return is
}

// speaksOf reports whether a phrase of the tables, or a word that begins with it, stands in a text.
func speaksOf(text, phrase string) bool {
	for c := (cursor{text: text}); ; {
		here := c
		l, ok := c.next()
		if !ok {
			return false
		}
		if l.starts {
			// "pinned" speaks of pin here: a form about pinned messages has the word in another form.
			if _, same := here.begins(phrase, true); same {
				return true
			}
		}
	}
}

// Request finds the first stretch of a text above fields that asks for a secret: that names one and asks, or that
// describes one. If a field below leaves it to the text what to type, naming one is asking. generic is true for a form
// with a field such as "value". Then "Your password:" asks, although it has no verb.
func Request(text string, generic bool) (m Match, ok bool) {
	may := looks().look(text)
	if may&(seenNames|seenSigns) != 0 {
		for from, to := range Stretches(text) {
			stretch := text[from:to]
			m, ok = finding(stretch, true, may)
			// A message often mentions a secret: "Your password was reset." Only a request for it counts, unless a
			// field leaves it to the message what to type.
			if ok && (m.Weak && meansOther(stretch) || !generic && !Requested(stretch, m)) {
				ok = false
			}
			if ok {
				m.Start, m.End = m.Start+from, m.End+from
				return m, true
			}
		}
	}
	if may&seenClues != 0 {
		read(text, func(c Clues) bool {
			if m.Word, ok = c.Described(); ok {
				m.Start, m.End = c.Start, c.End
			}
			return !ok
		})
	}
	// The last sentence stands directly above the fields, as a label does: "Sign in. Password:".
	if !ok && generic && may&(seenNames|seenSigns) != 0 {
		from := lastSentence(text)
		m, ok = mention(text[from:])
		m.Start, m.End = m.Start+from, m.End+from
		ok = ok && !(m.Weak && meansOther(text[from:]))
	}
	return m, ok
}

// Generic reports whether a field's name and title do not say what to type: value, answer, text. The message above it
// then asks.
func Generic(name, title string) bool {
	if title != "" {
		return generic(title)
	}
	return generic(name)
}

// "value2" and "Answer:" are generic. A name of one letter says nothing either.
func generic(text string) bool {
	text = strings.TrimRight(text, "0123456789_ :")
	if len(text) < 2 {
		return true
	}
	clue, end := cursor{text: text}.clue()
	return clue.any(clueGeneric) && end.at == len(text)
}

// WantsContents reports whether a stretch asks for what a file holds, and not for its path or about it.
// "Paste your .env" wants the contents, and "Path of your .env" does not.
func WantsContents(stretch string) (wants bool) {
	var all Clue
	read(stretch, func(c Clues) bool {
		all |= c.Clue
		return true
	})
	return all.any(clueContents&^clueAsk) && !all.any(clueAttribute|clueNever)
}

// mention finds a secret that the last sentence of a message names, if the message asks.
func mention(text string) (Match, bool) {
	m, ok := Label(text)
	if !ok {
		return m, false
	}
	c := cursor{text: text, at: m.End}
	// "Password changed" is a report.
	if w, more := c.following(); more && kindsOf(w).has(happened) {
		return m, false
	}
	for i := range grammars {
		if c.later(grammars[i].refuses) {
			return m, false
		}
	}
	return m, true
}

// lastSentence returns where the last sentence of a text begins.
func lastSentence(text string) (from int) {
	end := len(strings.TrimRight(text, " .!?:\n。！？："))
	for i, r := range text[:end] {
		switch r {
		case '.', '!', '?', '\n', '。', '！', '？':
			if n := i + len(string(r)); r > 0x80 || r == '\n' || n < end && text[n] == ' ' {
				from = n
			}
		}
	}
	return from
}

// read calls yield with the clues of each sentence until it returns false. A clause that describes a secret alone comes
// before its sentence. A comma ends a clause, and a full stop a sentence. yield gets a clause only if it describes a
// secret by itself, so that harmless words behind a comma cannot hide it.
func read(text string, yield func(Clues) bool) {
	c := cursor{text: text}
	var said, clause Clues
	for {
		here := c
		l, ok := c.next()
		// A clause has ended. A harmless clause behind the comma must not take this away.
		if !ok || l.gap >= gapComma {
			if clause.Clue != 0 && described(clause) && !yield(clause) {
				return
			}
			clause = Clues{}
		}
		if !ok || l.gap == gapStop {
			if said.Clue != 0 && !yield(said) || !ok {
				return
			}
			said = Clues{}
		}
		if !l.starts {
			continue
		}
		var clue Clue
		var end cursor
		// A number in figures is a clue as its word is: "6 digits".
		if n, after := here.numeral(); n > 0 {
			clue, end = countClue(n), after
		} else if found, after := here.clue(); found != 0 {
			clue, end = found, after
		} else {
			continue
		}
		said.add(clue, l.from, end.at)
		clause.add(clue, l.from, end.at)
		c = end
	}
}

func described(c Clues) bool {
	_, is := c.Described()
	return is
}

// clue finds the longest phrase of the tables at the cursor.
func (c cursor) clue() (clue Clue, end cursor) {
	list := clues.candidates(c)
	for {
		e, ok := list.next()
		if !ok {
			return clue, end
		}
		if after, ok := c.begins(e.phrase, e.stem); ok {
			clue |= clueList[e.what].clue
			if after.at > end.at {
				end = after
			}
		}
	}
}

// begins matches a phrase at the cursor. A stem matches to the end of the word that it begins; other entries match
// whole.
func (c cursor) begins(phrase string, stem bool) (cursor, bool) {
	if !stem {
		return c.spell(phrase, false)
	}
	c, ok := c.letters(phrase)
	if !ok {
		return c, false
	}
	for {
		here := c
		if l, ok := c.next(); !ok || l.starts {
			return here, true
		}
	}
}

// numeral reads a number of one or two digits. Three digits or more are no count of digits, and give 0.
func (c cursor) numeral() (n int, end cursor) {
	for i := 0; ; i++ {
		here := c
		l, ok := c.next()
		if !ok || l.r < '0' || l.r > '9' || i > 0 && l.starts {
			if i == 0 || i > 2 {
				return 0, here
			}
			return n, here
		}
		n = n*10 + int(l.r-'0')
	}
}

// Codes have 3 to 9 digits and cards 16. Recovery phrases have 12 to 24 words in steps of three (BIP-39), and 25 for
// Monero.
func countClue(n int) Clue {
	switch {
	case n == 12, n == 15, n == 18, n == 21, n == 24, n == 25:
		return clueDozen | clueCount
	case n >= 3 && n <= 9, n == 16:
		return clueCount
	}
	return 0
}

package secret

// lookups are made once from the tables, at the start or when they are first needed. They never change.
type lookups struct {
	phrases      *index // searched for in a text
	endings      *index // searched for inside words
	vocabulary   *index // the words around them
	clues        *index // the words of all clues
	endingStarts uint32 // a bit for every first letter of an ending, because most letters of a text begin none
	first        *glance
}

var made = startWith()

func startWith() *lookups {
	if lazy {
		return nil
	}
	return makeLookups()
}

// built returns the look-ups.
func built() *lookups {
	if lazy && made == nil {
		made = makeLookups()
	}
	return made
}

func makeLookups() *lookups {
	m := &lookups{
		phrases:    buildIndex(harmless, anywhere, ending),
		endings:    buildIndex(glued),
		vocabulary: buildIndex(after, tails, asks, about, happened, articles, negations, between, other),
		clues:      buildClues(),
		first:      &glance{},
	}
	for _, e := range m.endings.entries {
		m.endingStarts |= endingBit(rune(e.key >> 32))
	}
	// The glance has only those clues that every description needs.
	m.first.addAll(m.phrases, false, 0)
	m.first.addAll(m.endings, true, 0)
	m.first.addAll(m.clues, false, 1)
	return m
}

func endingBit(r rune) uint32 {
	if r >= 'a' && r <= 'z' {
		return 1 << (r - 'a')
	}
	return 1 << 31
}

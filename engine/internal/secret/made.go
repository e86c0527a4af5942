package secret

// made is read from the table at the start, or when it is first needed. It never changes.
var made = startWith()

// startWith makes the glance when the program starts, unless that is left to the first text (lazy).
func startWith() *glance {
	if lazy {
		return nil
	}
	return readGlance(firstGlance)
}

// looks returns the glance at the words of all tables.
func looks() *glance {
	if lazy && made == nil {
		made = readGlance(firstGlance)
	}
	return made
}

// beginsEnding reports whether a word of the list glued begins with the letter. It spares the look-up for most letters.
func beginsEnding(r rune) bool { return endingStarts&endingBit(r) != 0 }

func endingBit(r rune) uint32 {
	if r >= 'a' && r <= 'z' {
		return 1 << (r - 'a')
	}
	return 1 << 31
}

// grammar is what the words after a secret say in one language. See language.
type grammar struct {
	asks      bool // the language has words that ask
	asksLater []string
	refuses   []string
}

package risk

// wordGroup is what a phrase of the tables is a sign of.
type wordGroup byte

// The order is that of the groups in the table. wordsCommand is the last one, because each command has a number of its
// own behind it.
const (
	wordsSecrecy wordGroup = iota
	wordsThreat
	wordsPrize
	wordsUrgency
	wordsForGood
	wordsAuthority
	wordsBrand
	wordsCommand // the first command; each following command has the next number
	wordGroups
)

// wordWalk is the result of one walk over the words of a text. The checks of wording read it. found has the first match
// of each group and the number of all. Overlapping phrases count once: the one that begins first wins.
type wordWalk struct {
	done  bool
	found [wordGroups]struct {
		span
		count int
	}
}

// The phrases of all groups stand in one table, so that a text is walked once for thirteen languages and three checks.
func (h *hits) walkWords(text string) *wordWalk {
	w := &h.words
	if w.done {
		return w
	}
	*w = wordWalk{done: true}
	covered := 0
	wording.Find(text, func(group, start, end int) {
		if start < covered {
			return
		}
		if command := group - int(wordsCommand); command >= 0 {
			if end = commandEnd(text, command, start, end); end == 0 {
				return
			}
			group = int(wordsCommand)
		}
		covered = end
		f := &w.found[group]
		if f.count++; f.count == 1 {
			f.span = span{start, end}
		}
	})
	return w
}

// says reports whether the inspected text is one in which a server speaks to a person.
func (h *hits) says() bool { return h.at.root == "/message" || h.at.part == "description" }

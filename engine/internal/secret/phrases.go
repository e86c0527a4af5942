package secret

// Phrases finds phrases in texts word by word. It ignores capitals, separators, invisible characters, and look-alikes
// of Latin letters. Package risk finds its wording with it (wording.go). A group above whatMost has its high bits in
// the field lang of the entry, which phrases do not use otherwise.
type Phrases struct {
	index
	beginnings string
	glance     *glance // nil until it is read
}

// NewPhrases returns the look-up whose arguments LayPhrases wrote.
func NewPhrases(text, starts, beginnings string) *Phrases {
	p := &Phrases{index: index{text, starts}, beginnings: beginnings}
	if !lazy {
		p.glance = readGlance(beginnings)
	}
	return p
}

// Find calls yield with the group and the byte span of each phrase in text, in order. Of the phrases that begin with
// one word, the first group wins, and in it the longest phrase. For phrases of bounded length, the time is linear in
// the text. Found phrases may overlap, if one begins within another: the caller decides which counts.
func (p *Phrases) Find(text string, yield func(group, start, end int)) {
	if lazy && p.glance == nil {
		p.glance = readGlance(p.beginnings)
	}
	if p.glance.look(text)&seenNames == 0 {
		return
	}
	c := cursor{text: text}
	for {
		here := c
		l, ok := c.next()
		if !ok {
			return
		}
		if !l.starts {
			continue
		}
		for list := p.candidates(here); ; {
			e, ok := list.next()
			if !ok {
				break
			}
			if end, ok := here.spell(e.phrase, false); ok {
				yield(int(e.lang)*(whatMost+1)+int(e.what), l.from, end.at)
				break
			}
		}
	}
}

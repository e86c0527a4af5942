package secret

// Phrases finds phrases in texts word by word. It ignores capitals, separators, invisible characters, and look-alikes
// of Latin letters.
type Phrases struct {
	index  *index
	glance *glance
}

// NewPhrases builds the look-up for groups of phrases. Each phrase has at least two letters.
func NewPhrases(groups ...[]string) *Phrases {
	var x index
	for g, list := range groups {
		for _, phrase := range list {
			x.add(entry{kind: kind(g), phrase: phrase})
		}
	}
	x.seal()
	g := &glance{}
	g.addAll(&x, false, 0)
	return &Phrases{&x, g}
}

// Find calls yield with the group and the byte span of each phrase in text, in order. Of the phrases that begin with
// one word, the first group wins, and in it the longest phrase. For phrases of bounded length, the time is linear in
// the text.
func (p *Phrases) Find(text string, yield func(group, start, end int)) {
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
		key, rest := here.head()
		list := p.index.candidates(key)
		if len(list) == 0 {
			continue
		}
		tail, _ := rest.tail()
		for i := range list {
			e := &list[i]
			if e.key != key || (e.tail^tail)&e.mask != 0 {
				continue
			}
			if end, ok := here.spell(e.phrase, false); ok {
				yield(int(e.kind), l.from, end.at)
				break
			}
		}
	}
}

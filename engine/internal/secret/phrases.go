package secret

// Phrases finds phrases in texts word by word. It ignores capitals, separators, invisible characters, and look-alikes
// of Latin letters.
type Phrases struct {
	groups [][]string
	index  *index // nil until it is built
	glance *glance
}

// NewPhrases builds the look-up for groups of phrases. Each phrase has at least two letters.
func NewPhrases(groups ...[]string) *Phrases {
	p := &Phrases{groups: groups}
	if !lazy {
		p.build()
	}
	return p
}

func (p *Phrases) build() {
	p.index, p.glance = &index{}, &glance{}
	for g, list := range p.groups {
		for _, phrase := range list {
			p.index.add(entry{kind: kind(g), phrase: phrase})
		}
	}
	p.index.seal()
	p.glance.addAll(p.index, false, 0)
}

// Find calls yield with the group and the byte span of each phrase in text, in order. Of the phrases that begin with
// one word, the first group wins, and in it the longest phrase. For phrases of bounded length, the time is linear in
// the text.
func (p *Phrases) Find(text string, yield func(group, start, end int)) {
	if lazy && p.index == nil {
		p.build()
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

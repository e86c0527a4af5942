package engine_test

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// naming gives ids short names in order of appearance.
type naming map[elicit.ID]string

func (n naming) clone() naming {
	c := naming{}
	for id, name := range n {
		c[id] = name
	}
	return c
}

// id is the id with a name, or otherwise when there is none.
func (n naming) id(name string, otherwise elicit.ID) elicit.ID {
	for id, given := range n {
		if given == name {
			return id
		}
	}
	return otherwise
}

// render writes effects without the record, ids replaced by names.
func (n naming) render(effects []effect.Effect) string {
	for _, next := range effects {
		if id := idOf(next); id != "" && n[id] == "" {
			n[id] = fmt.Sprintf("#%d", len(n)+1)
		}
	}
	_, rest := effect.Records(effects)
	text := elicit.AppendList(nil, rest)
	if bytes.Contains(text, []byte(`"grant"`)) {
		for id, name := range n {
			text = bytes.ReplaceAll(text, []byte(id), []byte(name))
		}
	}
	for _, next := range effects {
		if id := idOf(next); id != "" {
			text = bytes.ReplaceAll(text, []byte(id), []byte(n[id]))
		}
	}
	return string(text)
}

func idOf(next effect.Effect) elicit.ID {
	switch ef := next.(type) {
	case effect.Reply:
		return ef.ID
	case effect.Show:
		return ef.ID
	case effect.Withdraw:
		return ef.ID
	case effect.OpenURL:
		return ef.ID
	case effect.Resolve:
		return ef.ID
	case effect.Problem:
		return ef.ID
	case effect.Consult:
		return ef.ID
	case effect.Extend:
		return ef.ID
	case effect.Remember:
		return ef.Grant.ID
	}
	return ""
}

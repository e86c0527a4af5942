package engine_test

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/engine"
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
func (n naming) render(effects []engine.Effect) string {
	for _, effect := range effects {
		if id := idOf(effect); id != "" && n[id] == "" {
			n[id] = fmt.Sprintf("#%d", len(n)+1)
		}
	}
	_, rest := engine.Records(effects)
	text := elicit.AppendList(nil, rest)
	if bytes.Contains(text, []byte(`"grant"`)) {
		for id, name := range n {
			text = bytes.ReplaceAll(text, []byte(id), []byte(name))
		}
	}
	for _, effect := range effects {
		if id := idOf(effect); id != "" {
			text = bytes.ReplaceAll(text, []byte(id), []byte(n[id]))
		}
	}
	return string(text)
}

func idOf(effect engine.Effect) elicit.ID {
	switch ef := effect.(type) {
	case engine.Reply:
		return ef.ID
	case engine.Show:
		return ef.ID
	case engine.Withdraw:
		return ef.ID
	case engine.OpenURL:
		return ef.ID
	case engine.Resolve:
		return ef.ID
	case engine.Problem:
		return ef.ID
	case engine.Consult:
		return ef.ID
	case engine.Extend:
		return ef.ID
	case engine.Remember:
		return ef.Grant.ID
	}
	return ""
}

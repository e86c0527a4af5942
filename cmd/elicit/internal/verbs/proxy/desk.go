package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/browser"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desk"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
)

// asDesk makes a user interface show the questions of hooks too, if a person can see it and it follows its questions.
func asDesk(place proxy.UI) proxy.UI {
	audience, follows := place.(proxy.Audience)
	if !follows || !place.Modes().Form {
		return place
	}
	return desk.New(audience, func() desk.Rank {
		at := place
		if polite, ok := place.(*politeTerminal); ok {
			at = polite.place()
		}
		if page, ok := at.(*browser.Browser); ok && page.Watched() {
			return desk.Watched
		}
		return desk.Beside
	})
}

package guarded

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

func TestPlacePatterns(t *testing.T) {
	for _, path := range []string{"~/.s?h/id_rsa", "~/.ss[h]/*", "/home/ann/.ssh/id_*", "*/.ssh/id_rsa"} {
		if place := PlaceOf(path, false, true); place == nil || place.Read != elicit.High {
			t.Errorf("%s: %v; want a private key", path, place)
		}
	}
	for _, path := range []string{"*", "src/*", "*.json", "/etc/../home/ann/x", "~/*",
		"build/[a-z]*", "[", "", "..", "/"} {
		if place := PlaceOf(path, false, true); place != nil {
			t.Errorf("%s: %v; want nothing", path, place)
		}
	}
	if PlaceOf(strings.Repeat("a/", 1<<16)+"b", true, true) != nil {
		t.Error("a long path is a place")
	}
}

package guarded

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/vectors"
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

// rowByRow is what PlaceOf does, with every path of the table compared in turn.
func rowByRow(path string, tree, open bool) (found *Place) {
	have := placeSegments(path)
	for i := range places {
		row := &places[i]
		if tree && row.Kind == "" || found != nil && !graver(row.Write, found.Write) &&
			(row.Write != found.Write || !graver(row.Read, found.Read)) {
			continue
		}
		for _, want := range row.paths {
			if standsIn(want, have, tree, open) {
				if row.Kind == "" {
					return nil
				}
				if found = row; !tree {
					return found
				}
				break
			}
		}
	}
	return found
}

func standsIn(want, have []string, tree, open bool) bool {
	below := want[len(want)-1] == ""
	if below {
		want = want[:len(want)-1]
	}
	last := len(have) - 1
	if want[0] == "" || want[0] == "~" {
		last = 0
	}
	for at := 0; at <= last; at++ {
		n := 0
		for n < len(want) && at+n < len(have) && segmentFits(want[n], have[at+n], open) {
			n++
		}
		switch end := at + n; {
		case n == len(want) && (below && end < len(have) || end == len(have) && (!below || tree)):
			return true
		case tree && n > 0 && n < len(want) && end == len(have) && ownTree(want[:n]):
			return true
		}
	}
	return false
}

// TestPlaceIndex compares the index with the table, on paths around those of the table and on the words of attacks.
func TestPlaceIndex(t *testing.T) {
	if len(places) > 32 {
		t.Fatal("there are more rows than bits")
	}
	var paths []string
	for i := range places {
		for _, want := range places[i].paths {
			p := strings.NewReplacer("*", "x1", "#", "12").Replace(strings.Join(want, "/"))
			for _, before := range []string{"", "/", "~/", "a/", "*/"} {
				for _, behind := range []string{"", "x", "/x"} {
					paths = append(paths, before+p+behind)
				}
			}
			for cut := 1; cut < len(p); cut += 4 {
				paths = append(paths, p[:cut]+"*", p[:cut-1]+"?"+p[cut:], p[:cut-1]+"["+p[cut-1:cut]+"]"+p[cut:])
			}
		}
	}
	for _, v := range vectors.Read(t) {
		line := gjson.GetBytes(v.In, "command").Str
		for i := range len(line) {
			if i == 0 || strings.IndexByte(" '\"=:>(", line[i-1]) >= 0 {
				word, _, _ := strings.Cut(line[i:], " ")
				paths = append(paths, word, strings.Trim(word, "'\";)"))
			}
		}
	}
	slices.Sort(paths)
	places, differ := 0, 0
	for _, path := range slices.Compact(paths) {
		for _, how := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			got, want := PlaceOf(path, how[0], how[1]), rowByRow(path, how[0], how[1])
			if want != nil {
				places++
			}
			if differ < 10 && got != want {
				differ++
				t.Errorf("%q, %v: %v; want %v", path, how, got, want)
			}
		}
	}
	if places < 1<<13 {
		t.Errorf("only %d places", places)
	}
}

func BenchmarkPlaceOf(b *testing.B) {
	for name, find := range map[string]func(string, bool, bool) *Place{"index": PlaceOf, "rows": rowByRow} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, path := range []string{".", "src/main.go", "/srv/app/internal/x_test.go", "/home/ann/.ssh/id_rsa"} {
					find(path, false, false)
				}
			}
		})
	}
}

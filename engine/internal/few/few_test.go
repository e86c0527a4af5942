package few

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// TestMapIsAMap does the same with a Map and with a map of Go, with few keys and with many.
func TestMapIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var few Map[int, int]
		model := map[int]int{}
		keys := rapid.IntRange(0, rapid.SampledFrom([]int{2, searched, 3 * searched}).Draw(t, "keys"))
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			key, value := keys.Draw(t, "key"), rapid.Int().Draw(t, "value")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				few.Set(key, value)
				model[key] = value
			case 2:
				few.Delete(key)
				delete(model, key)
			case 3: // what a visitor deletes is gone, and each key is visited once
				visited := 0
				for k := range few.All() {
					if visited++; k%2 == 0 {
						few.Delete(k)
					}
				}
				if visited != len(model) {
					t.Fatal(visited, "of", len(model))
				}
				maps.DeleteFunc(model, func(k, _ int) bool { return k%2 == 0 })
			}
			got, known := few.Find(key)
			if want, is := model[key]; got != want || known != is || few.At(key) != want || few.Len() != len(model) {
				t.Fatal(key, got, known, want, is)
			}
		}
		if got := maps.Collect(few.All()); !maps.Equal(got, model) {
			t.Fatal(got, model)
		}
	})
}

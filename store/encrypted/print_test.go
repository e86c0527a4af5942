package encrypted_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// TestNoPrinterShowsSecrets prints a ring in every way that a log may print it, also inside another value. Package fmt
// asks no method for %p and %w, which are mistakes for a value like this.
func TestNoPrinterShowsSecrets(t *testing.T) {
	r := ring("a", "b")
	around := struct{ R any }{r}
	texts := []string{}
	for _, verb := range "vsdxXqobcUt" {
		for _, flags := range []string{"", "+", "#", " "} {
			format := "%" + flags + string(verb)
			texts = append(texts, fmt.Sprintf(format, r), fmt.Sprintf(format, r.Keys), fmt.Sprintf(format, around))
		}
	}
	whole, err := json.Marshal(around)
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("started", "ring", r)
	slog.New(slog.NewTextHandler(&logged, nil)).Info("started", "ring", r, "around", around)
	texts = append(texts, string(whole), logged.String(), fmt.Sprint(&r), fmt.Sprintf("%+v", &r))
	for _, secret := range [][]byte{r.Names, r.Keys[0].Secret, r.Keys[1].Secret} {
		piece := secret[:4]
		numbers := strings.Trim(fmt.Sprint(piece), "[]")
		spelt, _ := json.Marshal(piece[:3])
		for _, hidden := range []string{string(piece), fmt.Sprintf("%x", piece), numbers, string(spelt[1:4])} {
			for _, text := range texts {
				if strings.Contains(strings.ToLower(text), strings.ToLower(hidden)) {
					t.Errorf("%q shows %q", text, hidden)
				}
			}
		}
	}
	if got := fmt.Sprint(r); got != `ring of "a" "b"` {
		t.Errorf("printed as %s", got)
	}
}

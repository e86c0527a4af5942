package cli

import "testing"

func TestNearest(t *testing.T) {
	verbs := []string{"ask", "check", "decide", "grants", "install", "lint", "log", "policy", "proxy", "status",
		"uninstall"}
	for word, want := range map[string]string{
		"chek": "check", "hceck": "check", "polciy": "policy", "instal": "install", "unistall": "uninstall",
		"prox": "proxy", "aks": "ask", "lgo": "log", "x": "", "": "", "deploy": "", "everything": "",
	} {
		if got := nearest(word, verbs); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

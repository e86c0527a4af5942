package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

// findSecretFile reports a stretch of a text that asks for the contents of a file that usually holds secrets.
// "Paste the contents of ~/.ssh/id_rsa" asks for a secret without any of its names. "The key is read from id_rsa" does
// not ask: the words around the name decide (secret.WantsContents), within one stretch of the text.
func findSecretFile(h *hits, at place, text string) bool {
	if !strings.ContainsAny(text, "./") {
		return false
	}
	for from, to := range secret.Stretches(text) {
		stretch := text[from:to]
		for start := 0; start < len(stretch); {
			rest := stretch[start:]
			n := strings.IndexAny(rest, " \t,;()\"'`?<>")
			if n < 0 {
				n = len(rest)
			}
			if n > 3 && (holdsSecrets(rest[:n]) || holdsSecrets(strings.TrimRight(rest[:n], ".:!"))) {
				if !secret.WantsContents(stretch) {
					break
				}
				h.at = at
				h.add(text, from+start, from+start+n, elicit.Str("word", "credential"))
				return true
			}
			start += n + 1
		}
	}
	return false
}

// holdsSecrets reports whether a word is the name of a file that usually holds secrets. A word needs a dot or a slash,
// so that "key" in a sentence is no file.
func holdsSecrets(name string) bool {
	if !strings.ContainsAny(name, "./") {
		return false
	}
	for _, end := range [...]string{".tfstate", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx",
		"credentials.json", "client_secret.json", "cookies.sqlite", "cookies.txt", "secrets.yaml", "secrets.yml"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return guarded.SecretFile(name)
}

package risk

// Skeleton spells a text as a reader in a hurry sees it: without capitals, accents and invisible characters, and with
// Latin letters for the look-alikes of other alphabets. Two texts with one skeleton are easily confused. Texts with
// different skeletons may still be confused.
func Skeleton(text string) string { return skeleton(text) }

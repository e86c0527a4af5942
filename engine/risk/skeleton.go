package risk

// Skeleton spells a text the way a hurried eye takes it in: without capitals, accents and invisible characters, with
// letters of other alphabets as the Latin ones they look like. Two texts with one skeleton are easily confused; two
// without may still be.
func Skeleton(text string) string { return skeleton(text) }

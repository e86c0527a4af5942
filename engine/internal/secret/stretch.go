package secret

import (
	"iter"
	"unicode/utf8"
)

// Stretches gives the byte spans of the sentences of a text, without what ends them. Each is judged alone, because
// whoever asks for a secret can write harmless sentences around it. So "Your password was changed. Enter your
// password." still asks: the first sentence does not make the second one a report.
func Stretches(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from := 0
		for i, r := range text {
			if n := ends(text, i, r); n > 0 {
				if i > from && !yield(from, i) {
					return
				}
				from = i + n
			}
		}
		if from < len(text) {
			yield(from, len(text))
		}
	}
}

// ends returns the bytes of a character that ends a sentence, 0 for others. A full stop, colon or dash inside of a word
// does not, because it may stand for a letter or only separate the letters of one. "a.b" and "12:30" do not end a
// sentence.
func ends(text string, at int, r rune) int {
	switch r {
	case '\n', '\r':
		return 1
	// The end of a text counts as a blank behind the sign.
	case '.', '!', '?', ';', ':':
		if at+1 < len(text) && text[at+1] > ' ' {
			return 0
		}
		return 1
	case '。', '！', '？', '；', '：', '؟', '؛', '।', '—', '•', '…':
		return utf8.RuneLen(r)
	}
	return 0
}

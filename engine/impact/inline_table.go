//go:build !browser

package impact

import (
	_ "embed"
	"strings"
)

// inlineText is what the reader of programs in the line knows about names. It is searched as programs is.
//
//go:embed inline.txt
var inlineText string

// names are words in their order, byte by byte, with blanks or line ends between them.
type names string

// These are lists of names; the text says of what.
var (
	words           = listed("words")
	standardModules = listed("standardModules")
	outerModules    = listed("outerModules")
	decoders        = listed("decoders")
	denied          = listed("denied")
	deniedModules   = listed("deniedModules")
	deniedBare      = listed("deniedBare")
	plainDunders    = listed("plainDunders")
	locators        = listed("locators")
	makers          = listed("makers")
	evaluators      = listed("evaluators")
	splitters       = listed("splitters")
	rootNames       = listed("rootNames")
	runners         = listed("runners")
	savers          = listed("savers")
	sensitive       = listed("sensitive")
	startOptions    = listed("startOptions")
)

// inlineRows are the rows behind the lists, which are long.
var inlineRows = table(inlineText[strings.Index(inlineText, "\ncall ")+1:])

func listed(list string) names {
	row, _ := table(inlineText).search("@" + list)
	row, _, _ = strings.Cut(row, "\n\n") // a comment follows
	return names(strings.TrimSpace(row))
}

func inlineRow(name string) string {
	row, _ := inlineRows.search(name)
	row, _, _ = strings.Cut(row, "\n\n")
	return strings.TrimSpace(row)
}

func moduleRow(name string) string { return inlineRow("module " + name) }
func callRow(name string) string   { return inlineRow("call " + name) }
func pathRow(name string) string   { return inlineRow("path " + name) }

// has reports whether a word is one of the names.
func (n names) has(word string) bool {
	low, high := 0, len(n)
	for low < high {
		if n[low] <= ' ' {
			low++
			continue
		}
		mid := (low + high) / 2
		for mid > low && n[mid] <= ' ' {
			mid--
		}
		from := low + strings.LastIndexAny(string(n[low:mid+1]), " \n") + 1
		end := from
		for end < high && n[end] > ' ' {
			end++
		}
		switch one := string(n[from:end]); {
		case one == word:
			return word != ""
		case one < word:
			low = end + 1
		default:
			high = from
		}
	}
	return false
}

// hasWord reports whether a row has a word.
func hasWord(row, word string) bool {
	for one := range strings.FieldsSeq(row) {
		if one == word {
			return true
		}
	}
	return false
}

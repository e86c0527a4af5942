//go:build !browser

package impact

import (
	_ "embed"
	"strings"
)

// inlineText is what the reader of programs in the line knows about names, all in order. It is searched as programs is.
//
//go:embed inline.txt
var inlineText string

// names are words in their order, byte by byte, with blanks or line ends between them.
type names string

// These are lists of names. Their comments are here, because the text is in every build.
var (
	words           = listed("words")           // of Python itself
	standardModules = listed("standardModules") // of Python's library; only those with a row are read
	outerModules    = listed("outerModules")    // packages that reach beyond the project; only names with a row are read
	decoders        = listed("decoders")        // make a text of what does not show it
	denied          = listed("denied")          // may stand nowhere, also behind a dot
	deniedModules   = listed("deniedModules")   // modules that no other name may lead to
	deniedBare      = listed("deniedBare")      // of the language; may not stand without a dot
	plainDunders    = listed("plainDunders")    // with two underscores, and lead to nothing else
	locators        = listed("locators")        // tell where a module or what belongs to it lies
	makers          = listed("makers")          // methods that make a text of others
	evaluators      = listed("evaluators")      // functions of packages that read a text as code
	splitters       = listed("splitters")       // methods to which a separator is nothing but that
	rootNames       = listed("rootNames")       // the directories of a root
	runners         = listed("runners")         // modules whose functions run what the arguments of the program say
	savers          = listed("savers")          // functions and methods of packages that write a file
	sensitive       = listed("sensitive")       // files that others obey, or that hold secrets
	startOptions    = listed("startOptions")    // of subprocess; change nothing that matters
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

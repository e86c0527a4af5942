package risk

// script is a writing system, only as precise as needed to tell disguise from language. The table is made by hand from
// the Unicode blocks, because the tables of package unicode are larger than the whole engine in a Wasm module.
// Characters that the table does not know are scriptOther.
type script byte

const (
	scriptNone script = iota // digits, hyphens and marks, which go with every script
	scriptLatin
	scriptGreek
	scriptCyrillic
	scriptArmenian
	scriptHebrew
	scriptArabic
	scriptIndic
	scriptThai
	scriptGeorgian
	scriptCherokee
	scriptHangul
	scriptKana
	scriptBopomofo
	scriptHan
	scriptOther
)

var scriptNames = [...]string{"none", "Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Indic", "Thai",
	"Georgian", "Cherokee", "Hangul", "Kana", "Bopomofo", "Han", "other"}

func (s script) String() string { return scriptNames[s] }

// scriptRanges is sorted. Neighbouring blocks of one script share a row.
var scriptRanges = [...]struct {
	lo, hi rune
	script script
}{
	{0x41, 0x5A, scriptLatin}, {0x61, 0x7A, scriptLatin}, {0xAA, 0xAA, scriptLatin}, {0xBA, 0xBA, scriptLatin},
	{0xC0, 0xD6, scriptLatin}, {0xD8, 0xF6, scriptLatin}, {0xF8, 0x2AF, scriptLatin}, {0x370, 0x3FF, scriptGreek},
	{0x400, 0x52F, scriptCyrillic}, {0x531, 0x58F, scriptArmenian}, {0x591, 0x5F4, scriptHebrew},
	{0x600, 0x6FF, scriptArabic}, {0x750, 0x77F, scriptArabic}, {0x8A0, 0x8FF, scriptArabic}, {0x900, 0xDFF, scriptIndic},
	{0xE00, 0xE7F, scriptThai}, {0x10A0, 0x10FF, scriptGeorgian}, {0x1100, 0x11FF, scriptHangul},
	{0x13A0, 0x13FF, scriptCherokee}, {0x1C80, 0x1C8F, scriptCyrillic}, {0x1C90, 0x1CBF, scriptGeorgian},
	{0x1D00, 0x1D25, scriptLatin}, {0x1E00, 0x1EFF, scriptLatin}, {0x1F00, 0x1FFF, scriptGreek},
	{0x2C60, 0x2C7F, scriptLatin}, {0x2DE0, 0x2DFF, scriptCyrillic}, {0x2E80, 0x2FDF, scriptHan},
	{0x3005, 0x3007, scriptHan}, {0x3041, 0x30FF, scriptKana}, {0x3105, 0x312F, scriptBopomofo},
	{0x3130, 0x318F, scriptHangul}, {0x31A0, 0x31BF, scriptBopomofo}, {0x31F0, 0x31FF, scriptKana},
	{0x3400, 0x4DBF, scriptHan}, {0x4E00, 0x9FFF, scriptHan}, {0xA640, 0xA69F, scriptCyrillic},
	{0xA720, 0xA7FF, scriptLatin}, {0xA960, 0xA97F, scriptHangul}, {0xAB30, 0xAB6F, scriptLatin},
	{0xAB70, 0xABBF, scriptCherokee}, {0xAC00, 0xD7FF, scriptHangul}, {0xF900, 0xFAFF, scriptHan},
	{0xFF21, 0xFF5A, scriptLatin}, {0xFF66, 0xFF9D, scriptKana},
	{0x20000, 0x323AF, scriptHan},
}

// The search is linear, because hosts have few letters beyond ASCII and most of these stand in the first rows.
func scriptOf(r rune) script {
	switch {
	case r < 0x41, r >= 0x300 && r <= 0x36F: // ASCII marks, combining marks
		return scriptNone
	case r >= 0x2300 && r <= 0x2BFF, r >= 0x1F000 && r <= 0x1FAFF, r == 0xFE0F: // pictures and emoji
		return scriptNone
	}
	for i := range scriptRanges {
		if row := &scriptRanges[i]; r <= row.hi {
			if r >= row.lo {
				return row.script
			}
			break
		}
	}
	if r < 0xC0 {
		return scriptNone
	}
	return scriptOther
}

// scriptSet holds the scripts of one label. Bit n stands for the script n. The zero set is an empty label.
type scriptSet uint32

func (s scriptSet) with(x script) scriptSet { return s | 1<<x }

// among reports whether s holds only the given scripts.
func (s scriptSet) among(scripts ...script) bool {
	var allowed scriptSet
	for _, x := range scripts {
		allowed = allowed.with(x)
	}
	return s&^allowed == 0
}

// mixed reports scripts that no language writes together. Latin with Japanese, Korean or Chinese is allowed, as in the
// "highly restrictive" profile of UTS 39 §5.2. "рaypal" with a Cyrillic р is mixed. "東京bank" is not: Latin with Han and
// Kana is common in Japan.
func (s scriptSet) mixed() bool {
	s &^= 1 << scriptNone
	single := s&(s-1) == 0
	return !single && !s.among(scriptLatin, scriptHan, scriptKana) && !s.among(scriptLatin, scriptHan, scriptHangul) &&
		!s.among(scriptLatin, scriptHan, scriptBopomofo)
}

// scriptsOf collects the scripts of a label. Digits, hyphens and marks add scriptNone, which mixes with everything.
func scriptsOf(label string) scriptSet {
	var s scriptSet
	for _, r := range label {
		s = s.with(scriptOf(r))
	}
	return s
}

// imitators are letters that a reader takes for small Latin ones although UTS 39 does not list them so, or lists only
// their capitals.
const imitators = "ӕԑԍкмтвпнκτχωҽհոյ"

package risk

import "testing"

func TestSkeleton(t *testing.T) {
	for name, want := range map[string]string{"PayPal": "paypal", "paypa1": "paypal", "pаyраl": "paypal",
		"arnazon": "amazon", "vvikipedia": "wikipedia", "gíthub": "github",
		"g00gle": "google", "git\u200bhub": "github", "łódź": "lodz", "": "", "日本": "日本"} {
		if got := skeleton(name); got != want {
			t.Errorf("skeleton(%q) = %q; want %q", name, got, want)
		}
	}
}

func TestOneSlip(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"github", "githubb", true}, {"github", "gihub", true}, {"github", "gathub", true}, {"github", "gihtub", true},
		{"ab", "ba", true}, {"a", "", true},
		{"github", "github", false}, {"github", "gothab", false}, {"abcd", "badc", false}, {"github", "gitlab", false},
		{"", "", false}, {"ab", "cd", false},
	} {
		if oneSlip(c.a, c.b) != c.want || oneSlip(c.b, c.a) != c.want {
			t.Errorf("oneSlip(%q, %q) is not %v both ways", c.a, c.b, c.want)
		}
	}
}

func TestConfusableTable(t *testing.T) {
	for i, c := range confusables {
		if c.letter < 0x80 || !isLetter(c.latin) && !isDigit(c.latin) || i > 0 && confusables[i-1].letter >= c.letter {
			t.Errorf("row %d: %q to %q", i, c.letter, c.latin)
		}
	}
	if len(confusables) < 100 {
		t.Errorf("%d rows", len(confusables))
	}
}

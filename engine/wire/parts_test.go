package wire_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// TestPartsCoverTheMessage: whatever is added, the parts cover the message exactly, and each line is of the kind with
// which it was added, unless there were too many parts. An empty line between two parts is of the kind before it.
func TestPartsCoverTheMessage(t *testing.T) {
	type added struct {
		is   elicit.PartKind
		text string
	}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) added {
			return added{rapid.SampledFrom(elicit.PartKinds()).Draw(t, "is"),
				rapid.StringOfN(rapid.RuneFrom([]rune("a\n\r\u2028")), 0, 6, -1).Draw(t, "text")}
		}), 0, 90).Draw(t, "added")
		var text wire.Parts
		var want []string // the text and the kind of each line
		before := elicit.PartText
		for _, one := range list {
			if text.Add(one.is, one.text, 100); one.text == "" {
				continue
			}
			if len(want) > 0 {
				want = append(want, " "+string(before))
			}
			for line := range strings.SplitSeq(one.text, "\n") {
				want = append(want, line+" "+string(one.is))
			}
			before = one.is
		}
		var r elicit.Request
		text.Set(&r)
		if at, wrong := r.WrongPart(); wrong {
			t.Fatalf("parts%s of %q do not fit: %v", at, r.Message, r.Parts)
		}
		if len(want) == 0 || len(r.Parts) == elicit.MaxParts {
			return
		}
		parts := r.Parts
		if parts == nil {
			parts = []elicit.Part{{Is: elicit.PartText, Lines: len(want)}}
		}
		var got []string
		lines := strings.Split(r.Message, "\n")
		for _, part := range parts {
			for _, line := range lines[:part.Lines] {
				got = append(got, line+" "+string(part.Is))
			}
			lines = lines[part.Lines:]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

// TestPartTooLong: a part that is too long ends with the digest of all of it, in the same line.
func TestPartTooLong(t *testing.T) {
	var text wire.Parts
	text.Add(elicit.PartText, "Change it", 100)
	text.Add(elicit.PartDiff, "a\n"+strings.Repeat("+x\n", 100), 12)
	var r elicit.Request
	text.Set(&r)
	if at, wrong := r.WrongPart(); wrong || !text.Cut || len(r.Parts) != 2 || r.Parts[1].Lines != 5 {
		t.Errorf("%s %v %q %v", at, wrong, r.Message, r.Parts)
	}
}

// TestPartThatFits: a part of the most bytes stays whole, and a longer one tells how much is missing.
func TestPartThatFits(t *testing.T) {
	for size, cut := range map[int]string{12: "", 13: "é… (1 more bytes, SHA-256 of all "} {
		var text wire.Parts
		part := strings.Repeat("x", size-2) + "é"
		if text.Add(elicit.PartText, part, 12); text.Cut != (cut != "") || cut == "" && text.String() != part {
			t.Errorf("%d bytes: cut %t, %q", size, text.Cut, text.String())
		}
		if part = strings.Repeat("x", size-3) + "éx"; cut != "" && !strings.Contains(wire.Cut(part, 12), cut) {
			t.Errorf("%d bytes: %q, want %q", size, wire.Cut(part, 12), cut)
		}
	}
}

func TestInLine(t *testing.T) {
	for text, want := range map[string]string{"/w/a b": "/w/a b", "é": "é", "": "", "a\nb": `"a\nb"`,
		"a\x1b[0m": `"a\u001b[0m"`, "\x7f": "\"\x7f\""} {
		if got := wire.InLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

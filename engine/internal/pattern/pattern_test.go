package pattern

import (
	"regexp"
	"strings"
	"testing"
)

// TestMatch shows what each part of the language matches. The cases are written by hand from ECMA-262.
func TestMatch(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{`abc`, "abc|xabcx|ababc", "|ab|abd"},
		{``, "|x", nothing},
		{`^$`, "", "x|\n"},
		{`^a`, "a|ab", "ba||\na"},
		{`a$`, "a|ba", "ab|a\n"},
		{`^[A-Z]{3}-\d{4,6}$`, "OPS-1234|OPS-123456", "OPS-123|OPS-1234567|ops-1234|OPS-12٣٤|OPS-1234\n"},
		{`^\d{5}(-\d{4})?$`, "12345|12345-6789", "1234|12345-|12345-678"},
		{`^(?:red|green|blue)$`, "red|blue", "redd|gre|"},
		{`cat|^dog$`, "concat|dog", "dogs|hot dog"},
		{`^[^@\s]+@[^@\s]+\.[^@\s]+$`, "a@b.c|a@b.c.d", "a@b|@b.c|a b@c.d|a@b.|a@b@c.d"},
		{`^(?=.*[A-Z])(?=.*\d).{8,}$`, "Passw0rd|12345678A", "password1|Password|Pass1|Passw0\nrd"},
		{`^(?!\.)(?!.*\.\.)[a-z.]+$`, "a.b|a.", ".a|a..b|"},
		{`(?=.*\d)^[a-z\d]+$`, "a1|1", "a|A1"},
		{`^(?=a)|b$`, "ax|xb", "xa|bx"},
		{`^(?!x)`, "|a", "x|xa"},
		{`.`, "a|é|😀", "|\n|\r|\u2028|\u2029"},
		{`^.$`, "é|😀", "ab|e\u0301"},
		{`^.{2}$`, "😀é|e\u0301", "😀"},
		{`^\s+$`, " \t\n\v\f\r|\u00a0|\ufeff|\u2028|\u3000|\u1680", "a|\u200b|\u0085"},
		{`^\S$`, "a|\u200b|\u0085", " |\u00a0"},
		{`^\w+$`, "aZ_9", "é|-| "},
		{`^\W$`, "é|-", "a|_"},
		{`^\D$`, "a|٣", "1"},
		{`^[\w-.]+$`, "a-b.c|-", "a b"},
		{`^[a\-z]+$`, "a-z", "b"},
		{`^[\]\\^-]+$`, "]\\^-", "a"},
		{`^[^]$`, "a|\n", "|ab"},
		{`[]`, nothing, "|a"},
		{`^[\b]$`, "\b", "b"},
		{`^\/\-\.\@\_\ $`, "/-.@_ ", "/-x@_ "},
		{`^\x41\u0042\u{43}\u{1F600}\uD83D\uDE00\cJ\0\t\n\v\f\r$`, "ABC😀😀\n\x00\t\n\v\f\r", "ABC"},
		{`^[\u{1F600}-\u{1F64F}]$`, "😀", "a"},
		{`^[\uD83D\uDE00-\uD83D\uDE02]$`, "😁", "😃"},
		{`\uD800`, nothing, "😀|a"},
		{`^{a}]$`, "{a}]", "a"},
		{`^a{,2}$`, "a{,2}", "a|aa"},
		{`^a{2}$`, "aa", "a|aaa"},
		{`^a{0}$`, "", "a"},
		{`^(a{0,2}){2}$`, "|a|aaaa", "aaaaa"},
		{`^a+?b??$`, "a|ab|aaab", "b|abb"},
		{`^(?<year>\d{4})-(?<month>\d\d)$`, "2026-11", "26-11"},
		{`^(a*)*$`, "|aaa", "b"},
		{`^(a|b)*c$`, "c|abac", "ab"},
		{`^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$`, "1.2.3.4|1.2.3.4.", "1.2.3|256.1.1.1"},
		{`^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$`, "127.0.0.1|255.255.255.255",
			"256.1.1.1|1.2.3|01.2.3.4"},
		{`\bcat\b`, "cat|a cat.|cat!", "concat|cats|_cat"},
		{`\Bcat`, "concat", "cat|a cat"},
		{`^\b`, "a", "|-"},
		{`\b$`, "a|-a", "|a-"},
		{`^\B$`, "", "a|-"},
		{`a\b\Bb`, nothing, "ab|a b"},
		{`^\p{L}[\p{L}\p{M}' -]*$`, "Zoë|O'Neil|Åsa-Li|名前", "1|x1"},
		{`^\p{Lu}\p{Ll}+\P{N}$`, "Ab!|Éa-", "ab!|Ab1"},
		{`^\p{Nd}$`, "1|٣", "a"},
		{`(^|,)a(,|$)`, "a|b,a|a,b|b,a,c", "ba|ab"},
		{`^x*[a-z]{0,70}y$`, "y|xxay|abcy", "xA|xz"},
		{`[a-z]+1`, "a1|  zz1", "1|a 1"},
		{`a[b]*c`, "abbbc|ac|xxabc", "abb|bc"},
		{`x{2,5}y`, "xxy|xxxxxxxy", "xy"},
		{`a*$`, "|b|aaa", nothing},
		{`^(?:.{0,40}x){3}$`, "xxx|axbxcx", "xx|xxxa"},
	} {
		p, fault := Compile(c.pattern)
		if fault != nil {
			t.Errorf("%s: %v", c.pattern, *fault)
			continue
		}
		for _, text := range texts(c.yes) {
			if !p.Match([]byte(text)) {
				t.Errorf("%s does not match %q", c.pattern, text)
			}
		}
		for _, text := range texts(c.no) {
			if p.Match([]byte(text)) {
				t.Errorf("%s matches %q", c.pattern, text)
			}
		}
	}
}

// nothing stands for no text at all, because the empty text is a text.
const nothing = "∅"

func texts(list string) []string {
	if list == nothing {
		return nil
	}
	return strings.Split(list, "|")
}

// TestFaults shows which patterns are refused, and where the fault is.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    Fault
	}{
		{`(a)\1`, Fault{Unsupported, "back_reference", 3}},
		{`(?<n>a)\k<n>`, Fault{Unsupported, "back_reference", 7}},
		{`(?<=a)b`, Fault{Unsupported, "look_behind", 0}},
		{`a(?<!b)`, Fault{Unsupported, "look_behind", 1}},
		{`(?=a)b`, Fault{Unsupported, "look_ahead", 0}},
		{`^a(?!b)`, Fault{Unsupported, "negative_look_ahead", 2}},
		{`^(?:(?=a)b|c)$`, Fault{Unsupported, "look_ahead", 4}},
		{`^(?i)a`, Fault{Unsupported, "inline_flags", 1}},
		{`^(?i:a)`, Fault{Unsupported, "inline_flags", 1}},
		{`^\p{Script=Greek}`, Fault{Unsupported, `\p{Script=Greek}`, 1}},
		{`[\p{Emoji}]`, Fault{Unsupported, `\p{Emoji}`, 1}},
		{`(a`, Fault{Invalid, "unclosed_group", 0}},
		{`a)`, Fault{Invalid, "unopened_group", 1}},
		{`[a`, Fault{Invalid, "unclosed_class", 0}},
		{`a**`, Fault{Invalid, "nothing_to_repeat", 2}},
		{`a++`, Fault{Invalid, "nothing_to_repeat", 2}},
		{`^*`, Fault{Invalid, "nothing_to_repeat", 0}},
		{`(?=a)*`, Fault{Invalid, "nothing_to_repeat", 0}},
		{`{2}`, Fault{Invalid, "nothing_to_repeat", 0}},
		{`a{3,2}`, Fault{Invalid, "bad_repetition", 1}},
		{`[z-a]`, Fault{Invalid, "bad_range", 1}},
		{`\A`, Fault{Invalid, "bad_escape", 0}},
		{`a\Z`, Fault{Invalid, "bad_escape", 1}},
		{`\`, Fault{Invalid, "bad_escape", 0}},
		{`\x4`, Fault{Invalid, "bad_escape", 0}},
		{`\u{110000}`, Fault{Invalid, "bad_escape", 0}},
		{`\u{}`, Fault{Invalid, "bad_escape", 0}},
		{`\c1`, Fault{Invalid, "bad_escape", 0}},
		{`\01`, Fault{Invalid, "bad_escape", 0}},
		{`\p`, Fault{Invalid, "bad_escape", 0}},
		{`\p{}`, Fault{Invalid, "bad_escape", 0}},
		{`(?P<n>a)`, Fault{Invalid, "unknown_group", 0}},
		{`(?<1>a)`, Fault{Invalid, "bad_group_name", 0}},
		{`(?<\u0031>a)`, Fault{Invalid, "bad_group_name", 0}},
		{`(?<a\n>a)`, Fault{Invalid, "bad_group_name", 0}},
		{`(?<a\u12>a)`, Fault{Invalid, "bad_group_name", 0}},
		{`(?>a)`, Fault{Invalid, "unknown_group", 0}},
		{`(?:ab){2,600}`, Fault{TooLarge, "", 13}},
		{`(a?){1000}`, Fault{TooLarge, "", 10}},
		{`(((){1000}){1000}){1000}`, Fault{TooLarge, "", 24}},
		{strings.Repeat("(", 200), Fault{TooLarge, "", 101}},
		{strings.Repeat("a", MaxBytes+1), Fault{TooLarge, "", MaxBytes}},
	} {
		p, fault := Compile(c.pattern)
		switch {
		case fault == nil:
			t.Errorf("%.40s: compiled to size %d, want %v", c.pattern, p.Size(), c.want)
		case *fault != c.want:
			t.Errorf("%.40s: got %v, want %v", c.pattern, *fault, c.want)
		}
	}
}

// TestMachines checks that ordinary patterns get the fast machine.
func TestMachines(t *testing.T) {
	for pattern, want := range map[string]string{
		`^[A-Z]{2,5}-\d{1,6}$`: "chain", `^\d{5}(-\d{4})?$`: "chain", `^\+?[1-9]\d{1,14}$`: "chain", `^.{1,5000}$`: "chain",
		`^[a-z0-9]+(?:-[a-z0-9]+)*$`: "narrow", `^.*[A-Z]`: "narrow", `^(.{1,40}x){2}$`: "wide", `foo|bar`: "chain",
		`^[^@\s]+@[^@\s]+\.[^@\s]+$`: "narrow",
	} {
		p, fault := Compile(pattern)
		if fault != nil {
			t.Fatal(pattern, *fault)
		}
		got := ""
		switch m := p.either[0][0].machine; {
		case m.chains != nil:
			got = "chain"
		case m.narrow != nil:
			got = "narrow"
		case m.wide != nil:
			got = "wide"
		}
		if got != want {
			t.Errorf("%s runs on %s, want %s", pattern, got, want)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	long := strings.Repeat("a", 64<<10)
	for _, c := range []struct{ name, pattern, text string }{
		{"ticket", `^[A-Z]{3}-\d{5}$`, "OPS-12345"},
		{"email", `^[^@\s]+@[^@\s]+\.[^@\s]+$`, "maria.keller@example.org"},
		{"password", `^(?=.*[A-Z])(?=.*\d).{8,}$`, "correctHorse7battery"},
		{"hostile-chain", `a{999}b`, long},
		{"hostile-narrow", `(a?){60}b`, long},
		{"hostile-wide", `(.*a){300}b`, long},
		{"hostile-star", `(a*)*b`, long},
	} {
		p, fault := Compile(c.pattern)
		if fault != nil {
			b.Fatal(c.name, *fault)
		}
		text := []byte(c.text)
		b.Run(c.name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Match(text)
			}
		})
		if re, err := regexp.Compile(c.pattern); err == nil && len(text) < 100 {
			b.Run(c.name+"/regexp", func(b *testing.B) {
				for b.Loop() {
					re.Match(text)
				}
			})
		}
		b.Run(c.name+"/compile", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compile(c.pattern)
			}
		})
	}
}

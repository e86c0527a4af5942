package policy

import "testing"

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		name, pattern, text string
		fold, want          bool
	}{
		{"case counts", "Deploy*", "deploy it", false, false},
		{"case is ignored", "Deploy*", "DEPLOY it", true, true},
		{"the whole text", "deploy", "deploy it", false, false},
		{"a set", "v[0-9]", "v7", false, true},
		{"empty", "", "", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, fault := CompilePattern(c.pattern, c.fold)
			if fault != "" {
				t.Fatalf("fault: %s", fault)
			}
			if got := p.Match(c.text); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if _, fault := CompilePattern("[a", false); fault == "" {
		t.Error("an unclosed set compiled")
	}
}

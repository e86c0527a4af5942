package logpage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

func write(t *testing.T, p *Page, module []byte) string {
	t.Helper()
	var out bytes.Buffer
	must.OK(t, p.Write(&out, module))
	return out.String()
}

// blocks returns the data of the blocks with a name.
func blocks(t *testing.T, page, name string) (texts []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(` class="`+name+`">([^<]*)</script>`).FindAllStringSubmatch(page, -1) {
		r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
		must.OK(t, err)
		text, err := io.ReadAll(r)
		must.OK(t, err)
		texts = append(texts, string(text))
	}
	return texts
}

// TestPolicyNamesWhatThePageHas: a hash that does not fit would leave a page without its script.
func TestPolicyNamesWhatThePageHas(t *testing.T) {
	for _, module := range [][]byte{nil, []byte("\x00asm")} {
		p := New(About{Made: time.UnixMilli(0)})
		page := write(t, p, module)
		policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
		for _, pattern := range []string{`(?s)<style>(.*?)</style>`, `(?s)<script type="module">(.*?)</script>`} {
			text := regexp.MustCompile(pattern).FindStringSubmatch(page)[1]
			sum := sha256.Sum256([]byte(text))
			if hash := base64.StdEncoding.EncodeToString(sum[:]); len(text) < 1000 || !strings.Contains(policy, hash) {
				t.Errorf("%s: %d bytes, %s is not in %s", pattern, len(text), hash, policy)
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe-inline") ||
			strings.Contains(policy, "'wasm-unsafe-eval'") != (module != nil) {
			t.Errorf("the policy is %s", policy)
		}
		if got := blocks(t, page, "module"); len(got) > 1 || len(got) == 1 && got[0] != string(module) {
			t.Errorf("the module is %q", got)
		}
		for _, outside := range []string{"http://", "https://", "src=", "href="} {
			if strings.Contains(strings.ReplaceAll(page, "http-equiv", ""), outside) {
				t.Errorf("the page contains %s", outside)
			}
		}
	}
}

// TestFilteredRecordsStandInTheirOrder: filters print the records of a question when the question is over.
func TestFilteredRecordsStandInTheirOrder(t *testing.T) {
	p := New(About{Filters: []string{"--server x"}})
	for _, name := range []string{"a", "b"} {
		p.Begin(name)
		for _, seq := range []int64{7, 2, 7, 5} {
			p.Record(seq, []byte{byte('0' + seq), '\n'})
		}
		p.End(Journal{Records: 9})
	}
	page := write(t, p, nil)
	if got := blocks(t, page, "records"); len(got) != 2 || got[0] != "2\n5\n7\n" || got[1] != got[0] {
		t.Errorf("the records are %q", got)
	}
	if got := blocks(t, page, "words"); len(got) != 1 || strings.Count(got[0], `["journal",{"name":`) != 2 {
		t.Errorf("the words are %q", got)
	}
}

func TestTwoPagesOfTheSameAreTheSame(t *testing.T) {
	made := func() string {
		p := New(About{Made: time.UnixMilli(1)})
		p.Begin("a")
		p.Question(Question{ID: 0, Message: "?"})
		p.End(Journal{})
		return write(t, p, []byte("module"))
	}
	if first, again := made(), made(); first != again {
		t.Error("two pages differ")
	}
}

// TestTooLarge: the page names the journals that its script would not replay, counted as the script counts.
func TestTooLarge(t *testing.T) {
	const room = maxReplay - len(`{"journal_text":""}`)
	tests := map[string]struct {
		line  string
		times int
		large bool
	}{
		"plain, at the limit":   {"x", room, false},
		"plain, over the limit": {"x", room + 1, true},
		"quotes, at the limit":  {`"`, room / 2, false},
		"quotes, over":          {`"`, room/2 + 1, true},
		"controls":              {"\x01", room/6 + 1, true},
		"letters of two bytes":  {"ü", room/2 + 1, true},
	}
	for name, tt := range tests {
		p := New(About{})
		p.Begin(name)
		p.Record(1, []byte(strings.Repeat(tt.line, tt.times)))
		p.End(Journal{})
		if large := len(p.TooLarge()) == 1; large != tt.large {
			t.Errorf("%s: too large is %t", name, large)
		}
	}
}

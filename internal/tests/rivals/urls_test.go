package rivals

import (
	"encoding/json"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/internal/must"
)

// parts of a URL: protocol, hostname, port, pathname, search, hash, and "user" for any user name or password.
type urlParts [7]string

// TestURLs compares ParseURL with Node, and with the test data of the URL Standard. Where ParseURL reads a URL, all see
// the same parts. What it refuses has one of the reasons below.
func TestURLs(t *testing.T) {
	rival := node(t, "url")
	rows := []*difference{{rival: "a browser", why: "IDNA"}} // it visits no such host, and no registry gives the name
	read, refused := 0, map[string]int{}
	data := urlTestData(t)
	check := func(raws []string, want []*urlParts) {
		ours := make([]risk.URL, len(raws))
		ok := make([]bool, len(raws))
		asked := append([]string{}, raws...)
		for i, raw := range raws {
			ours[i], ok[i] = risk.ParseURL(raw)
			asked = append(asked, again(ours[i]))
		}
		theirs := judged[*urlParts](t, rival, asked)
		for i, raw := range raws {
			readers := map[string]*urlParts{"Node": theirs[i]}
			if want != nil {
				readers["the test data"] = want[i]
			}
			for name, parts := range readers {
				switch why := whyNoURL(raw); {
				case ok[i] && parts == nil && allow(rows, "a browser", whyBrowsersRefuse(ours[i].Host)):
				case ok[i]:
					if read++; parts == nil || *parts != ourParts(ours[i], theirs[len(raws)+i]) {
						t.Errorf("%q: %s reads %q, ours are %q", raw, name, parts, ourParts(ours[i], theirs[len(raws)+i]))
					}
				case parts == nil || parts[0] != "http:" && parts[0] != "https:":
				case why == "":
					t.Errorf("%q: %s reads %q, and ParseURL refuses it", raw, name, *parts)
				default:
					refused[why]++
				}
			}
		}
	}
	var raws []string
	var want []*urlParts
	for raw, parts := range data {
		raws, want = append(raws, raw), append(want, parts)
	}
	check(raws, want)
	if read < 50 {
		t.Errorf("only %d readings of the test data were compared", read)
	}
	batches(*runs, func(r []*rand.Rand) {
		raws := make([]string, len(r))
		for i := range r {
			raws[i] = someURL(r[i])
		}
		check(raws, nil)
	})
	t.Logf("%d rows of test data, %d readings compared, refused %v", len(data), read, refused)
	if read < *runs/4 {
		t.Errorf("only %d readings were compared", read)
	}
	shown(t, rows)
	for _, why := range reasons {
		if refused[why.reason] == 0 {
			t.Errorf("nothing is refused for %s", why.reason)
		}
	}
}

// urlTestData are the rows of web-platform-tests, url/resources/urltestdata.json, that have no base. A module of Go
// brings the file; nothing of that module is built.
func urlTestData(t *testing.T) map[string]*urlParts {
	answer, err := exec.Command("go", "mod", "download", "-json", "github.com/nlnwa/whatwg-url@v0.6.2").Output()
	var module struct{ Dir, Sum string }
	if err == nil {
		err = json.Unmarshal(answer, &module)
	}
	if err != nil {
		why := "the test data of the URL Standard are missing: " + err.Error()
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	if module.Sum != "h1:jU61lU2ig4LANydbEJmA2nPrtCGiKdtgT0rmMd2VZ/Q=" {
		t.Fatal("the test data are others", module.Sum)
	}
	text := must.Read(t, module.Dir, "testdata", "urltestdata.json")
	var rows []json.RawMessage
	must.Unmarshal(t, text, &rows)
	data := map[string]*urlParts{}
	for _, raw := range rows {
		var row struct {
			Input, Protocol, Hostname, Port, Pathname, Search, Hash, Username, Password string
			Base                                                                        *string
			Failure                                                                     bool
		}
		if json.Unmarshal(raw, &row) != nil || row.Base != nil { // a text is a comment
			continue
		}
		data[row.Input] = nil
		if !row.Failure {
			data[row.Input] = &urlParts{row.Protocol, row.Hostname, row.Port, row.Pathname, row.Search, row.Hash,
				user(row.Username, row.Password)}
		}
	}
	return data
}

func user(name, password string) string {
	if name+password == "" {
		return ""
	}
	return "user"
}

// again writes a URL from what ParseURL found.
func again(u risk.URL) string {
	port := ""
	if u.Port > 0 {
		port = ":" + strconv.Itoa(u.Port)
	}
	text := u.Scheme + "://" + u.Host + port + u.Raw[u.PathStart:u.PathEnd]
	if u.QueryStart < u.QueryEnd {
		text += "?" + u.Raw[u.QueryStart:u.QueryEnd]
	}
	if u.FragStart < u.FragEnd {
		text += "#" + u.Raw[u.FragStart:u.FragEnd]
	}
	return text
}

// ourParts are the parts that ParseURL found, with path, query and fragment spelled as Node spells them.
func ourParts(u risk.URL, spelled *urlParts) urlParts {
	if spelled == nil {
		return urlParts{}
	}
	parts := *spelled
	parts[0], parts[1], parts[2], parts[6] = u.Scheme+":", u.Host, "", ""
	if strings.HasSuffix(u.Raw[u.HostStart:u.HostEnd], ".") && net.ParseIP(u.Host) == nil {
		parts[1] += "." // the same name of DNS
	}
	if u.Port > 0 {
		parts[2] = strconv.Itoa(u.Port)
	}
	_, before, _ := strings.Cut(u.Raw[:u.HostStart], "//")
	if before = strings.TrimSuffix(before, "@"); u.Userinfo && before != "" && before != ":" {
		parts[6] = "user"
	}
	return parts
}

// reasons are those for which ParseURL refuses what a browser takes. See ParseURL and package hostname.
var reasons = []struct {
	reason string
	shape  *regexp.Regexp
}{
	{"a character that is hidden, white space, a quote or a backslash",
		regexp.MustCompile(`[\x00-\x20"<>\\\p{C}\p{Z}\x{FFFD}]`)},
	{"half an escape", regexp.MustCompile(`%([^0-9A-Fa-f]|.[^0-9A-Fa-f]|.?$)`)},
	{"other than two slashes", regexp.MustCompile(`^[A-Za-z]+:(/?[^/]|///)`)},
	{"a port of zero or with zeros before it", regexp.MustCompile(`:0[0-9]*(?:[/?#]|$)`)},
	{"a user name with other characters", regexp.MustCompile(`//[^/?#]*[^-._~!$&'()*+,;=:%0-9A-Za-z/?#][^/?#]*@`)},
	{"an escape in the host", regexp.MustCompile(`//([^/?#]*@)?[^/?#@]*%`)},
	{"a letter of the host that IDNA may change", regexp.MustCompile(`//([^/?#]*@)?[^/?#@]*[^\x00-\x7f]`)},
	{"a punctuation mark in the host", regexp.MustCompile("//([^/?#]*@)?[^/?#@:]*[!$&'()*+,;=`{}|~^]")},
	{"an empty label or one with a hyphen at its end",
		regexp.MustCompile(`//([^/?#]*@)?([^/?#@:]*\.)?(-|[^/?#@:]*-[.:/?#]|[^/?#@:]*-$|[.])`)},
	{"a label of over 63 bytes", regexp.MustCompile(`[a-z0-9]{64}`)},
}

func whyNoURL(raw string) string {
	for _, r := range reasons {
		if r.shape.MatchString(raw) {
			return r.reason
		}
	}
	return ""
}

// whyBrowsersRefuse says what only IDNA forbids in a label: UTS 46 maps it, or RFC 5893 mixes no directions like that.
func whyBrowsersRefuse(host string) string {
	if strings.Contains(host, "xn--") {
		return "IDNA"
	}
	return ""
}

func someURL(r *rand.Rand) string {
	host := ""
	for range 1 + r.Intn(3) {
		host += pick(r, "a", "example", "EXAMPLE", "xn--mgbh0fb", "日本", "münchen", "a_b", "1", "x--y", "xn--ls8h") + "."
	}
	switch r.Intn(8) {
	case 0:
		host = pick(r, "[::1]", "[1:2::3.4.5.6]", "[::ffff:127.0.0.1]", "[1]", "[::1%25eth0]", "[v1.a]", "[0:0:1:0:0:0:0:1]",
			"[::1.2.3.]", "[::0x7f.1.1.1]", "[::0127.0.0.1]",
			"127.0.0.1", "0x7f.1", "4294967295", "256", "1.2.3.4.")
	case 1, 2:
		host += pick(r, "xn--a", "xn--pokxncvks", "xn--99999", "straße", "١", "-a", "a-", "1", "0x7f", "0177", "256", "",
			"%41", "ﬁ", "xn--b.", "xn--1ch", "a*b", "0xffffffffffffffffff",
			strings.Repeat("l", 64))
	default:
		host += pick(r, "com", "org", "COM", "مثال", "1a", "com.")
	}
	text := pick(r, "https://", "http://", "https://", "HTTP://", pick(r, "https:", "ht tp://", "ftp://", "", "//",
		"javascript:", "https:/", "http:///", `http:\\`)) +
		pick(r, "", "", "", "", "u@", "u:p@", "@", ":@", "a@b@", "u%40@") +
		host + pick(r, "", "", "", ":80", ":443", ":8080", ":0", ":00080", ":65536", ":", ":x")
	for range r.Intn(3) {
		text += pick(r, "/", "/a", "/..", "/./b", "//", "/%2e%2e", "/é", "/;x", "/@b", "/[", "/|", "/^")
	}
	text += pick(r, "", "", "?", "?q=1", "?a'b", "?a#b", "?/..") + pick(r, "", "", "#", "#f", "#a#b", "#é`")
	if r.Intn(6) == 0 {
		at := r.Intn(len(text) + 1)
		text = text[:at] + pick(r, " ", "\t", "\n", "\x00", "\u200b", "\u3002", "＠", "／", "#", "?", "@", ":", "/", `\`,
			"\u202e", "%", "%zz", "[", "0", "é") + text[at:]
	}
	return strings.ToValidUTF8(text, "")
}

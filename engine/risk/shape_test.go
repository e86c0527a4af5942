package risk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

const (
	someSeed = "legal winner thank year wave sausage worth useful legal winner thank yellow"
	someJWT  = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
)

func TestShapes(t *testing.T) {
	for text, want := range map[string]shapeKind{
		"4539578763621486": shapeCard, pastedCard: shapeCard, "4539-5787-6362-1486": shapeCard,
		"card:4539578763621486.": shapeCard,
		"3714 496353 98431":      shapeCard, "6011 0009 9013 9424": shapeCard,
		"4539578763621487": 0, "4111 1111 1111 1111": 0, "45395787636214861": 0, "x4539578763621486": 0,
		"4539 57876362 1486": 0, "+49 30 901820 4455": 0,
		"1234567812345670": 0, "2024-11-05 10:00": 0, "978-3-16-148410-0": 0,
		"DE89 3704 0044 0532 0130 00": shapeIBAN, "GB82WEST12345698765432": shapeIBAN, "NO93 8601 1117 947": shapeIBAN,
		"DE89 3704 0044 0532 0130 01": 0, "ZZ89370400440532013000": 0, "DE8937040044053201300": 0,
		"DE89370400440532013000X": 0,
		someJWT:                   shapeJWT, "Bearer " + someJWT: shapeJWT, "eyJ.a.b": 0, "eyJhbGciOiJIUzI1NiJ9": 0,
		"AKIAIOSFODNN7QRSTUVW": shapeKey, "AKIAIOSFODNN7EXAMPLE": 0, "key=ghp_16C7e42F292c6912E7710c838347Ae178B4a": shapeKey,
		"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": 0, "sk-tutorial-part-2-regression-models": 0,
		"sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7":   shapeKey,
		"xoxb-123456789012-aBcDeFgHiJkLmNoP": shapeKey, "AIzaSyA1234567890abcdefghijklmnopqrstuv": shapeKey,
		"AGE-SECRET-KEY-1":                      0,
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE": shapePrivateKey, "-----BEGIN PRIVATE KEY-----": shapePrivateKey,
		"-----BEGIN CERTIFICATE-----":         0,
		"-----BEGIN OPENSSH PRIVATE KEY-----": shapePrivateKey, "-----BEGIN PUBLIC KEY-----": 0,
		someSeed: shapeSeed,
		"Write down:\n1. legal\n2. winner\n3. thank\n4. year\n5. wave\n6. sausage\n" +
			"7. worth\n8. useful\n9. legal\n10. winner\n11. thank\n12. yellow": shapeSeed,
		strings.Repeat("line 1\n", 64): 0, strings.Repeat("legal winner thank ", 5): 0,
		strings.ToUpper(someSeed): shapeSeed, "legal winner thank year wave sausage worth useful legal winner thank": 0,
		"the quick brown fox jumps over the lazy dog and then goes home to sleep all day long": 0,
		"gX7bQ2mZ9kLp4RtV8wYc3NfD": shapeRandom, "d41d8cd98f00b204e9800998ecf8427e": 0,
		"550e8400-e29b-41d4-a716-446655440000": 0,
		"getUserProfileById2FromCache3AndMore": 0, "/usr/local/share/Applications/Foo2/Bar3": 0,
		"a-long-branch-name-for-JIRA-1234-fix": 0,
		"4539\u00a05787\u00a06362\u00a01486":   shapeCard, "4539.5787.6362.1486": shapeCard, "4539/5787/6362/1486": shapeCard,
		"4539 5787\n6362 1486":         shapeCard,
		"4539\r\n5787\r\n6362\r\n1486": shapeCard, "４５３９ ５７８７ ６３６２ １４８６": shapeCard, "٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٦": shapeCard,
		"۴۵۳۹ ۵۷۸۷ ۶۳۶۲ ۱۴۸۶":        shapeCard,
		"रकम ४५३९ ५७८७ ६३६२ १४८६ है": shapeCard, "4539\u200b5787\u200b6362\u200b1486": shapeCard, "4539 – 5787": 0,
		"4 5 3 9 5 7 8 7 6 3 6 2 1 4 8 6": shapeCard,
		"45 39 57 87 63 62 14 86":         shapeCard, "4539\u20115787\u20116362\u20111486": shapeCard,
		"カード4539578763621486です": shapeCard, "2024.01.02/2024.01.03": 0,
		"٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٧": 0, "postgres://app:hunter2@db/prod": shapePassword,
		"https://ann:s3cr3t!x@example.com/": shapePassword, "https://ann@example.com/": 0,
		"postgres://user:password@localhost/db": 0, "postgres://user:$PW@localhost": 0, "DB_PASSWORD=hunter2": shapePassword,
		"export API_KEY='9fjw03'":      shapePassword,
		"password = \"correct horse\"": shapePassword, "PASSWORD=": 0, "PASSWORD=<yours>": 0, "PASSWORD=xxxxxxxx": 0,
		"max_tokens=4096": 0, "color=green": 0,
		"token=true": 0, "password=password": 0, "AccountName=x;AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFy==;": shapePassword,
		"a=b": 0, "x == y": 0,
		"machine h.example login ann password hunter2": shapePassword, "the password policy has changed": 0,
		"login ann password hunter2":                              0,
		"otpauth://totp/Ex:ann?secret=JBSWY3DPEHPK3PXP&issuer=Ex": shapeOTP, "otpauth://totp/": 0, "123-45-6788": shapeSSN,
		"123-45-6789": 0, "000-12-3456": 0,
		"call 555-12-34567": 0, "id 219-09-9999.": shapeSSN, "SK0123456789abcdef0123456789abcdef": shapeKey,
		"AC0123456789abcdef0123456789abcdef": 0,
		"SKU-0123456789abcdef0123456789ab":   0, "http://": 0, "=": 0, "://:@": 0,
		"INTERNATIONALIZATION-2024-Q3": 0, "": 0, "-": 0, "4": 0, "DE89": 0,
	} {
		got, count := worstShape(text)
		if got.kind != want || (count > 0) != (want != 0) || got.from < 0 || got.to > len(text) || want != 0 &&
			got.from >= got.to {
			t.Errorf("worstShape(%q) = %v %d..%d, %d; want %v", text, got.kind, got.from, got.to, count, want)
		}
	}
}

func TestAnswerIsMasked(t *testing.T) {
	content := `{"note":"my card is ` + pastedCard + `","list":["ok","` + someJWT + `"],"n":4539578763621486,"pick":"` +
		someSeed + `","b":true,"z":null}`
	got := InspectAnswer([]Field{{Name: "pick", Closed: true}, {Name: "note"}}, []byte(content))
	want := map[string]string{"/content/note": "45…86", "/content/list/1": "ey…8U", "/content/n": "45…86"}
	if len(got) != len(want) {
		t.Errorf("%d findings; want %d: %+v", len(got), len(want), got)
	}
	for _, f := range got {
		if f.Code != "secret_in_answer" || f.Severity != elicit.High || f.Evidence != want[f.Pointer] {
			t.Errorf("%+v; want evidence %q", f, want[f.Pointer])
		}
	}
	for _, bad := range []string{"", "[", `"` + pastedCard + `"`, `{"a":`, "nonsense", `["` + pastedCard + `"]`} {
		if got := InspectAnswer(nil, []byte(bad)); got != nil {
			t.Errorf("InspectAnswer(%q) = %+v; want none", bad, got)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(`{"a":"` + pastedCard + `"}`)
	f.Add(`{"a":["` + someJWT + `",1,{"b":["x"]}],"c":4539578763621486}`)
	f.Add(`{"a":"` + someSeed + `","a":"DE89 3704 0044 0532 0130 00"}`)
	f.Fuzz(func(t *testing.T, content string) {
		for _, g := range InspectAnswer(nil, []byte(content)) {
			if g.Start < 0 || g.Start >= g.End || utf8.RuneCountInString(g.Evidence) > len("12.12") ||
				!strings.HasPrefix(g.Pointer, "/content/") {
				t.Errorf("%q: %+v", content, g)
			}
		}
	})
}

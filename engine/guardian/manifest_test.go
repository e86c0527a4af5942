package guardian

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

func TestParseManifest(t *testing.T) {
	many := `{"name":"a","version":"1","phases":["before_show"],"reads":[` + strings.Repeat(`"/answer",`, 64) +
		`"/answer"]}`
	for _, c := range []struct{ name, doc, want string }{
		{"least", `{"name":"z","version":"` + strings.Repeat("1", 64) + `","phases":["before_show"],"reads":[]}`,
			`{"name":"z","version":"` + strings.Repeat("1", 64) + `","phases":["before_show"],"reads":[]}`},
		{"all", `{"source":"s","license":"MIT","x-build":{"n":1},"settings":{"type":"object"},"data":"a list of hosts",` +
			`"reads":["/request/form/fields/*/name","/answer/a~1b"],
			"phases":["before_send","before_show"],"summary":"says \"no\"","version":"1.0","name":"links-2"}`,
			`{"name":"links-2","version":"1.0","summary":"says \"no\"","phases":["before_send","before_show"],` +
				`"reads":["/request/form/fields/*/name","/answer/a~1b"],"data":"a list of hosts","settings":{"type":"object"},` +
				`"license":"MIT","source":"s"}`},
		{"empty object", `{}`, "missing /name, missing /version, missing /phases, missing /reads"},
		{"not an object", `[]`, "wrong_type "},
		{"not JSON", `{`, "json_truncated "},
		{"a key twice", `{"name":"a","name":"b"}`, "json_duplicate_key /name"},
		{"too long", `{"x-":"` + strings.Repeat("a", 16<<10-len(`{"x-":""}`)+1) + `"}`, "json_size "},
		{"names", `{"name":"A b","version":"","phases":[],"reads":[]}`,
			"guardian_name /name, manifest_version /version, no_phases /phases"},
		{"phases", `{"name":"a","version":"1","phases":["before_show","during","before_show",1],"reads":[]}`,
			"unknown_phase /phases/1, repeated_value /phases/2, wrong_type /phases/3"},
		{"reads", `{"name":"a","version":"1","phases":["before_show"],"reads":["","/","/settings","/request/~2","/*",null]}`,
			"bad_reads_pointer /reads/0, bad_reads_pointer /reads/1, bad_reads_pointer /reads/2, bad_reads_pointer " +
				"/reads/3, bad_reads_pointer /reads/4, wrong_type /reads/5"},
		{"too many reads", many, "too_many_entries /reads"},
		{"as many reads as may be", strings.Replace(many, `"/answer",`, "", 1), strings.Replace(many, `"/answer",`, "", 1)},
		{"a longer version", `{"name":"a","version":"` + strings.Repeat("1", 65) + `","phases":["before_show"],"reads":[]}`,
			"manifest_version /version"},
		{"as long as may be", `{"x-":"` + strings.Repeat("a", 16<<10-len(`{"x-":""}`)) + `"}`,
			"missing /name, missing /version, missing /phases, missing /reads"},
		{"types", `{"name":1,"version":null,"phases":{},"reads":"/answer","settings":[],"summary":true,"license":[],` +
			`"source":{}}`,
			"wrong_type /name, wrong_type /version, wrong_type /phases, wrong_type /reads, wrong_type /settings, " +
				"wrong_type /summary, wrong_type /license, wrong_type /source"},
		{"unknown members", `{"name":"a","version":"1","phases":["before_show"],"reads":[],"X-a":1,"a/b":2}`,
			"unknown_member /X-a, unknown_member /a~1b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, problems := ParseManifest([]byte(c.doc))
			var list []string
			for _, p := range problems {
				list = append(list, p.Code+" "+p.Pointer)
			}
			got := strings.Join(list, ", ")
			if problems == nil {
				got = string(m.AppendJSON(nil))
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestNames: a name goes into the names of files, so it has no other characters anywhere.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "z9-": true, "az09-az": true, strings.Repeat("a", 64): true,
		strings.Repeat("a", 65): false, "": false, "9a": false, "-a": false, "a_": false, "aA": false, "a/b": false,
		"a:": false, "a`": false, "a{": false, "`": false, "{": false, "a.": false, "aé": false} {
		if got := IsName(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// TestTypesAreTold: an author learns which type a value has and which it must have.
func TestTypesAreTold(t *testing.T) {
	for value, want := range map[string]string{`null`: "null", `true`: "boolean", `false`: "boolean", `1`: "number",
		`[]`: "array", `{}`: "object"} {
		_, problems := ParseManifest([]byte(`{"name":"a","version":"1","phases":["before_show"],"reads":[],"data":` +
			value + `}`))
		if got := string(elicit.AppendList(nil, problems)); got != `[{"code":"wrong_type","pointer":"/data",`+
			`"args":{"expected":"string","got":"`+want+`"}}]` {
			t.Errorf("%s: %s", value, got)
		}
	}
	for size, want := range map[int]string{0: "manifest_data", 1: "", 500: "", 501: "manifest_data"} {
		_, problems := ParseManifest([]byte(`{"name":"a","version":"1","phases":["before_show"],"reads":[],"data":"` +
			strings.Repeat("d", size) + `"}`))
		if (len(problems) == 1) != (want != "") || want != "" && problems[0].Code != want {
			t.Errorf("%d bytes: %v", size, problems)
		}
	}
}

func TestDigest(t *testing.T) {
	if got, want := Digest([]byte("abc")),
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"name":"a","version":"1","phases":["before_show"],"reads":["/request/*"],"settings":{}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		m, problems := ParseManifest(doc)
		if len(problems) > 0 {
			return
		}
		once := string(m.AppendJSON(nil))
		again, problems := ParseManifest([]byte(once))
		if len(problems) > 0 || string(again.AppendJSON(nil)) != once {
			t.Fatalf("%s does not read back: %v", once, problems)
		}
	})
}

// TestManifestCodes checks which lists of codes are valid, and that a list is written as it was read.
func TestManifestCodes(t *testing.T) {
	const before, after = `{"name":"a","version":"1","phases":["before_send"],"reads":["/answer"],"codes":`, `}`
	for codes, want := range map[string]string{
		`["weak","reused_2"]`: "", `["weak"]`: "", `["Weak"]`: "finding_code",
		`["weak","weak"]`: "repeated_value", `"weak"`: "wrong_type",
		`[1]`:                                    "wrong_type",
		`["` + strings.Repeat("a", 65) + `"]`:    "finding_code",
		`[` + strings.Repeat(`"x",`, 3) + `"y"]`: "repeated_value",
		`["a` + strings.Join(strings.Split(letters(33), ""), `","a`) + `"]`: "too_many_entries",
		`["a` + strings.Join(strings.Split(letters(32), ""), `","a`) + `"]`: "",
	} {
		m, problems := ParseManifest([]byte(before + codes + after))
		if want == "" {
			if got := string(m.AppendJSON(nil)); len(problems) > 0 || got != before+codes+after {
				t.Errorf("%s: %v, written %s", codes, problems, got)
			}
			continue
		}
		if len(problems) == 0 || problems[0].Code != want {
			t.Errorf("%s: %v, want %s", codes, problems, want)
		}
	}
}

// letters returns n different characters of a code.
func letters(n int) string { return "abcdefghijklmnopqrstuvwxyz0123456789"[:n] }

func TestSettingsAreBounded(t *testing.T) {
	if MaxData != 4<<20 { // hosts refuse a longer document of data, as plugins/ABI.md says
		t.Error(MaxData)
	}
	for size, want := range map[int]int{64 << 10: 0, 64<<10 + 1: 1} {
		settings := `{"a":"` + strings.Repeat("b", size-len(`{"a":""}`)) + `"}`
		if _, problems := ReadPermits(gjson.Parse(`[{"name":"g","settings":` + settings + `}]`)); len(problems) != want {
			t.Errorf("settings of %d bytes: %v", size, problems)
		}
	}
}

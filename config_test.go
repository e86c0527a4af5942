package elicit_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/engine"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/schema"
)

// keysOf lists the JSON names of a struct's fields, in order.
func keysOf(t reflect.Type) (names []string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// TestConfigHasTheEnginesKeys checks that the types have the members in `describe`, in its order, and no others.
func TestConfigHasTheEnginesKeys(t *testing.T) {
	var limits, config, connection []string
	for _, l := range engine.Limits() {
		limits = append(limits, l.Name)
	}
	for _, k := range engine.ConfigKeys() {
		config = append(config, k.Name)
	}
	for _, k := range relay.ConfigKeys() {
		connection = append(connection, k.Name)
	}
	for _, tt := range []struct {
		of   any
		want []string
	}{{elicit.Config{}, config}, {elicit.Limits{}, limits}, {elicit.Connection{}, connection}} {
		if got := keysOf(reflect.TypeOf(tt.of)); !slices.Equal(got, tt.want) {
			t.Errorf("%T has %q, describe %q", tt.of, got, tt.want)
		}
	}
}

// TestGuardianHasTheGrantsKeys checks that the types have the members of a grant that guardians publish, without those
// of files for the command.
func TestGuardianHasTheGrantsKeys(t *testing.T) {
	for _, tt := range []struct{ ours, published any }{
		{elicit.Guardian{}, schema.Permit{}}, {elicit.Declared{}, schema.Declared{}},
	} {
		got, want := keysOf(reflect.TypeOf(tt.ours)), keysOf(reflect.TypeOf(tt.published))
		want = slices.DeleteFunc(want, func(key string) bool {
			return slices.Contains([]string{"module", "data", "command"}, key)
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%T has %q, %T %q", tt.ours, got, tt.published, want)
		}
	}
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// full returns a configuration with every member of every type set.
func full() elicit.Config {
	return elicit.Config{
		Profile: "2025-11-25", Pauses: true, JoinDuplicates: true, OfferScopes: true, ShowChanges: true,
		Servers: []string{"bank"},
		Grants: elicit.Grants{{ID: elicit.ID(digest[:32]), Digest: digest, Principal: "p", Server: "s", Identity: "i",
			Tool:    "t",
			Message: "Go <on>?", Scope: nouns.Always, ExpiresAt: 7}},
		Guardians: []elicit.Guardian{{Name: "links", Digest: digest, Fuel: 1, WASI: true, DeadlineMS: 2,
			Declared: &elicit.Declared{Phases: []string{"before_show"}, Reads: []string{"/request/url"},
				Codes: []string{"bad_link"}},
			Settings: json.RawMessage(`{"allow":["a&b"]}`), DataDigest: digest,
			Reads: []string{"/request/url"}, Phases: []string{"before_show"},
			Reviewer: true, Escalate: true, Host: true}, {Name: "rules", Audit: true}},
		Limits: elicit.Limits{Message: new(1), Schema: new(2), URL: new(3), Answer: new(4), Note: new(5),
			Arguments: new(6), Fields: new(5), Choices: new(6), Text: new(7), Sessions: new(8), Queue: new(0),
			HeldCalls: new(9),
			Shown:     new(1), Ended: new(1), PerMinute: new(2), Burst: new(0),
			PerMinuteSession: new(2), BurstSession: new(2), AdmittedPerMinute: new(2), AdmittedBurst: new(2),
			FloodBytes: new(2), AnswerTTLMS: new(0), ShownTTLMS: new(3), PageTTLMS: new(2), UnseenMS: new(1)},
		Policy: elicit.Policies{Managed: []byte(`{"version":1}`), ManagedPath: "/etc/managed.json",
			User:    []byte("{\"version\": 1}\n"),
			Project: []byte(`{"version":1,"grants":"none"}`), Session: []byte(`{"version":1}`)},
	}
}

// TestFullConfigIsRead checks that the engine accepts a configuration with every member, and that it reads back
// unchanged.
func TestFullConfigIsRead(t *testing.T) {
	c := full()
	whole := full()
	whole.Guardians[0].Audit = whole.Guardians[1].Audit // a reviewer cannot be audited
	whole.Guardians = whole.Guardians[:1]
	checkSet(t, reflect.ValueOf(whole), "Config")
	must.OK(t, c.Check())
	doc, err := json.Marshal(c)
	must.OK(t, err)
	back, err := elicit.ReadConfig(doc)
	if err != nil || !sameJSON(t, c, back) || !reflect.DeepEqual(c.Limits, back.Limits) || !reflect.DeepEqual(c.Policy,
		back.Policy) {
		t.Errorf("%s\nreads back as %+v, %v", doc, back, err)
	}
}

// checkSet reports fields that are zero, so that full cannot lack a new one.
func checkSet(t *testing.T, v reflect.Value, at string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for field, value := range v.Fields() {
			if field.Tag.Get("json") == "" {
				return // a type of the engine
			}
			checkSet(t, value, at+"."+field.Name)
		}
	case reflect.Pointer, reflect.Slice:
		if v.IsNil() {
			t.Errorf("%s is not set", at)
		} else if v.Kind() == reflect.Pointer {
			checkSet(t, v.Elem(), at)
		} else if v.Len() > 0 {
			checkSet(t, v.Index(0), at)
		}
	case reflect.String, reflect.Bool:
		if v.IsZero() {
			t.Errorf("%s is not set", at)
		}
	}
}

func sameJSON(t *testing.T, a, b any) bool {
	t.Helper()
	one, err := json.Marshal(a)
	must.OK(t, err)
	other, err := json.Marshal(b)
	must.OK(t, err)
	return string(one) == string(other)
}

// TestZeroValues checks that the zero value is {}, and that members whose zero has a meaning are written.
func TestZeroValues(t *testing.T) {
	for want, c := range map[string]elicit.Config{
		`{}`:                              {},
		`{"grants":[]}`:                   {Grants: elicit.Grants{}},
		`{"limits":{"queue":0}}`:          {Limits: elicit.Limits{Queue: new(0)}},
		`{"policy":{"user_text":""}}`:     {Policy: elicit.Policies{User: []byte{}}},
		`{"guardians":[{"name":"n"}]}`:    {Guardians: []elicit.Guardian{{Name: "n"}}},
		`{"policy":{"user_text":"\"\n"}}`: {Policy: elicit.Policies{User: []byte("\"\n")}},
	} {
		doc, err := json.Marshal(c)
		if err != nil || string(doc) != want {
			t.Errorf("%s is spelled %s, %v", want, doc, err)
		}
	}
}

// TestPolicyThatIsNoTextIsAnError checks that a policy with bytes that a JSON string cannot hold does not become
// another policy.
func TestPolicyThatIsNoTextIsAnError(t *testing.T) {
	c := elicit.Config{Policy: elicit.Policies{User: []byte("{\"version\":1,\"rules\":[{\"name\":\"\xff\"}]}")}}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Error(err)
	}
}

// TestReadConfigRefuses checks that ReadConfig refuses what the engine refuses, and nothing else.
func TestReadConfigRefuses(t *testing.T) {
	for doc, want := range map[string]string{
		`{"Profile":"tolerant"}`:                     "/Profile",
		`{"profile":"tolerant","profile":"x"}`:       "/profile",
		`{"limits":{"shown":1.5}}`:                   "/limits/shown",
		`{"policy":{"user":{},"other":{}}}`:          "/policy/other",
		`{"guardians":[{"name":"n","another":1}]}`:   "/guardians/0/another",
		`{"grants":[{"id":"x"}]}`:                    "/grants",
		`[]`:                                         "",
		`{"policy":{"user_text":{}}}`:                "/policy/user_text",
		`{"guardians":[{"name":"n","fuel":"many"}]}`: "/guardians/0/fuel",
	} {
		if c, err := elicit.ReadConfig([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", doc, c, err)
		}
	}
	c, err := elicit.ReadConfig([]byte(`{"policy":{"user":{"version": 1},"project_text":"{\"version\":1}"}}`))
	if err != nil || string(c.Policy.User) != `{"version": 1}` || string(c.Policy.Project) != `{"version":1}` {
		t.Errorf("%+v, %v", c.Policy, err)
	}
}

// TestEveryConfigIsReadAsItWasWritten draws configurations. The engine must accept each, and each must read back
// unchanged.
func TestEveryConfigIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := elicit.Config{
			Profile: rapid.SampledFrom([]string{"", "tolerant", "2025-06-18"}).Draw(r, "profile"),
			Pauses:  rapid.Bool().Draw(r, "pauses"), JoinDuplicates: rapid.Bool().Draw(r, "join_duplicates"),
			OfferScopes: rapid.Bool().Draw(r, "offer_scopes"),
			ShowChanges: rapid.Bool().Draw(r, "show_changes"),
			Servers:     rapid.SliceOfN(rapid.StringMatching(`[a-z<&é ]{1,20}`), 0, 3).Draw(r, "servers"),
		}
		limits := reflect.ValueOf(&c.Limits).Elem()
		for i, l := range engine.Limits() {
			if rapid.Bool().Draw(r, l.Name) {
				n := rapid.IntRange(l.Least, l.Most).Draw(r, "limit")
				limits.Field(i).Set(reflect.ValueOf(&n))
			}
		}
		if rapid.Bool().Draw(r, "policy") {
			c.Policy.User = []byte(rapid.SampledFrom([]string{"", "{", `{"version":1}`,
				"{\"version\":1,\t\"grants\":\"é<\"}"}).Draw(r, "text"))
		}
		doc, err := json.Marshal(c)
		if err != nil {
			r.Fatal(err)
		}
		back, err := elicit.ReadConfig(doc)
		if err != nil {
			r.Fatalf("%s: %v", doc, err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(doc) {
			r.Fatalf("%s\nreads back as\n%s, %v", doc, again, err)
		}
	})
}

// TestSchemaAgreesWithTheEngine checks that the published schema accepts what the engine accepts, and refuses what it
// refuses: for a document with everything, and for each way to get a member wrong.
func TestSchemaAgreesWithTheEngine(t *testing.T) {
	var s jsonschema.Schema
	must.Unmarshal(t, must.Read(t, "docs/config.schema.json"), &s)
	for _, layer := range []string{"managed", "user", "project", "session"} {
		s.Defs["policy"].Properties[layer].Ref = "" // engine/policy holds that schema to its reader
	}
	resolved, err := s.Resolve(nil)
	must.OK(t, err)
	everything, err := json.Marshal(full())
	must.OK(t, err)
	docs := []string{string(everything), `{}`, `{"another":1}`, `{"limits":{"another":1}}`, `{"policy":{"other":{}}}`,
		`{"guardians":[{}]}`, `{"guardians":[{"name":"n","mode":"off"}]}`, `{"profile":"strict"}`, `{"servers":[7]}`,
		`{"guardians":[{"name":"n","fuel":50000001}]}`, `{"guardians":[{"name":"n","digest":"ab"}]}`}
	for _, key := range engine.ConfigKeys() {
		docs = append(docs, fmt.Sprintf(`{%q:null}`, key.Name), fmt.Sprintf(`{%q:7}`, key.Name))
	}
	for _, l := range engine.Limits() {
		for _, n := range []int{l.Least - 1, l.Least, l.Most, l.Most + 1} {
			docs = append(docs, fmt.Sprintf(`{"limits":{%q:%d}}`, l.Name, n))
		}
		docs = append(docs, fmt.Sprintf(`{"limits":{%q:"1"}}`, l.Name))
	}
	for _, doc := range docs {
		var value any
		must.Unmarshal(t, doc, &value)
		problems, _ := engine.CheckConfig([]byte(doc))
		if err := resolved.Validate(value); (err == nil) != (len(problems) == 0) {
			t.Errorf("%s: the schema says %v, the engine %v", doc, err, problems)
		}
	}
}

package main

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// passes is a guest that answers every question with a pass.
const passes = "AGFzbQEAAAABDAJgAX8Bf2ACf38BfgMEAwABAQUDAQABBggBfwBBgIAECwdZBRNlbGljaXRfZ3VhcmRpYW5fYWJpAwAMZWxpY2l0X2FsbG9jAAAPZWxpY2l0X2V2" +
	"YWx1YXRlAAEVZWxpY2l0X2NoZWNrX3NldHRpbmdzAAIGbWVtb3J5AgAKIgMJAgF/AX5BgCALDQIBfwF+QpmAgICAAgsIAgF/AX5CAAsLHwEAQRALGXsidiI6MSwiZGVj" +
	"aXNpb24iOiJwYXNzIn0Acw9lbGljaXQuZ3VhcmRpYW57Im5hbWUiOiJ0ZXN0IiwidmVyc2lvbiI6IjEiLCJwaGFzZXMiOlsiYmVmb3JlX3Nob3ciLCJiZWZvcmVfc2VuZCJd" +
	"LCJyZWFkcyI6WyIvcmVxdWVzdCIsIi9hbnN3ZXIiXX0="

// TestGuest reads guests inside the module and beside it: what a browser runs is what every other host runs.
func TestGuest(t *testing.T) {
	d := instance(t, compiler(), built)
	raw, err := base64.StdEncoding.DecodeString(passes)
	if err != nil {
		t.Fatal(err)
	}
	module := string(raw)
	for name, module := range map[string]string{
		"whole":              module,
		"without a manifest": module[:strings.Index(module, "\x0felicit.guardian")-2],
		"cut":                module[:60],
		"nothing":            "",
		"a stranger's":       "{}",
		"another name":       strings.Replace(module, "elicit_alloc", "elicit_allot", 1),
	} {
		m, problems := guest.Read([]byte(module), guest.Options{WASI: true})
		if len(problems) > 0 {
			if _, got := d.call(abi.OpGuest, 0, 0, module, abi.Invalid); !strings.Contains(got, `"code":"`+problems[0].Code+`"`) {
				t.Errorf("%s: got %s, want %s", name, got, problems[0].Code)
			}
			continue
		}
		if _, got := d.call(abi.OpGuest, 0, 0, module, abi.OK); got != string(m.AppendJSON(nil, true)) || name != "whole" {
			t.Errorf("%s:\n got %s\nwant %s", name, got, m.AppendJSON(nil, true))
		}
	}
}

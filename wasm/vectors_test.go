package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// vector is a vector that is ready for a call. Its Want has no white space between tokens.
type vector struct {
	vectors.Vector
	number abi.Op
}

// callable reads the vectors of the module's operations and protocols in the order of their names, and counts the
// others by operation or protocol. The operations get the numbers of the module's describe.
func callable(t testing.TB, describe string) (all []vector, skipped map[string]int) {
	t.Helper()
	listed := described(t, describe)
	protocols := listed.protocols()
	skipped, commands := map[string]int{}, 0
	for _, v := range vectors.Read(t) {
		v.Want = v.Output()
		op := slices.Index(listed.Ops, v.Op)
		if op < 0 {
			skipped[v.Op]++
			continue
		}
		if !slices.Contains(listed.Ops, "impacts") && bytes.Contains(v.In, []byte(`"command`)) {
			commands++ // a module that reads no commands takes each for any command
			continue
		}
		var in struct{ Relay struct{ Protocol string } }
		if v.Op == "relay" && json.Unmarshal(v.In, &in) == nil && unspoken(protocols, in.Relay.Protocol) {
			skipped[in.Relay.Protocol]++
			continue
		}
		all = append(all, vector{v, listed.Numbers[op]})
	}
	t.Logf("%d vectors are left out: the module reads no commands", commands)
	if len(all) < 900 {
		t.Fatalf("%d vectors are too few to be all", len(all))
	}
	return all, skipped
}

// unspoken tells whether protocol is one that the module leaves out. Vectors also name protocols that nobody speaks.
func unspoken(protocols []string, protocol string) bool {
	return slices.Contains(leftOut, protocol) && !slices.Contains(protocols, protocol)
}

// leftOut has the protocols that the module for browsers leaves out.
var leftOut = []string{"acp", "codex"}

type description struct {
	ABI     struct{ Current, Oldest int32 }
	Ops     []string
	Numbers []abi.Op `json:"op_numbers"`
	Relay   struct {
		Config []struct {
			Name   string
			Values []string
		}
	}
	Rest map[string]any `json:"-"`
}

// protocols returns the protocols of connections.
func (d description) protocols() []string {
	for _, key := range d.Relay.Config {
		if key.Name == "protocol" {
			return key.Values
		}
	}
	return nil
}

func described(t testing.TB, describe string) (d description) {
	t.Helper()
	if err := json.Unmarshal([]byte(describe), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestVectors runs every vector under wazero when it compiles the module. When it interprets the module, a vector takes
// ninety times as long, and only wazero differs. So it interprets some vectors of each family, and all at night.
func TestVectors(t *testing.T) {
	t.Parallel()
	t.Run("compiler", func(t *testing.T) {
		t.Parallel()
		runVectors(t, whole, all)
	})
	t.Run("interpreter", func(t *testing.T) {
		t.Parallel()
		runVectors(t, interpreted, vectors.Some[vector])
	})
	t.Run("browser", func(t *testing.T) {
		t.Parallel()
		runVectors(t, browser, all, append(leftOut, abi.OpsWithout(abi.Browser)...)...)
	})
	t.Run("core", func(t *testing.T) {
		vectors.Night(t)
		t.Parallel()
		runVectors(t, core, all, abi.OpsWithout(abi.Core)...)
	})
}

func all(list []vector) []vector { return list }

// runVectors runs the chosen vectors on a module, which leaves out the operations and protocols absent.
func runVectors(t *testing.T, made func() (host, error), chosen func([]vector) []vector, absent ...string) {
	d := newInstance(t, made)
	_, describe := d.call(abi.OpDescribe, 0, 0, "", abi.OK)
	list, skipped := callable(t, describe)
	slices.Sort(absent)
	if got := slices.Sorted(maps.Keys(skipped)); !slices.Equal(got, absent) {
		t.Errorf("describe does not list %v, want all but %v", got, absent)
	}
	for _, op := range absent {
		t.Logf("%d vectors are left out: the module has no %s", skipped[op], op)
		number, in, status := abi.EvalOp(op), `{}`, abi.Invalid
		want := `{"problems":[{"code":"unknown_op","pointer":"","args":{"op":"` + op + `"}}]}`
		if slices.Contains(leftOut, op) {
			number, in, status = abi.EvalOp("relay"), `{"relay":{"server":"s","protocol":"`+op+`"},"inputs":[]}`, abi.OK
			want = `{"problems":[{"code":"unknown_protocol","pointer":"/relay/protocol","args":{"protocol":"` + op + `"}}]}`
		}
		if _, got := d.call(number, 0, 0, in, status); got != want {
			t.Errorf("%s: %s", op, got)
		}
	}
	ran, families := 0, map[string]int{}
	for _, v := range chosen(list) {
		status, opened, out, err := d.try(v.number, 0, 0, v.In)
		if err != nil || status != abi.OK || opened != 0 || !bytes.Equal(out, v.Want) {
			t.Errorf("%s: status %d, handle %d, %v\n got %s\nwant %s", v, status, opened, err, out, v.Want)
		}
		if err != nil {
			return
		}
		ran++
		families[v.Family()]++
	}
	for _, v := range list {
		if families[v.Family()] == 0 {
			t.Errorf("no vector of the family of %s", v)
		}
	}
	t.Logf("wazero %s: %d vectors", strings.ToLower(filepath.Base(t.Name())), ran)
}

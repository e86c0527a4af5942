//go:build unix

package main

import (
	"os"
	"testing"
)

// TestReloadOfData changes the data document of a guardian, also to one that the guardian does not take.
func TestReloadOfData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	clerk, err := os.ReadFile("../../testdata/guests/clerk.wasm")
	if err != nil {
		t.Fatal(err)
	}
	r.write("clerk.wasm", string(clerk))
	r.write("clerk.json", `{"module":"clerk.wasm","reads":[],"data":"list.txt"}`)
	r.write("list.txt", "pass")
	r = reloads(t, dir, "--guardian", r.path("clerk.json"), "--reload", "signal")
	r.call("deploy", deployed)
	r.write("list.txt", "deny")
	r.call("deploy", deployed) // nobody has asked yet
	r.hangUp()
	r.wait("new rules are in force")
	r.wait("guardian clerk has another permit")
	r.call("deploy", declined)
	r.write("list.txt", "x")
	r.hangUp()
	r.wait("the new rules are refused")
	r.wait("the document begins with x")
	r.call("deploy", declined)
	r.write("list.txt", "pass")
	r.hangUp()
	r.wait("new rules are in force")
	r.call("deploy", deployed)
	contains(t, r.end(), `configured anew\n      configuration [0-9a-f]{64} → [0-9a-f]{64}\n`+
		`      guardian clerk has another permit`)
}

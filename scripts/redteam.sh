# shellcheck shell=bash
# Writes forms and commands otherwise, as an attacker would, and tells how many findings are kept.

# redteam changes each form and each command of the corpora in each way that internal/redteam knows, and prints the
# worst change of each rule. Then it does the same with the learned guardian, if ./build.sh guests built it.
redteam() {
  need_go
  [ ! -f dist/guests/intent.wasm ] || export ELICIT_GUESTS=1
  go test -count=1 -v -run '^(TestForms|TestCommands|TestRedteam)$' ./internal/redteam ./plugins/guests |
    sed -n 's/^ *[a-z_]*_test.go:[0-9]*: //p'
}

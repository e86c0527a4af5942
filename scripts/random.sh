# shellcheck shell=bash
# Looks for faults with inputs, lives and changes that are drawn at random.

# fuzz_all SECONDS feeds every fuzz target of the module so long. It says how many inputs each took. total and bad count
# the targets, and fed the inputs. A target that took none is a failure as a finding is. The kept inputs are run first,
# and may take all of the time. So a target that took none has a minute once more. Findings are written to the package's
# testdata/fuzz.
fuzz_all() {
  local root=$PWD dir target out status executions
  total=0 bad=0 fed=0
  mkdir -p dist/fuzz
  for dir in $(git ls-files --cached --others --exclude-standard '*_test.go' | xargs grep -lE '^func Fuzz' |
    xargs -n1 dirname | sort -u); do
    go test -c -fuzz . -o dist/fuzz/target "./$dir" >&2 || { total=$((total + 1)) bad=$((bad + 1)); continue; }
    for target in $(grep -hoE '^func Fuzz\w+' "$dir"/*_test.go | cut -d' ' -f2); do
      feed "$1"
      [ "$executions" != 0 ] || [ "$status" != 0 ] || feed 60
      printf '%-28s %-22s %10s executions\n' "$dir" "$target" "$executions" >&2
      total=$((total + 1)) fed=$((fed + executions))
      if [ "$status" != 0 ] || [ "$executions" = 0 ]; then bad=$((bad + 1)); printf '%s\n' "$out" >&2; fi
    done
  done
  printf '%s fuzz targets, %s failed\n' "$total" "$bad" >&2
  [ "$total" -gt 0 ] || bad=1
  [ "$bad" = 0 ]
}

# feed SECONDS runs one target of fuzz_all. It sets status, out and executions.
feed() {
  status=0
  out=$(cd "$dir" && "$root/dist/fuzz/target" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$1s" \
    -test.fuzzminimizetime 10x -test.fuzzcachedir "$root/dist/fuzz/cache" 2>&1) || status=$?
  # Go's fuzzer may report its own end as a failure; a finding always names the input it kept.
  if grep -q 'context deadline exceeded' <<<"$out" && ! grep -q 'Failing input written' <<<"$out"; then status=0; fi
  executions=$(grep -oE '(execs|coverage): [0-9]+' <<<"$out" | cut -d' ' -f2 | sort -n | tail -1 || true)
  : "${executions:=0}"
}

fuzz() {
  need_go
  say "fuzzing"
  renice -n 10 $$ >/dev/null # it takes every processor for a long time
  fuzz_all "${1:-5}"
  need clang=clang clang:-fsanitize=fuzzer,address=libclang-rt-dev
  go test -count=1 -v -timeout 0 -run '^TestFeed$' ./cabi -feed "${1:-5}"
}

# parsers [SECONDS] lets libFuzzer feed each parser of the engine in one process, so that inputs cross no pipe.
parsers() {
  need_go
  need clang=clang clang:-fsanitize=fuzzer=libclang-rt-dev
  nice -n 10 go test -count=1 -v -timeout 0 -run '^TestParsers' ./engine/internal/feed -feed "${1:-5}"
}

# swarm [STEPS] [SEED] plays lives until they had as many steps in each package, such as 1m or 200k, from a seed on. One
# seed is one configuration and one life. One that fails ends the run, with its seed and its shortest form for a test.
swarm() {
  need_go
  local steps=${1:-200k} package
  steps=${steps/%[kK]/000} steps=${steps/%[mM]/000000}
  export ELICIT_SWARM_STEPS=$steps ELICIT_SWARM_FIRST=${2:-1}
  for package in ./engine ./engine/relay ./engine/asking/asker ./engine/drive; do
    say "swarm: $package, $steps steps from seed $ELICIT_SWARM_FIRST"
    go test -count=1 -timeout 0 -run '^TestSwarm$' "$package" || fail "a life of $package fails; it is above"
  done
}

# mutants [-n COUNT] [-seed N] PACKAGES runs COUNT mutants of each package, 10 without -n. Each is tried on the
# package's own tests, then on the vectors. internal/mutants/same.txt lists those that no test can notice.
mutants() {
  need_go
  go run ./internal/mutants "$@"
}

# swarm_mutants [COUNT] [SEED] lets the vectors, and then the swarm, find COUNT mutants of each package that it plays.
swarm_mutants() {
  local of
  for of in relay asking:asking/asker asking/asker drive; do
    ELICIT_SWARM_STEPS=20000 mutants -n "${1:-34}" -seed "${2:-1}" -own "./engine/abi -run ^TestVectors$" \
      -vectors "./engine/${of#*:} -run ^TestSwarm$" "./engine/${of%%:*}"
  done
}

# redteam changes each form and each command of the corpora in each way that internal/redteam knows, and prints the
# worst change of each rule. Then it does the same with the learned guardian, if ./build.sh guests built it.
redteam() {
  need_go
  [ ! -f dist/guests/intent.wasm ] || export ELICIT_GUESTS=1
  go test -count=1 -v -run '^(TestForms|TestCommands|TestRedteam)$' ./internal/redteam ./plugins/guests |
    sed -n 's/^ *[a-z_]*_test.go:[0-9]*: //p'
}

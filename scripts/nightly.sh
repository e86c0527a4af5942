# shellcheck shell=bash
# What takes too long for every change: all tests, slow hosts in full, and long fuzzing and swarms.

# nightly [SECONDS] [STEPS] runs them. It feeds every fuzz target SECONDS (60). It plays STEPS of random lives in each
# machine (5m), from a seed that is new each day. testdata/nightly.json keeps the result and the commit.
nightly() {
  local seconds=${1:-60} steps=${2:-5m} seed=$(($(date +%s) / 86400)) begun=$SECONDS good=true day commit
  local tests swarm_failed=false
  need_go
  [ -z "$(git status --porcelain)" ] || fail "commit first: the result is that of a commit"
  day=$(date -u +%FT%TZ) commit=$(git rev-parse HEAD)
  need qemu-aarch64=qemu-user file:/usr/aarch64-linux-gnu/lib=libc6-arm64-cross wine=wine
  ./testdata/realparts/setup.sh conductor >&2
  export ELICIT_NIGHTLY=1
  say "nightly: all tests, with those that are left out by day"
  (prepare_tests && suites go js python modules lua emacs && echo "$passed $failed $skipped" >dist/nightly.counts) ||
    echo "0 1 0" >dist/nightly.counts
  read -r passed failed skipped <dist/nightly.counts
  export ELICIT_HOSTS=$PWD/dist/hosts.txt
  rust_in_c
  PATH=$PWD/dist:$PATH elicit hostkit --exec bindings/emacs/tests/hostkit.sh | tee /dev/stderr |
    sed -n 's/^\([0-9]*\) of \([0-9]*\) scripts passed.*/Emacs scenarios \1 \2/p' >>"$ELICIT_HOSTS" ||
    failed=$((failed + 1))
  go test -count=1 ./internal/hostkit -run '^TestHostsPage$' -update >&2 || failed=$((failed + 1))
  tests="{\"passed\": $passed, \"failed\": $failed, \"skipped\": $skipped}"
  [ "$failed" = 0 ] || good=false
  say "nightly: fuzzing"
  fuzz_all "${seconds}s" cache || good=false
  say "nightly: a kill each second, for twenty minutes a store"
  (cd internal/tests && ELICIT_FAULT_SECONDS=1200 ELICIT_FAULT_CLIENTS=48 \
    go test -count=1 -timeout 0 -run '^TestKills$' ./faults) || good=false
  say "nightly: readers of other languages"
  (cd internal/tests && go test -count=1 -timeout 0 -v -run '^Test(Answers|Documents|Lines|Patterns|URLs)$' ./rivals \
    -runs 1000000 -seed "$seed") || good=false
  say "nightly: policies against a model, and comparisons against every request of small worlds"
  (cd internal/tests && go test -count=1 -timeout 0 -run '^TestModel$' ./policymodel -rounds 1000000 \
    -seed $((seed * 1000000)) && go test -count=1 -timeout 0 -run '^TestEnumerated$' ./policycompare \
    -rounds 100000 -seed $((seed * 100000))) || good=false
  go test -count=1 -timeout 0 -run '^TestEverythingThatMatteredIsNamed$' ./engine/policy -stacks 100000 \
    -seed $((seed * 100000)) || good=false
  say "nightly: functions of the engine with statements that no test reaches"
  go test -short -coverpkg=./engine/... -coverprofile=dist/cover ./engine/... >&2 || good=false
  go tool cover -func=dist/cover | sed 's|.*/elicit/||; s|:[0-9]*:||' |
    awk '$3 != "100.0%" { print $1, $2, $3 }' >testdata/uncovered.txt
  say "nightly: swarm"
  (swarm "$steps" "$seed") || swarm_failed=true good=false
  say "nightly: mutants that the swarm and the vectors are to find"
  swarm_mutants 34 "$seed" >&2 || good=false
  cat >testdata/nightly.json <<END
{
  "date": "$day",
  "commit": "$commit",
  "minutes": $(((SECONDS - begun + 59) / 60)),
  "tests": $tests,
  "fuzz": {"seconds": $seconds, "targets": $total, "failed": $bad, "executions": $fed},
  "swarm": {"steps": "$steps", "seed": $seed, "failed": $swarm_failed}
}
END
  cat testdata/nightly.json >&2
  $good || fail "the nightly run of $commit found a fault; it is above"
}

# rust_in_c runs the tests of the crate with the engine that its package compiles, and the example of the package.
rust_in_c() {
  build
  crate
  ELICIT_CLIENT=$(try_crate dist/elicit-engine-*.crate client)
  ELICIT_C_LIB=$(dirname "$(ls "${ELICIT_CLIENT%/examples/client}"/build/elicit-engine-*/out/libelicit.a)")
  export ELICIT_CLIENT ELICIT_C_LIB ELICIT_EVERY=1
  rust_suite
  rm -rf "${ELICIT_CLIENT%/target/*}"
  unset ELICIT_CLIENT ELICIT_C_LIB ELICIT_EVERY
}

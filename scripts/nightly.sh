# shellcheck shell=bash
# What takes too long for every change: slow hosts in full, and long fuzzing and swarms.

# nightly [SECONDS] [STEPS] runs them. It feeds every fuzz target SECONDS (60). It plays STEPS of random lives in each
# machine (5m), from a seed that is new each day. testdata/nightly.json keeps the result and the commit.
nightly() {
  local seconds=${1:-60} steps=${2:-5m} seed=$(($(date +%s) / 86400)) begun=$SECONDS good=true day commit
  local hosts swarm_failed=false slow
  need_go
  [ -z "$(git status --porcelain)" ] || fail "commit first: the result is that of a commit"
  day=$(date -u +%FT%TZ) commit=$(git rev-parse HEAD)
  need clang=clang clang:-fsanitize=fuzzer,address=libclang-rt-dev
  ./testdata/realparts/setup.sh node_packages python_packages java_packages conductor >&2
  need chromium=chromium
  build_js
  need qemu-aarch64=qemu-user file:/usr/aarch64-linux-gnu/lib=libc6-arm64-cross
  need ruby=ruby php=php-cli wine=wine file:/usr/bin/emacs=emacs-nox
  in_c
  export ELICIT_NIGHTLY=1 ELICIT_HOSTS=$PWD/dist/hosts.txt
  rm -f "$ELICIT_HOSTS"
  say "nightly: slow hosts"
  passed=0 failed=0 skipped=0
  slow='Vectors|Loops|Sanitized|CPlusPlus|Fuzz$|Feed|LateHandlers|Hosts|Soak|InC|Portable|Platforms|Java|Languages|Glue'
  run_tests -timeout 3h ./cabi ./wasm ./wasm/amalgam -run "Test($slow)"
  module_tests cmd/elicit . -run '^TestRealChain$'
  js_suite test/browser/vectors.test.ts test/connection.test.ts
  rust_in_c
  PATH=$PWD/dist:$PATH elicit hostkit --exec bindings/emacs/tests/hostkit.sh | tee /dev/stderr |
    sed -n 's/^\([0-9]*\) of \([0-9]*\) scripts passed.*/Emacs scenarios \1 \2/p' >>"$ELICIT_HOSTS" ||
    failed=$((failed + 1))
  go test -count=1 ./internal/hostkit -run '^TestHostsPage$' -update >&2 || failed=$((failed + 1))
  hosts="{\"passed\": $passed, \"failed\": $failed, \"skipped\": $skipped}"
  [ "$failed" = 0 ] || good=false
  say "nightly: fuzzing"
  fuzz_all "${seconds}s" cache || good=false
  say "nightly: a kill each second, for twenty minutes a store"
  lib
  (cd bindings/js/test/sqlite && js_packages)
  (cd internal/tests && ELICIT_FAULT_SECONDS=1200 ELICIT_FAULT_CLIENTS=48 \
    go test -count=1 -timeout 0 -run '^TestKills$' ./faults) || good=false
  go test -count=1 -timeout 0 -run '^TestWorlds$' ./engine/asking/asker || good=false
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
  "hosts": $hosts,
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

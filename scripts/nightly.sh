# shellcheck shell=bash
# What takes too long for every change.

# nightly [PART[=AMOUNT]]... runs the parts that are named, or all. The amounts are seconds for each target of fuzz and
# parsers and each store of kills, inputs of readers, rounds of policies, steps of swarm, and mutants of each machine.
# Seeds are new each day. testdata/nightly.json keeps when each part ran last, with which commit, and what came of it.
nightly() {
  local part amount begun status commit seed=$(($(date +%s) / 86400)) good=true
  need_go
  [ -z "$(git status --porcelain)" ] || fail "commit first: the result is that of a commit"
  commit=$(git rev-parse HEAD)
  [ $# -gt 0 ] || set -- check tests fuzz=60 parsers=60 kills=1200 readers=1000000 policies=100000 coverage swarm=5m \
    mutants=34
  export ELICIT_NIGHTLY=1
  mkdir -p dist
  for part; do
    amount=${part#*=} part=${part%%=*} begun=$SECONDS status=0
    [ "$(type -t "${part}_night")" = function ] || fail "nightly has no part $part"
    say "nightly: $part"
    : >dist/night
    # A function in a condition would not end where a command fails.
    set +e
    (set -e; "${part}_night" "$amount")
    status=$?
    set -e
    keep_night
    [ "$status" = 0 ] || good=false
  done
  cat testdata/nightly.json >&2
  $good || fail "the nightly run of $commit found a fault; it is above"
}

# keep_night replaces the line of a part, with the figures that it left in dist/night.
keep_night() {
  local file=testdata/nightly.json passed=true
  [ "$status" = 0 ] || passed=false
  {
    sed -n '/^  "'"$part"'":/!s/^\(  ".*}\),*$/\1/p' $file
    printf '  "%s": {"date": "%s", "commit": "%s", "minutes": %d, "passed": %s%s}\n' "$part" "$(date -u +%FT%TZ)" \
      "$commit" $(((SECONDS - begun + 59) / 60)) $passed "$(cat dist/night)"
  } | sort | sed '1s/^/{\n/; $!s/$/,/; $s/$/\n}/' >dist/nightly.json
  cp dist/nightly.json $file
}

check_night() { check; }

# tests_night runs all tests, with those that are left out by day.
tests_night() {
  need qemu-aarch64=qemu-user file:/usr/aarch64-linux-gnu/lib=libc6-arm64-cross wine=wine \
    mmdebstrap=mmdebstrap patchelf=patchelf file:/usr/share/keyrings/debian-archive-keyring.gpg=debian-archive-keyring
  prepare_tests
  suites go js python modules lua emacs
  rust_in_c
  newer_neovims trixie sid >&2
  PATH=$PWD/dist:$PATH elicit hostkit --exec bindings/emacs/tests/hostkit.sh | tee /dev/stderr |
    sed -n 's/^\([0-9]*\) of \([0-9]*\) scripts passed.*/Emacs scenarios \1 \2/p' >>"$ELICIT_HOSTS"
  printf ', "tests": %d, "failed": %d, "skipped": %d' "$passed" "$failed" "$skipped" >dist/night
  [ "$failed" = 0 ]
  go test -count=1 ./internal/hostkit -run '^TestHostsPage$' -update >&2
}

fuzz_night() {
  local good=true
  fuzz_all "$1" || good=false
  printf ', "seconds": %d, "targets": %d, "failed": %d, "executions": %d' "$1" "$total" "$bad" "$fed" >dist/night
  $good
}

parsers_night() {
  parsers "$1" | tee /dev/stderr |
    sed -n 's/.* \([0-9]*\) parsers, \([0-9]*\) exec.*/, "seconds": '"$1"', "targets": \1, "executions": \2/p' \
    >dist/night
}

# kills_night kills a process each second.
kills_night() {
  test_packages
  parts_build
  build_js
  (cd bindings/js/test/sqlite && js_packages)
  lib
  cd internal/tests
  ELICIT_FAULT_SECONDS=$1 ELICIT_FAULT_CLIENTS=12 go test -count=1 -timeout 0 -v -run '^TestKills$' ./faults
}

# readers_night compares with readers of other languages, and with what shells run in a sandbox.
readers_night() {
  test_packages
  need bwrap=bubblewrap dash=dash
  parts_build
  cd internal/tests
  go test -timeout 0 -v -run '^Test(Answers|Documents|Lines|Patterns|Runs|URLs)$' ./rivals -runs "$1" -seed "$seed"
}

# policies_night compares decisions with a model, comparisons with every request of small worlds, and reasons.
policies_night() {
  local model=$((10 * $1))
  (cd internal/tests && go test -count=1 -timeout 0 -run '^TestModel$' ./policymodel -rounds $model \
    -seed $((seed * model)) && go test -count=1 -timeout 0 -run '^TestEnumerated$' ./policycompare -rounds "$1" \
    -seed $((seed * $1)))
  go test -count=1 -timeout 0 -run '^TestEverythingThatMatteredIsNamed$' ./engine/policy -stacks "$1" \
    -seed $((seed * $1))
}

# coverage_night lists the functions of the engine with statements that no test reaches.
coverage_night() {
  go test -short -coverpkg=./engine/... -coverprofile=dist/cover ./engine/... >&2
  go tool cover -func=dist/cover | sed 's|.*/elicit/||; s|:[0-9]*:||' |
    awk '$3 != "100.0%" { print $1, $2, $3 }' >testdata/uncovered.txt
}

swarm_night() {
  printf ', "steps": "%s", "seed": %d' "$1" "$seed" >dist/night
  swarm "$1" "$seed"
}

mutants_night() { swarm_mutants "$1" "$seed"; }

# newer_neovims SUITE... runs the tests of the plugin in the Neovims of newer Debians. A mirror may have expired.
newer_neovims() {
  local suite root
  for suite; do
    root=$(mktemp -d)
    mmdebstrap --quiet --aptopt='Acquire::Check-Valid-Until "false"' --variant=extract --include=neovim "$suite" "$root"
    command install -D "$root/usr/bin/nvim" "$root/bin/nvim"
    patchelf --set-interpreter "$(ls "$root"/usr/lib*/ld-linux-*.so.*)" --force-rpath \
      --set-rpath "$(echo "$root"/usr/lib/*-linux-gnu)" "$root/bin/nvim" # its C library is newer, too
    PATH=$root/bin:$PATH VIMRUNTIME=$root/usr/share/nvim/runtime ELICIT_LIBRARY=$PWD/dist/libelicit.so.1 \
      bindings/lua/tests/run.sh
    rm -rf "$root"
  done
}

# rust_in_c runs the tests of the crate with the engine that its package compiles, and the example of the package.
rust_in_c() {
  build
  crate
  ELICIT_CLIENT=$(try_crate dist/elicit-engine-*.crate client)
  ELICIT_C_LIB=$(dirname "$(ls "${ELICIT_CLIENT%/examples/client}"/build/elicit-engine-*/out/libelicit.a)")
  export ELICIT_CLIENT ELICIT_C_LIB ELICIT_EVERY=1
  rust_suite
  CC=clang try_crate dist/elicit-engine-*.crate form --no-default-features
  rm -rf "${ELICIT_CLIENT%/target/*}"
  unset ELICIT_CLIENT ELICIT_C_LIB ELICIT_EVERY
}

# shellcheck shell=bash
# Runs tests and counts them.

# run_tests runs `go test` on its arguments, a line a package and every failure in full at the end. The record of the
# run is counted, not trusted: a run in which nothing ran is a failure. A package has half an hour, because a busy
# machine takes several times as long as a quiet one. `check` vets the packages, so the tests do not. The collector
# runs a quarter as often as it would, which a machine that builds them has the memory for.
run_tests() {
  local status=0 record=${record:-$PWD/dist/test.json}
  mkdir -p "${record%/*}"
  GOGC=${GOGC:-400} go run $gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg --jsonfile "$record" \
    -- -count=1 -timeout 30m -vet=off "$@" >&2 || status=$?
  passed=$(count_tests pass)
  failed=$(count_tests fail)
  skipped=$(count_tests skip)
  if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
  if [ "$passed" = 0 ]; then failed=1; fi
}

# count_in FILE PATTERN tells how often the pattern stands there, a file that is missing none.
count_in() { { grep -oE "$2" "$1" 2>/dev/null || true; } | wc -l; }

count_tests() { grep -c "\"Action\":\"$1\".*\"Test\":" "$record" || true; }

# module_tests DIR [PACKAGES FLAGS] runs the tests of a directory with a go.mod of its own, and adds to the counts.
module_tests() {
  local p=${passed:-0} f=${failed:-0} s=${skipped:-0} record=$PWD/dist/test-${1//\//-}.json
  cd "$1"
  run_tests "${@:2}"
  cd - >/dev/null
  say "$1: $passed passed, $failed failed"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

count_vectors() {
  grep -hoE 'vectors [a-z]+: [0-9]+' dist/test.json | sort | awk '{n+=$3; print} END {print "vectors in all: " n+0}' >&2
}

vectors() {
  need_go
  run_tests -run 'TestVectors|TestVectorTopics' ./engine/abi
  count_vectors
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
}

# js builds the npm package and runs its tests, in Node and in Chromium, and adds to the counts.
js() {
  prepare_js
  js_suite
}

prepare_js() {
  need chromium=chromium $(headless_shell)
  build_js
  # "ci" refuses a lock file that leaves out what Rollup brings for other systems only.
  (cd bindings/js/test/bundlers && js_packages install --no-save)
  (cd bindings/js/test/frameworks && js_packages)
  (cd bindings/js/test/sqlite && js_packages)
}

# js_suite does not build the package again, because other suites read it. With FILES it runs only the tests in them.
js_suite() {
  local status=0 p=0 f=0 s=0
  rm -f dist/vitest.json
  (cd bindings/js && npm run --silent types >&2 &&
    npx vitest run --reporter=default --reporter=json --outputFile.json=../../dist/vitest.json "$@" >&2) || status=$?
  [ ! -s dist/vitest.json ] || read -r p f s < <(node -p 'const r = JSON.parse(fs.readFileSync("dist/vitest.json"));
    `${r.numPassedTests} ${r.numFailedTests} ${r.numPendingTests}`')
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "JavaScript: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
}

# lua runs the tests of the Neovim plugin and adds to the counts.
lua() {
  need nvim=neovim tmux=tmux
  ./testdata/realparts/setup.sh >&2
  lib
  build
  lua_suite
}

lua_suite() {
  local p=0 f=0 status=0 counts
  counts=$(ELICIT_LIBRARY=$PWD/dist/libelicit.so.1 bindings/lua/tests/run.sh | tee >(cat >&2) | tail -1) || status=$?
  read -r p _ f _ <<<"$counts" || true
  [ -n "${p:-}" ] && [ "$p" -gt 0 ] 2>/dev/null || { p=0 f=1; }
  if [ "$status" != 0 ] && [ "${f:-0}" = 0 ]; then f=1; fi
  say "Neovim: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f))
}

# emacs checks elicit.el, installs it in an empty home, runs its tests there, and adds to the counts.
emacs() {
  need file:/usr/bin/emacs=emacs-nox file:/usr/share/emacs/site-lisp/elpa-src=elpa-package-lint
  build
  emacs_suite
}

emacs_suite() {
  local p f status=0 log=$PWD/dist/ert.log
  bindings/emacs/tests/run.sh 2>&1 | tee "$log" >&2 || status=$?
  p=$(count_in "$log" '^   passed ') f=$(count_in "$log" '^   FAILED +[0-9]+/')
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "Emacs: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f))
}

# python runs the tests of the Python package in the environment of the real parts, and those of the wheel in new ones.
python() {
  ./testdata/realparts/setup.sh >&2
  wheel
  python_suite
}

# python_suite runs the tests of asking with the SDK 1 too.
python_suite() {
  pytest venv tests
  pytest venv1 tests/test_ask{,_completed,_ends,_hooks,_http,_nodes,_prompt,_raw,_shape}.py
}

# rust_suite runs the tests of the crate with the library in ELICIT_C_LIB, or that of in_c, and its loop through the
# kit. The packed crate has its turn in nightly, as have those vectors that are left out here.
rust_suite() {
  local status=0 p f cargo log=$PWD/dist/rust.log target=$PWD/dist/rust
  cargo=$(newest_cargo) || fail "the crate wants Rust 1.85 or newer. Install it and run me again."
  (cd bindings/rust && export ELICIT_C_LIB=${ELICIT_C_LIB:-$PWD/../../dist/in-c} CARGO_TARGET_DIR=$target &&
    export ELICIT_DEMOSERVER=$PWD/../../dist/demoserver ELICIT_EVERY=${ELICIT_EVERY:-16} &&
    CARGO_PROFILE_DEV_DEBUG=0 env -u RUSTC "$cargo" test --locked 2>&1) | tee "$log" >&2 || status=$?
  p=$(count_in "$log" '^test .* \.\.\. ok$') f=$(count_in "$log" '^test .* \.\.\. FAILED$')
  [ "$status" != 0 ] || go run ./internal/hostkit -host Rust "$target/debug/examples/hostkit" >&2 || status=$?
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "Rust: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f)) skipped=${skipped:-0}
}

# pytest ENVIRONMENT FILES: runs tests of the Python package and counts them.
pytest() {
  local status=0 p f s report=$PWD/dist/pytest.xml venv=$1
  shift
  rm -f "$report"
  (cd bindings/python && ELICIT_LIBRARY=../../dist/libelicit.so.1 PYTHONPATH=src \
    "../../testdata/realparts/$venv/bin/python" -m pytest -q -rs \
    -p no:cacheprovider --junitxml "$report" "$@" >&2) || status=$?
  p=$(count_in "$report" '<testcase ') f=$(count_in "$report" '<(failure|error) ') s=$(count_in "$report" '<skipped ')
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "Python ($venv): $((p - f - s)) passed, $f failed"
  passed=$((${passed:-0} + p - f - s)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
}

# test_packages installs the packages of the system that the tests need.
test_packages() {
  need tmux=tmux strace=strace redis-server=redis-server file:/usr/lib/postgresql=postgresql \
    valgrind=valgrind cmake=cmake pkg-config=pkg-config \
    clang=clang clang:-fsanitize=fuzzer,address=libclang-rt-dev wasm-ld=lld wat2wasm=wabt nvim=neovim \
    file:/usr/bin/emacs=emacs-nox file:/usr/share/emacs/site-lisp/elpa-src=elpa-package-lint \
    chromium=chromium npm=npm node=nodejs python:ensurepip=python3-venv javac=default-jdk-headless \
    ruby=ruby php=php-cli tcc=tcc bwrap=bubblewrap dash=dash \
    lib:libuv=libuv1-dev lib:libcjson=libcjson-dev "${rust_packages[@]}" \
    $([ -e testdata/realparts/java/lib/.installed-from ] || echo mvn=maven) $(headless_shell)
}

# packages installs those, and what the real parts download. It waits for the network, so CI does it beside `check`.
packages() {
  test_packages
  ./testdata/realparts/setup.sh node_packages python_packages java_packages
}

test_all() {
  prepare_tests
  suites go js python rust modules lua emacs
  printf '%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" = 0 ] || printf ', %s skipped' "$skipped")"
  [ "$failed" = 0 ]
}

# headless_shell is a browser for the tests of pages that costs a third of Chromium's time, where the system has it.
headless_shell() {
  ! grep -qs '^ID=debian' /etc/os-release || echo chromium-headless-shell=chromium-headless-shell
}

# prepare_tests builds and installs what the suites read, so that they can run side by side. The longest comes first.
prepare_tests() {
  need_go
  compile_once
  need_npm
  say "The tests keep packages of npm, pip, Maven, Cargo and Go modules below this directory and in their caches."
  test_packages
  passed=0 failed=0 skipped=0
  export ELICIT_HOSTS=$PWD/dist/hosts.txt # internal/hostkit makes docs/hosts.md of it
  rm -f "$ELICIT_HOSTS"
  builds guardians parts engine
  # The choice of guardians_build, for the tests. The real parts are built by the newest Rust, so this comes after them.
  install_rust
  export ELICIT_KITS=1 ELICIT_GUESTS=1
  export GOFLAGS="${GOFLAGS:-} -ldflags=-w" # no tables for debuggers: they take almost half of a linker's time
  say "testing"
}

# The parts in Rust take three minutes to compile, so they are for the night.
parts_build() {
  ./testdata/realparts/setup.sh node_packages python_packages java_packages go_client \
    ${ELICIT_NIGHTLY:+rust_client conductor}
}

engine_build() {
  prepare_js
  build
  wheel
  in_c
}

guardians_build() {
  kit_examples
  build_guests
  build_smith
}

# go_suite begins with the longest packages, so that none runs alone at the end. Many tests wait for programs, so twice
# as many run at once. The sets of commands that packages have are fetched; without a network their tests are skipped.
go_suite() {
  export ELICIT_COMMANDS=$PWD/dist/commands ELICIT_COMMANDS_FETCH=registries
  run_tests -p $((2 * $(nproc))) ${ELICIT_NIGHTLY:+-timeout 3h} \
    ./{cmd/elicit,cabi,wasm,engine,internal/{tests/faults,house},plugins/...} $packages
  count_vectors
}

# commands [DIR] fetches the sets of commands that others wrote and that are not in DIR yet, and prints the figures.
commands() {
  need_go
  ELICIT_COMMANDS=$(realpath -m "${1:-dist/commands}") ELICIT_COMMANDS_FETCH=all \
    go test -count=1 -timeout 2h -v -run 'TestDigests|TestFigures' ./internal/tests/commands
}

modules_suite() {
  local module
  for module in $modules; do module_tests "$module" ./...; done
}

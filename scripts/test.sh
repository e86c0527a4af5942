# shellcheck shell=bash
# Runs tests and counts them.

# A package has half an hour, because a busy machine takes several times as long as a quiet one.
# run_tests runs `go test` on its arguments, a line a package and every failure in full at the end. The record of the
# run is counted, not trusted: a run in which nothing ran is a failure.
run_tests() {
  local status=0 record=${record:-$PWD/dist/test.json}
  mkdir -p "${record%/*}"
  go run $gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg --jsonfile "$record" \
    -- -count=1 -timeout 30m "$@" >&2 || status=$?
  passed=$(count_tests pass)
  failed=$(count_tests fail)
  skipped=$(count_tests skip)
  if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
  if [ "$passed" = 0 ]; then failed=1; fi
}

# count_in FILE PATTERN tells how often the pattern stands there, a file that is missing none.
count_in() { { grep -oE "$2" "$1" 2>/dev/null || true; } | wc -l; }

count_tests() { grep -c "\"Action\":\"$1\".*\"Test\":" "$record" || true; }

# module_tests runs the tests of a directory with a go.mod of its own, and adds to the counts.
module_tests() {
  local p=${passed:-0} f=${failed:-0} s=${skipped:-0} record=$PWD/dist/test-${1//\//-}.json
  cd "$1"
  run_tests ./...
  cd - >/dev/null
  say "$1: $passed passed, $failed failed"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

count_vectors() {
  grep -hoE 'vectors [a-z]+: [0-9]+' dist/test.json | sort | awk '{n+=$3; print} END {print "vectors in all: " n+0}' >&2
}

vectors() {
  need_go
  run_tests -run 'TestVectors|TestVectorIndex' ./engine/abi
  count_vectors
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
}

# js builds the npm package and runs its tests, in Node and in Chromium, and adds to the counts.
js() {
  local status=0 p=0 f=0 s=0
  need_npm
  wasm
  wasm_browser
  need chromium=chromium
  rm -f dist/vitest.json
  cd bindings/js
  js_packages
  # "ci" refuses a lock file that leaves out what Rollup brings for other systems only.
  (cd test/bundlers && js_packages install --no-save)
  (cd test/frameworks && js_packages)
  npm test --silent -- --reporter=default --reporter=json --outputFile.json=../../dist/vitest.json >&2 || status=$?
  cd ../..
  [ ! -s dist/vitest.json ] || read -r p f s < <(node -p 'const r = JSON.parse(fs.readFileSync("dist/vitest.json"));
    `${r.numPassedTests} ${r.numFailedTests} ${r.numPendingTests}`')
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then f=$((f + 1)); fi
  say "JavaScript: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
}

# lua runs the tests of the Neovim plugin and adds to the counts.
lua() {
  local p=0 f=0 status=0 counts
  need nvim=neovim tmux=tmux
  ./testdata/realparts/setup.sh >&2
  lib
  build
  counts=$(ELICIT_LIBRARY=$PWD/dist/libelicit.so.1 bindings/lua/tests/run.sh | tee >(cat >&2) | tail -1) || status=$?
  read -r p _ f _ <<<"$counts" || true
  [ -n "${p:-}" ] && [ "$p" -gt 0 ] 2>/dev/null || { p=0 f=1; }
  if [ "$status" != 0 ] && [ "${f:-0}" = 0 ]; then f=1; fi
  say "Neovim: $p passed, $f failed"
  passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f))
}

# python runs the tests of the Python package in the environment of the real parts, and those of the wheel in fresh
# ones. The tests of asking run with the SDK 1 too.
python() {
  wheel
  ./testdata/realparts/setup.sh >&2
  pytest venv tests
  pytest venv1 tests/test_ask.py tests/test_ask_ends.py tests/test_ask_hooks.py tests/test_ask_http.py \
    tests/test_ask_nodes.py tests/test_ask_raw.py tests/test_ask_shape.py
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

test_all() {
  need_go
  say "The tests keep packages of npm, pip, Maven, Cargo and Go modules below this directory and in their caches."
  need tmux=tmux strace=strace redis-server=redis-server valgrind=valgrind cmake=cmake pkg-config=pkg-config \
    clang=clang wasm-ld=lld wat2wasm=wabt nvim=neovim \
    chromium=chromium npm=npm node=nodejs python3=python3-venv javac=default-jdk-headless \
    lib:libuv=libuv1-dev lib:libcjson=libcjson-dev "${rust_packages[@]}" \
    $([ -e testdata/realparts/java/lib/.installed-from ] || echo mvn=maven)
  ./testdata/realparts/setup.sh >&2
  component
  kit_examples
  build_guests
  build_smith
  say "testing"
  run_tests ./...
  count_vectors
  for module in $modules; do module_tests "$module"; done
  js
  python
  lua
  say "fuzzing a second each"
  rm -rf dist/fuzz/short
  fuzz_all 1 short || true
  passed=$((passed + total - bad)) failed=$((failed + bad))
  printf '%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" = 0 ] || printf ', %s skipped' "$skipped")"
  [ "$failed" = 0 ]
}

# fuzz_all SECONDS CACHE feeds every fuzz target of the module that long and says how many inputs each took; total and
# bad count them. A target that took none is a failure as a finding is; kept inputs that are run again first count
# too. Findings are written to the package's testdata/fuzz.
fuzz_all() {
  local root=$PWD dir target out status executions
  total=0 bad=0
  mkdir -p dist/fuzz
  for dir in $(git ls-files --cached --others --exclude-standard '*_test.go' | xargs grep -lE '^func Fuzz' |
    xargs -n1 dirname | sort -u); do
    go test -c -fuzz . -o dist/fuzz/target "./$dir" >&2 || { total=$((total + 1)) bad=$((bad + 1)); continue; }
    for target in $(grep -hoE '^func Fuzz\w+' "$dir"/*_test.go | cut -d' ' -f2); do
      status=0
      out=$(cd "$dir" && nice "$root/dist/fuzz/target" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$1s" \
        -test.fuzzminimizetime 10x -test.fuzzcachedir "$root/dist/fuzz/$2" 2>&1) || status=$?
      # Go's fuzzer may report its own end as a failure; a finding always names the input it kept.
      if grep -q 'context deadline exceeded' <<<"$out" && ! grep -q 'Failing input written' <<<"$out"; then status=0; fi
      executions=$(grep -oE '(execs|coverage): [0-9]+' <<<"$out" | cut -d' ' -f2 | sort -n | tail -1 || true)
      printf '%-28s %-22s %10s executions\n' "$dir" "$target" "${executions:=0}" >&2
      total=$((total + 1))
      if [ "$status" != 0 ] || [ "$executions" = 0 ]; then bad=$((bad + 1)); printf '%s\n' "$out" >&2; fi
    done
  done
  printf '%s fuzz targets, %s failed\n' "$total" "$bad" >&2
  [ "$total" -gt 0 ] || bad=1
  [ "$bad" = 0 ]
}

fuzz() {
  need_go
  say "fuzzing"
  fuzz_all "${1:-5}" cache
  need clang=clang
  go test -count=1 -v -timeout 0 -run '^TestFeed$' ./cabi -feed "${1:-5}"
}

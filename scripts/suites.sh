# shellcheck shell=bash
# Runs suites of tests side by side and adds up what they counted.

# suites NAME... runs the function NAME_suite of each, the longest first, as many at once as there are processors, and
# at least two. Each has its name before every line and in dist/suites/NAME.log. Suites share the tree: none builds
# or installs anything that another one reads. passed, failed and skipped are the sums afterwards.
suites() {
  local name p f s free
  free=$(nproc)
  [ "$free" -gt 1 ] || free=2
  rm -rf dist/suites
  mkdir -p dist/suites
  # A shell makes what it starts in the background deaf to Ctrl-C.
  trap 'trap - INT TERM; kill 0' INT TERM
  for name; do
    [ "$free" -gt 0 ] || { wait -n || true; free=$((free + 1)); }
    suite "$name" &
    free=$((free - 1))
  done
  wait
  trap - INT TERM
  for name; do
    # A suite that ended early left no counts.
    read -r p f s 2>/dev/null <"dist/suites/$name.counts" || { p=0 f=1 s=0; }
    [ "$f" = 0 ] || say "$name: $f failed; see dist/suites/$name.log"
    passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
  done
}

# suite NAME runs one, and keeps its lines and its counts.
suite() {
  local name=$1 log=dist/suites/$1.log before=$SECONDS
  (
    passed=0 failed=0 skipped=0
    "${name}_suite"
    say "$passed passed, $failed failed, $skipped skipped, $((SECONDS - before)) seconds"
    printf '%s %s %s\n' "$passed" "$failed" "$skipped" >"dist/suites/$name.counts"
  ) 2>&1 | tee "$log" | sed -u "s/^/$name: /" >&2
}

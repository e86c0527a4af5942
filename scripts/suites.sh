# shellcheck shell=bash
# Runs suites of tests side by side and adds up what they counted.

# suites NAME... runs the function NAME_suite of each and adds passed, failed and skipped up. Suites share the tree:
# none builds or installs anything that another one reads.
suites() {
  local name p f s
  together suite "$@"
  for name; do
    # A suite that ended early left no counts.
    read -r p f s 2>/dev/null <"dist/suites/$name.counts" || { p=0 f=1 s=0; }
    [ "$f" = 0 ] || say "$name: $f failed; dist/suites/$name.log ends:"$'\n'"$(tail -n 60 "dist/suites/$name.log")"
    passed=$((${passed:-0} + p)) failed=$((${failed:-0} + f)) skipped=$((${skipped:-0} + s))
  done
}

# builds NAME... runs the function NAME_build of each. They share the tree as suites do.
builds() {
  local name
  together build "$@"
  for name; do
    [ -e "dist/suites/$name.counts" ] || fail "$name is not built; see dist/suites/$name.log"
  done
}

# together KIND NAME... runs the function NAME_KIND of each, in this order, as many at once as there are processors, and
# at least two. Builds also wait for downloads, so they are one more. Each has its name before every line and in
# dist/suites/NAME.log. The next do not see what one exports.
together() {
  local kind=$1 name most
  shift
  most=$(($(nproc) > 1 ? $(nproc) : 2))
  [ "$kind" != build ] || most=$((most + 1))
  mkdir -p dist/suites
  # A shell makes what it starts in the background deaf to Ctrl-C.
  trap 'trap - INT TERM; kill 0' INT TERM
  for name; do
    # "wait -n" also returns for one that ended before.
    while [ "$(jobs -rp | wc -l)" -ge "$most" ]; do wait -n || true; done
    beside "$kind" "$name" &
  done
  wait
  trap - INT TERM
}

# beside KIND NAME runs one, and keeps its lines and its counts.
beside() {
  local kind=$1 name=$2 before=$SECONDS used
  rm -f "dist/suites/$name.counts"
  (
    passed=0 failed=0 skipped=0
    "${name}_$kind"
    times >"dist/suites/$name.times" # not in a pipe, which would be a process of its own
    used=$(awk -F '[ms ]+' '{ n += ($1 + $3) * 60 + $2 + $4 } END { printf "%d", n }' "dist/suites/$name.times")
    used="$((SECONDS - before)) seconds, $used of a processor"
    case $kind in
      suite) say "$passed passed, $failed failed, $skipped skipped, $used" ;;
      *) say "built in $used" ;;
    esac
    printf '%s %s %s\n' "$passed" "$failed" "$skipped" >"dist/suites/$name.counts"
  ) 2>&1 | tee "dist/suites/$name.log" | sed -u "s/^/$name: /" >&2
}

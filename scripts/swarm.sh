# shellcheck shell=bash
# Plays random lives of a connection, of an engine, of the processes of a server, and of a journal on a failing disk.

# swarm [STEPS] [SEED] plays lives until they had as many steps in each package, such as 1m or 200k, from a seed on. One
# seed is one configuration and one life. A life that fails ends the run. Its output has the seed. At
# its end is the shortest life with the same fault, as lines for a vector or a test.
swarm() {
  need_go
  local steps=${1:-200k} package
  case $steps in
    *[kK]) steps=$((${steps%?} * 1000)) ;;
    *[mM]) steps=$((${steps%?} * 1000000)) ;;
  esac
  export ELICIT_SWARM_STEPS=$steps ELICIT_SWARM_FIRST=${2:-1}
  for package in ./engine ./engine/relay ./engine/asking/asker ./engine/drive; do
    say "swarm: $package, $steps steps from seed $ELICIT_SWARM_FIRST"
    go test -count=1 -timeout 0 -run '^TestSwarm$' "$package" || fail "a life of $package fails; it is above"
  done
}

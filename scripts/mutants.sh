# shellcheck shell=bash
# Changes one place of a package at a time, and tells which changes no test notices.

# mutants [-n COUNT] [-seed N] PACKAGES runs COUNT mutants of each package, 10 without -n. Each is tried on the
# package's own tests, then on the vectors. internal/mutants/same.txt lists those that no test can notice.
mutants() {
  need_go
  mkdir -p dist
  go build -o dist/mutants ./internal/mutants
  dist/mutants "$@"
}

# swarm_mutants [COUNT] [SEED] lets the vectors, and then the swarm, find COUNT mutants of each package that it plays.
swarm_mutants() {
  local of
  for of in relay asking:asking/asker asking/asker drive; do
    ELICIT_SWARM_STEPS=20000 mutants -n "${1:-34}" -seed "${2:-1}" -own "./engine/abi -run ^TestVectors$" \
      -vectors "./engine/${of#*:} -run ^TestSwarm$" "./engine/${of%%:*}"
  done
}

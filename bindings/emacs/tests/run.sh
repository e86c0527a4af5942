#!/usr/bin/env bash
# Runs the tests in an Emacs that knows nothing but this package: all of them, or those of the named files.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- tests/*-tests.el
loads=()
for file; do loads+=(-l "$file"); done
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HOME=$home XDG_CONFIG_HOME=$home \
  timeout 300 emacs -Q --batch -L . -L tests "${loads[@]}" -f ert-run-tests-batch-and-exit

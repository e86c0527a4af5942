#!/usr/bin/env bash
# Packs the package, installs it in an empty home, and runs the tests with nothing on PATH but elicit, which must be at
# $ELICIT or in dist/. Before that it compiles and checks the files, and plays the scenarios of failing journals; all of
# them take a minute. With a regular expression only the tests with such names run.
set -euo pipefail
cd "$(dirname "$0")/.."
elicit=$(realpath "${ELICIT:-../../dist/elicit}")
emacs=$(command -v emacs)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
./pack.sh "$home"
if tar -xOf "$home"/*.tar --wildcards '*/README.md' | grep -n '](\.\./'; then
  echo "the packed page has links that lead out of the package" >&2
  exit 1
fi
"$emacs" -Q --batch -L . -l tests/lint.el
mkdir "$home/bin" "$home/tests"
ln -s "$elicit" "$home/bin/elicit"
PATH=$home/bin:$PATH elicit hostkit --only "a journal that fails" --exec tests/hostkit.sh
cp tests/*-tests.el ../../testdata/plain.json "$home/tests/"
cd "$home/tests"
export HOME=$home PATH=$home/bin
unset "${!XDG_@}"
"$emacs" -Q --batch --eval "(progn (require 'package) (package-initialize) (package-install-file \
  (car (file-expand-wildcards \"$home/*.tar\"))))" 2>&1 |
  while read -r line; do case $line in *[Ww]arning*) echo "$line" ;; esac; done
exec "$emacs" -Q --batch --eval "(progn (require 'package) (package-initialize))" \
  -l ./elicit-plain-tests.el -l ./elicit-tests.el --eval "(ert-run-tests-batch-and-exit \"${1:-}\")"

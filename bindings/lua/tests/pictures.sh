#!/usr/bin/env bash
# Draws docs/images/nvim-*.svg again, from the screens of a real run.
set -euo pipefail
cd "$(dirname "$0")/.."
screens=$(mktemp -d)
trap 'rm -rf "$screens"' EXIT
ELICIT_PICTURES=$screens tests/run.sh tests/terminal_test.lua
mkdir -p ../../docs/images
ELICIT_SCREENS=$(echo "$screens"/*.ansi) ELICIT_PICTURES=$(cd ../../docs/images && pwd) \
  nvim --headless -i NONE -u NONE -c 'luafile tests/picture.lua' -c 'qall!' </dev/null
ls -l ../../docs/images

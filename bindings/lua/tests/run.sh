#!/usr/bin/env bash
# Runs the tests in a headless Neovim that knows nothing but this plugin: all of them, or those named.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- tests/*_test.lua
files=$(printf '"%s",' "$@")
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home XDG_STATE_HOME=$home XDG_CACHE_HOME=$home \
  timeout 600 nvim --headless -i NONE -u NONE \
  --cmd "set rtp^=$PWD | lua package.path = '$PWD/tests/?.lua;' .. package.path" \
  -c 'runtime plugin/elicit.lua' -c "lua require('harness').main({$files})" </dev/null

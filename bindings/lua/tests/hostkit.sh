#!/bin/sh
# The host of hostkit.lua, for internal/hostkit.
cd "$(dirname "$0")/.." || exit
exec nvim --headless -i NONE -u NONE --cmd "set rtp^=$PWD" -c 'luafile tests/hostkit.lua' -c 'qa!'

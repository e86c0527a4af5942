#!/bin/sh
# A reviewer for Elicit. It gets a question on its standard input and writes the model's text to its standard output.
# This file is yours: change it as you like.
set -eu
model=@MODEL@
url=@URL@
# A key: begin
# The key is in no command line, where other users could read it.
header=$(mktemp)
trap 'rm -f "$header"' EXIT
printf 'Authorization: Bearer %s\n' "${@KEY@:?holds no key}" >"$header"
# A key: end
@ELICIT@ reviewer request --model "$model" |
  curl --silent --show-error --fail --max-time 85 -H 'Content-Type: application/json' \
    --data-binary @- "$url" -H @"$header" |
  @ELICIT@ reviewer answer

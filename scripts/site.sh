# shellcheck shell=bash
# site builds dist/site, a static site of the pages, with the playground in it. A dead link between the pages fails the
# build, and so does a page on which axe finds a fault. Python 3, Node and Chromium are needed.
site() {
  local mkdocs=mkdocs-material==9.8.2 at=dist/site-work
  need python3=python3-venv chromium=chromium
  playground
  build
  rm -rf dist/site "$at"
  mkdir -p "$at/docs"
  cp -r dist/playground "$at/docs/playground"
  [ -x dist/site-venv/bin/mkdocs ] || python3 -m venv dist/site-venv
  dist/site-venv/bin/pip install -q "$mkdocs"
  dist/elicit explain > "$at/codes.txt"
  python3 scripts/site.py "$at"
  NO_MKDOCS_2_WARNING=1 dist/site-venv/bin/mkdocs build --quiet --strict -f "$at/mkdocs.yml" -d "$PWD/dist/site"
  (cd bindings/js && node test/site/look.mjs)
}

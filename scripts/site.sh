# shellcheck shell=bash
# site builds dist/site, a static site of the pages, with the playground in it. Python 3 is needed. Dead links between
# the pages fail the build.
site() {
  local mkdocs=mkdocs-material==9.8.2 at=dist/site-work
  need python3=python3-venv
  rm -rf dist/site "$at"
  mkdir -p "$at/docs"
  [ -x dist/site-venv/bin/mkdocs ] || python3 -m venv dist/site-venv
  dist/site-venv/bin/pip install -q "$mkdocs"
  build
  dist/elicit explain > "$at/codes.txt"
  python3 scripts/site.py "$at"
  NO_MKDOCS_2_WARNING=1 dist/site-venv/bin/mkdocs build --quiet --strict -f "$at/mkdocs.yml" -d "$PWD/dist/site"
  if [ -d dist/playground ]; then
    cp -r dist/playground dist/site/playground
  else
    echo "no playground in the site: run ./build.sh playground before"
  fi
}

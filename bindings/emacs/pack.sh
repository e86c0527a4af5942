#!/usr/bin/env bash
# Makes elicit-emacs-VERSION.tar in DIR, for package-install-file: pack.sh DIR.
set -euo pipefail
cd "$(dirname "$0")"
to=$(realpath "$1")
version=$(sed -n 's/^;; Version: //p' elicit.el)
stage=$(mktemp -d)
mkdir "$stage/elicit-$version"
cp elicit*.el example.el ../../LICENSE "$stage/elicit-$version/"
# A package has no repository around it for the links of its page.
sed 's#](\.\./\.\./#](https://github.com/elicit-engine/elicit/blob/main/#g' README.md \
  >"$stage/elicit-$version/README.md"
cat >"$stage/elicit-$version/elicit-pkg.el" <<END
(define-package "elicit" "$version" "$(sed -n '1s/.* --- \(.*\)  -\*-.*/\1/p' elicit.el)"
  '((emacs "28.1")))
END
tar -C "$stage" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX -cf "$to/elicit-emacs-$version.tar" "elicit-$version"
rm -r "$stage"

#!/bin/sh
# The host of elicit-hostkit.el, for elicit hostkit. Emacs reads and writes through the descriptors 3 and 4.
cd "$(dirname "$0")/.." || exit
exec emacs -Q --batch -L . -L tests -l elicit-hostkit -f elicit-hostkit-serve 3<&0 4>&1 </dev/null >&2

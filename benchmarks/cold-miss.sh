#!/bin/sh
# Cold resolutions per second and their p50, here and by Unbound, over the same tree in the same run; ratios are printed.
# Options are those of "ananas bench cold-miss". To be run on a machine that does nothing else.
set -eu
exec "$(dirname "$0")/../ananas" bench cold-miss "$@"

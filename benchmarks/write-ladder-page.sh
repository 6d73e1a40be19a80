#!/bin/sh
# Writes the table of a run into docs/ladder.md and its chart to docs/ladder.svg; no figure there is typed by hand.
#   benchmarks/write-ladder-page.sh ladder.json
set -eu
home=$(cd "$(dirname "$0")/.." && pwd -P)
[ $# -eq 1 ] || {
    echo "write-ladder-page: give one file, what './ananas bench ladder --json FILE' wrote" >&2
    exit 2
}
exec "$home/ananas" bench ladder --from "$1" --page "$home/docs/ladder.md" --plot "$home/docs/ladder.svg"

#!/bin/sh
# Replays traces through the eviction policies and writes the tables into docs/eviction.md; no figure there is typed by hand.
#   benchmarks/write-eviction-page.sh [TRACE]       a query log, as ./ananas bench hit-ratio --help tells
set -eu
home=$(cd "$(dirname "$0")/.." && pwd -P)
page=$home/docs/eviction.md
work=$(mktemp -d "${TMPDIR:-/tmp}/ananas-eviction.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

# replay NAME ARGUMENT...: puts what the command prints between the page's marks of that name
replay() {
    name=$1
    shift
    {
        printf '```\n'
        "$home/ananas" bench hit-ratio "$@" 2>/dev/null
        printf '```\n'
    } >>"$work/$name"
}

put() {
    awk -v name="$1" -v table="$work/$1" '
        $0 == "<!-- table " name " -->" {
            print; while ((getline line < table) > 0) print line; skip = 1; next }
        $0 == "<!-- end " name " -->" { skip = 0 }
        !skip' "$page" >"$work/page"
    cp "$work/page" "$page"
}

replay synthetic --trace synthetic --policy all
replay synthetic --trace synthetic --policy all --zipf 1.1 --one-shot 0.1 --drift 0.2
replay synthetic --trace synthetic --policy all --zipf 0.9 --one-shot 0.3 --drift 20
put synthetic
replay memory --trace synthetic --budget 8MiB,32MiB
if [ $# -gt 0 ]; then
    replay trace --trace "$1" --policy all
    put trace
    replay memory --trace "$1" --budget 1MiB
fi
put memory

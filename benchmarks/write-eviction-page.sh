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
    "$home/benchmarks/put-table.sh" "$page" "$1" <"$work/$1"
}

replay synthetic --trace synthetic --policy all
replay synthetic --trace synthetic --policy all --zipf 1.1 --one-shot 0.1 --drift 0.2
replay synthetic --trace synthetic --policy all --zipf 0.9 --one-shot 0.3 --drift 20
put synthetic
replay same-memory --trace synthetic --policy all --same-memory
replay same-memory --trace synthetic --policy all --same-memory --zipf 1.1 --one-shot 0.1 --drift 0.2
replay same-memory --trace synthetic --policy all --same-memory --zipf 0.9 --one-shot 0.3 --drift 20
replay memory --trace synthetic --budget 8MiB,32MiB
if [ $# -gt 0 ]; then
    replay trace --trace "$1" --policy all
    put trace
    replay same-memory --trace "$1" --policy all --same-memory
    replay memory --trace "$1" --budget 1MiB
fi
put memory
put same-memory

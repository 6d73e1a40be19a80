#!/bin/sh
# Runs the reference in Rust and the answer cache in turn on this machine, and prints the ratios.
#   benchmarks/compare-rust.sh --reference DIR [--entries N] [--runs K] [--cpu N] [--json FILE]
# DIR holds the reference's Cargo.toml (or set RUST_REF); it is copied to a temporary folder and built there.
# Both run pinned to one processor (--cpu, default the last), once each per round, K rounds (default 5); the Rust
# program in both page settings. Medians of the rounds are compared.
set -eu

home=$(cd "$(dirname "$0")/.." && pwd -P)
reference=${RUST_REF:-}
entries=1000000
runs=5
cpu=$(($(nproc 2>/dev/null || echo 1) - 1))
json=

fail() {
    echo "compare-rust: $1" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "found '$1' without a value; see the head of this script"
    case $1 in
        --reference) reference=$2 ;;
        --entries) entries=$2 ;;
        --runs) runs=$2 ;;
        --cpu) cpu=$2 ;;
        --json) json=$2 ;;
        *) fail "found '$1', expected --reference, --entries, --runs, --cpu or --json" ;;
    esac
    shift 2
done

case $entries$runs$cpu in *[!0-9]*) fail "--entries, --runs and --cpu are whole numbers" ;; esac
[ "$runs" -ge 1 ] || fail "--runs: found $runs, expected 1 or more, 5 for figures to quote"
command -v cargo >/dev/null || fail "cargo not found; install Rust (https://rustup.rs) and try again"
[ -n "$reference" ] || fail "no reference; give its folder with --reference DIR or RUST_REF"
[ -r "$reference/Cargo.toml" ] || fail "$reference: no Cargo.toml there, expected the folder of the reference"

work=$(mktemp -d "${TMPDIR:-/tmp}/ananas-rust.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/ref"
(cd "$reference" && tar -cf - --exclude=./target .) | (cd "$work/ref" && tar -xf -)
echo "compare-rust: building the reference" >&2
(cd "$work/ref" && CARGO_TARGET_DIR="$work/target" cargo build --release --quiet --offline >&2) ||
    fail "the reference does not build; the lines above say why"
bench=$work/target/release/bench

pin=
if command -v taskset >/dev/null && taskset -c "$cpu" true 2>/dev/null; then pin="taskset -c $cpu"; fi
[ -n "$pin" ] || echo "compare-rust: cannot pin to processor $cpu; running unpinned" >&2
"$home/ananas" bench --help >/dev/null || fail "ananas does not start; the lines above say why"

round=1
while [ "$round" -le "$runs" ]; do
    echo "compare-rust: round $round of $runs" >&2
    $pin "$bench" time --stage 5 --n "$entries" --label plain >>"$work/rust.tsv"
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 $pin "$bench" time --stage 5 --n "$entries" --label huge >>"$work/rust.tsv"
    $pin "$home/ananas" bench cache --entries "$entries" --runs 1 --json "$work/ananas-$round.json" >/dev/null
    round=$((round + 1))
done

set -- "$home/ananas" bench compare --rust "$work/rust.tsv" --ananas "$work"
[ -z "$json" ] || set -- "$@" --json "$json"
"$@"

#!/bin/sh
# Puts text between two marks of a page, "<!-- table NAME -->" and "<!-- end NAME -->", in place of what is there.
#   benchmarks/put-table.sh PAGE NAME <TEXT
set -eu
page=$1 name=$2
grep -q "^<!-- table $name -->\$" "$page" || { echo "put-table: $page has no mark '<!-- table $name -->'" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/ananas-table.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
cat >"$work/text"
awk -v name="$name" -v text="$work/text" '
    $0 == "<!-- table " name " -->" {
        print; while ((getline line < text) > 0) print line; skip = 1; next }
    $0 == "<!-- end " name " -->" { skip = 0 }
    !skip' "$page" >"$work/page"
cat "$work/page" >"$page"

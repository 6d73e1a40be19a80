#!/bin/sh
# Milliseconds from "./ananas serve" to its first answer, per kind of listener: five starts each. Needs dig and GNU date.
#   benchmarks/ready.sh [PORT]
set -eu
port=${1:-5399}
cd "$(dirname "$0")/.."
said=$(mktemp)
trap 'rm -f "$said"' EXIT
./ananas --version >/dev/null # builds, if that has to be
for place in "127.0.0.1 127.0.0.1" "0.0.0.0 127.0.0.1" "[::1] ::1" "[::] ::1"; do
    listen=${place% *}
    times=
    for _ in 1 2 3 4 5; do
        : >"$said"
        begun=$(date +%s%N)
        ./ananas serve --listen "$listen:$port" >"$said" &
        server=$!
        until grep -q try: "$said"; do # dig would wait for a second where nobody listens yet
            kill -0 "$server" || exit 1
            sleep 0.02
        done
        dig "@${place#* }" -p "$port" +tries=1 +time=5 +short localhost | grep -q '^127'
        times="$times $((($(date +%s%N) - begun) / 1000000))"
        kill "$server"
        wait "$server" || true
    done
    echo "$listen:$times"
done

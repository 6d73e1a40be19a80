#!/bin/sh
# Latency of hits at a fixed rate, here with collections of garbage in the window, and of a peer at the same rate.
#   benchmarks/peers/half-load.sh HARNESS WORK RESULTS.jsonl RATE [PEER] [REPETITIONS]
# RATE is in queries per second: half of what the slower of both can do. Hits leave no garbage, so the metrics are scraped every
# second, with a small young generation; how many collections there were is printed below the harness's tables.
set -eu
[ $# -ge 4 ] || { sed -n '2,5s/^# *//p' "$0" >&2; exit 2; }
harness=$1 work=$2 results=$3 rate=$4 peer=${5:-unbound} repetitions=${6:-5}
here=$(cd "$(dirname "$0")" && pwd -P)
[ -w "$harness/servers" ] || { echo "half-load.sh: $harness/servers cannot be written; copy the harness first" >&2; exit 2; }
logs=$(mktemp -d "${TMPDIR:-/tmp}/ananas-gc.XXXXXX")

{
    printf 'ANANAS=%s\nADMIN=5381\n. %s/ananas.sh\n' "$here/../.." "$here"
    printf 'export ANANAS_JVM_OPTS="-Xmn4m -Xlog:gc:file=%s/%%p.log"\n' "$logs"
    cat <<'VARIANT'
eval "srv_serve() $(declare -f srv_start | tail -n +2)"
srv_start() {
  (while kill -0 $$ 2>/dev/null; do
     sleep 1
     curl -s -o /dev/null "http://127.0.0.1:$ADMIN/metrics" || :
   done) &
  srv_serve
}
VARIANT
} >"$harness/servers/ananas-gc.sh"

python3 "$harness/bench.py" --work "$work" --servers "ananas-gc,$peer" --rate "$rate" --seconds 3 \
    --plan "200000:1:$repetitions:hot" --out "$results" >&2
python3 "$harness/report.py" "$results"
echo "Collections of garbage per run, and their pauses in ms:"
for log in "$logs"/*.log; do
    awk '/Pause/ { n++; ms = $NF; sub("ms", "", ms); if (ms > most) most = ms } END { printf "  %d, longest %.1f\n", n, most }' "$log"
done
rm -rf "$logs"

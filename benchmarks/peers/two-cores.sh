#!/bin/sh
# What a second core brings for hits: CPU per query with one worker on a core of its own, and with two workers on both cores, which
# the load generator then shares. The second core is worth 2 * (CPU per query with one) / (CPU per query with two).
#   benchmarks/peers/two-cores.sh HARNESS WORK RESULTS.jsonl [REPETITIONS]
set -eu
[ $# -ge 3 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
harness=$1 work=$2 results=$3 repetitions=${4:-5}
here=$(cd "$(dirname "$0")" && pwd -P)
[ -w "$harness/servers" ] || { echo "two-cores.sh: $harness/servers cannot be written; copy the harness first" >&2; exit 2; }
printf 'ANANAS=%s\n. %s/ananas.sh\n' "$here/../.." "$here" >"$harness/servers/ananas.sh"
for repetition in $(seq "$repetitions"); do
    python3 "$harness/bench.py" --work "$work" --servers ananas --plan "200000:1:1:hot,200000:2:1:hot" --out "$results" >&2
done
python3 - "$results" <<'SUMMARY'
import json, statistics, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
for step in ("hot-zipf", "hot-uniform"):
    one, two = ([r for r in rows if r["step"] == step and r["workers"] == w] for w in (1, 2))
    cpu = [statistics.median(r["us_per_query"] for r in rs) for rs in (one, two)]
    qps = [statistics.median(r["qps"] for r in rs) for rs in (one, two)]
    print("%-12s CPU per query %.2f us with one core, %.2f us with two: two cores are worth %.2f;"
          " %d and %d queries/s beside the load generator" % (step, cpu[0], cpu[1], 2 * cpu[0] / cpu[1], qps[0], qps[1]))
SUMMARY

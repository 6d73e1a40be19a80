#!/bin/sh
# Compares flags of the JVM in the harness that compares resolvers: hits, latency, misses and memory, several times each, in turn.
#   benchmarks/peers/jvm-flags.sh HARNESS WORK RESULTS.jsonl [REPETITIONS]
# HARNESS has bench.py and a writable folder "servers"; WORK has its files. Prints the harness's tables.
set -eu
[ $# -ge 3 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
harness=$1 work=$2 results=$3 repetitions=${4:-5}
here=$(cd "$(dirname "$0")" && pwd -P)
[ -w "$harness/servers" ] || { echo "jvm-flags.sh: $harness/servers cannot be written; copy the harness first" >&2; exit 2; }

names=
variant() {
    printf 'ANANAS=%s\n. %s/ananas.sh\nexport ANANAS_JVM_OPTS="%s"\n' "$here/../.." "$here" "$2" >"$harness/servers/$1.sh"
    names=${names:+$names,}$1
}
variant serial ""
variant serial-no-compact-headers "-XX:-UseCompactObjectHeaders"
variant serial-pretouch "-XX:+AlwaysPreTouch"
variant parallel "-XX:-UseSerialGC -XX:+UseParallelGC"
variant g1 "-XX:-UseSerialGC -XX:+UseG1GC"
variant z "-XX:-UseSerialGC -XX:+UseZGC"

python3 "$harness/bench.py" --work "$work" --servers "$names" --plan "200000:1:$repetitions:hot" --out "$results" >&2
python3 "$harness/report.py" "$results"

#!/usr/bin/env python3
"""Resolvers that run at the same time, filled alike and asked in turn: a few seconds each, round after round.

A machine that is shared changes its speed from minute to minute. In sessions one after another that hides what is compared; in
turns of seconds it hits all alike, and the ratio of two neighbours in the same round is steady. Who has no turn stands still. Quoted
are medians over the rounds; of latencies, which a single hiccup of the machine changes manyfold, the ratio of the medians. The first
rounds only warm up.

  benchmarks/peers/side-by-side.py --harness HARNESS --work WORK --servers unbound,dnsdist,ananas
  benchmarks/peers/side-by-side.py --harness HARNESS --work WORK --servers ananas:1,ananas:2 --latency 0

A server is a file of the harness's folder "servers", with ":WORKERS" behind it if there are several. One worker has a core of its own,
several share both cores with the load generator, which has the other one; so count the CPU per query, not queries per second. The
first server is what the others are compared with, and half of its throughput is the rate at which latency is measured. With
--misses N every N-th question of that load is one that no server knows. Hits make no garbage, misses do: so the collector of
Ananas runs in the measured time. How often it did is told.
"""
import argparse
import json
import os
import signal
import statistics
import subprocess
import sys

CLIENT_PORTS = 16
LOG_OF_COLLECTIONS = "-Xlog:gc:file=%s"


class Contender:
    """One running server, and what was measured of it."""

    def __init__(self, bench, args, spec, place):
        self.label = spec
        name, _, workers = spec.partition(":")
        self.workers = int(workers or 1)
        self.port = args.port + place
        self.rows = []
        self.gc_log = os.path.join(args.scratch, "gc-%d.log" % self.port)
        self.collects = args.misses > 0 and name == "ananas"
        options = os.environ.get("ANANAS_JVM_OPTS", "")
        if self.collects:
            os.environ["ANANAS_JVM_OPTS"] = options + " " + LOG_OF_COLLECTIONS % self.gc_log
        pin = bench.SERVER_CORE if self.workers == 1 else ""
        scratch = os.path.join(args.scratch, "at-%d" % self.port)
        os.makedirs(scratch, exist_ok=True)
        self.server = bench.Server(name, bench.ADDR, self.port, scratch, pin, self.workers, args.entries, args.auth_port)
        os.environ["ANANAS_JVM_OPTS"] = options

    def collections(self):
        if not self.collects:
            return 0
        with open(self.gc_log) as f:
            return sum("Pause" in line for line in f)

    def column(self, kind, key):
        return [row[key] for row in self.rows if row["kind"] == kind]

    def tell(self, number):
        for pid in self.server.pids():
            os.kill(pid, number)


class Comparison:
    def __init__(self, bench, args):
        self.bench, self.args = bench, args
        self.dnsload = os.path.join(args.scratch, "dnsload")
        subprocess.run(["cc", "-O2", "-o", self.dnsload, os.path.join(args.harness, "dnsload.c"), "-lm"], check=True)
        self.contenders = []
        self.auth = None
        self.new = self.unknown()

    def load(self, contender, file, *options):
        """What the others still do for themselves, such as compiling, shall not be felt: they stand still."""
        others = [c for c in self.contenders if c is not contender]
        for other in others:
            other.tell(signal.SIGSTOP)
        try:
            return self.alone(contender, file, *options)
        finally:
            for other in others:
                other.tell(signal.SIGCONT)

    def alone(self, contender, file, *options):
        pids = contender.server.pids()
        cpu = self.bench.cpu_seconds(pids)
        command = ["taskset", "-c", self.bench.LOAD_CORE, self.dnsload, "-s", self.bench.ADDR, "-p", str(contender.port),
                   "-d", os.path.join(self.args.work, file), "-w", "128", "-c", str(CLIENT_PORTS), *options]
        out = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, preexec_fn=self.bench.favour).stdout
        row = json.loads(out)
        row["cpu"] = self.bench.cpu_seconds(pids) - cpu
        row["busy"] = row["cpu"] / row["seconds"]
        return row

    def start(self):
        args, bench = self.args, self.bench
        with open(os.path.join(args.work, "warm.txt")) as f:
            known = f.readline().split()
        self.auth = bench.Server("knot-auth", bench.AUTH_ADDR, args.auth_port, args.scratch, bench.LOAD_CORE, 1, 0,
                                 args.auth_port, os.path.join(args.work, "root.zone"))
        self.auth.wait_ready(*known)
        for place, spec in enumerate(args.servers):
            contender = Contender(bench, args, spec, place)
            self.contenders.append(contender)
            contender.server.wait_ready(*known)
            self.fill(contender)

    def fill(self, contender):
        file = "fill-%d.txt" % self.args.entries
        filled = self.load(contender, file, "-1", "-l", "500", "-t", "3", "-L", str(self.args.entries // 100))
        if filled["noerror"] < self.args.entries * 0.99:
            sys.exit("%s answered %d of %d questions while it was filled" %
                     (contender.label, filled["noerror"], self.args.entries))
        print("%s: filled, %.1f us of CPU per miss" % (contender.label, filled["cpu"] * 1e6 / filled["completed"]),
              file=sys.stderr, flush=True)

    def hits(self, contender, kind):
        row = self.load(contender, "hot-%s-%d.txt" % (kind, self.args.entries), "-l", str(self.args.seconds), "-W", "0",
                        "-S", "-t", "0.3")
        return {"kind": kind, "qps": row["qps"], "cpu": row["cpu"] * 1e6 / row["completed"], "busy": row["busy"],
                "lost": row["lost"]}

    def mixed(self, rate):
        """A file with the questions of one turn at that rate, every N-th of them new."""
        wanted = int(rate * (self.args.latency + 1))
        with open(os.path.join(self.args.work, "hot-zipf-%d.txt" % self.args.entries)) as hot:
            questions = [line for line, _ in zip(hot, range(wanted))]
        if self.args.misses:
            for i in range(0, len(questions), self.args.misses):
                questions[i] = next(self.new)
        path = os.path.join(self.args.scratch, "mixed.txt")
        with open(path, "w") as f:
            f.writelines(questions)
        return path

    def unknown(self):
        """Questions that the authoritative server can answer and nobody was filled with."""
        with open(os.path.join(self.args.work, "fill-%d.txt" % self.args.entries)) as f:
            known = set(f)
        with open(os.path.join(self.args.work, "fill-1000000.txt")) as f:
            yield from (line for line in f if line not in known)
        sys.exit("there are no more new questions; fewer rounds, or --misses with a larger number")

    def rate(self):
        """Half of what the first server did at full speed so far."""
        done = self.contenders[0].column("zipf", "qps") or [60000]
        return int(round(statistics.median(done) / 2, -3))

    def latency(self, contender, rate, file):
        before = contender.collections()
        measured = self.load(contender, file, "-l", str(self.args.latency), "-W", "0.5", "-S", "-r", str(rate))
        row = {k: measured[k] for k in ("p50_us", "p99_us", "p999_us", "lost")}
        return dict(row, kind="latency", rate=rate, cpu=measured["cpu"] * 1e6 / measured["completed"],
                    collections=contender.collections() - before)

    def measure(self, contender, row, number):
        if number > 0:
            contender.rows.append(row)
            with open(self.args.out, "a") as f:
                f.write(json.dumps(dict(row, server=contender.label, entries=self.args.entries, round=number)) + "\n")

    def run(self):
        for number in range(1 - self.args.warm, self.args.rounds + 1):
            for kind in ("zipf", "uniform"):
                for contender in self.contenders:
                    self.measure(contender, self.hits(contender, kind), number)
            if self.args.latency:
                file = self.mixed(self.rate())
                for contender in self.contenders:
                    self.measure(contender, self.latency(contender, self.rate(), file), number)
            print("round %d of %d" % (number, self.args.rounds), file=sys.stderr, flush=True)

    def stop(self):
        for server in [self.auth] + [c.server for c in self.contenders]:
            if server:
                server.stop()


def spread(values, digits):
    return "%.*f (%.*f-%.*f)" % (digits, statistics.median(values), digits, min(values), digits, max(values))


def ratio(contender, first, kind, key):
    pairs = zip(contender.column(kind, key), first.column(kind, key))
    return statistics.median(a / b for a, b in pairs)


def ratio_of_medians(contender, first, kind, key):
    return statistics.median(contender.column(kind, key)) / statistics.median(first.column(kind, key))


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def report(comparison):
    first = comparison.contenders[0]
    for kind in ("zipf", "uniform"):
        print("Hits, %s, %d entries, %d rounds:\n" % (kind, comparison.args.entries, comparison.args.rounds))
        table(["server", "kq/s", "to " + first.label, "CPU per query, us", "to " + first.label, "busy, %"],
              [[c.label, spread([q / 1000 for q in c.column(kind, "qps")], 0), "%.2f" % ratio(c, first, kind, "qps"),
                spread(c.column(kind, "cpu"), 2), "%.2f" % ratio(c, first, kind, "cpu"),
                "%.0f" % (100 * statistics.median(c.column(kind, "busy")))] for c in comparison.contenders])
    if comparison.args.latency:
        print("Latency at %d queries/s, zipf, microseconds:\n" % statistics.median(first.column("latency", "rate")))
        keys = ("p50_us", "p99_us", "p999_us")
        table(["server", "p50", "to " + first.label, "p99", "to " + first.label, "p99.9", "to " + first.label, "lost",
               "collections in a round"],
              [[c.label] + [text for k in keys for text in
                            (spread(c.column("latency", k), 0), "%.2f" % ratio_of_medians(c, first, "latency", k))]
               + ["%d" % sum(c.column("latency", "lost")), spread(c.column("latency", "collections"), 0)]
               for c in comparison.contenders])
    for c in comparison.contenders:
        if c.workers > first.workers:
            print("%d cores are worth %.2f (zipf) and %.2f (uniform) of %d, by CPU per query.\n" % (
                c.workers, *(c.workers / ratio(c, first, kind, "cpu") for kind in ("zipf", "uniform")), first.workers))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--harness", required=True, help="folder with bench.py and a writable folder servers")
    ap.add_argument("--work", required=True, help="folder with the harness's zone and query files")
    ap.add_argument("--servers", required=True, type=lambda s: s.split(","), help="NAME[:WORKERS], the first is the measure")
    ap.add_argument("--entries", type=int, default=1000000)
    ap.add_argument("--rounds", type=int, default=9)
    ap.add_argument("--warm", type=int, default=1, help="rounds before them, not counted")
    ap.add_argument("--seconds", type=float, default=2, help="of each turn at full speed")
    ap.add_argument("--latency", type=float, default=5, help="seconds of each turn at half the throughput; 0: none")
    ap.add_argument("--misses", type=int, default=0, help="every how many questions one is new while latency is measured")
    ap.add_argument("--scratch", default="/tmp/side-by-side")
    ap.add_argument("--port", type=int, default=5310)
    ap.add_argument("--auth-port", type=int, default=5300)
    ap.add_argument("--out", default=os.devnull, help="file to append every figure to, as JSON lines")
    args = ap.parse_args()
    if not os.access(os.path.join(args.harness, "servers"), os.W_OK):
        ap.error("--harness: %s/servers cannot be written; copy the harness first" % args.harness)
    if args.misses and args.entries >= 1000000:
        ap.error("--misses needs questions that nobody was filled with: fewer --entries than 1000000")
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(args.harness, "servers", "ananas.sh"), "w") as f:
        f.write("ANANAS=%s\n. %s/ananas.sh\n" % (os.path.join(here, "..", ".."), here))
    sys.path.insert(0, args.harness)
    import bench
    os.makedirs(args.scratch, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    comparison = Comparison(bench, args)
    try:
        comparison.start()
        comparison.run()
        report(comparison)
    finally:
        comparison.stop()


if __name__ == "__main__":
    main()

package io.ananas.benchmarks.replay;

import io.ananas.benchmarks.measure.ByteSize;
import io.ananas.benchmarks.measure.SvgChart;
import java.util.List;
import java.util.Locale;

/**
 * The result of {@code bench hit-ratio}.
 *
 * @param parameters of the trace and the upstream, a line each
 * @param queries replayed
 * @param distinct questions
 * @param skipped queries that were left out: no answer recorded, or no name that DNS has
 */
record HitRatioReport(
        String trace,
        List<String> parameters,
        int queries,
        int distinct,
        int skipped,
        List<BudgetResult> budgets,
        List<PolicyResult> policies) {

    String table() {
        final StringBuilder out = new StringBuilder();
        out.append(
                String.format(
                        Locale.ROOT,
                        "%s: %,d queries, %,d distinct questions, %,d left out%n",
                        trace,
                        queries,
                        distinct,
                        skipped));
        parameters.forEach(line -> out.append(line).append('\n'));
        if (!budgets.isEmpty()) {
            budgetTable(out);
        }
        if (!policies.isEmpty()) {
            policyTable(out);
        }
        return out.toString();
    }

    private void budgetTable(StringBuilder out) {
        out.append(
                String.format(
                        Locale.ROOT,
                        "%n%-10s %-14s %7s %12s %9s %10s %12s %10s %10s%n",
                        "budget",
                        "cache",
                        "subnets",
                        "entries",
                        "B/entry",
                        "hit ratio",
                        "upstream",
                        "mean ms",
                        "p99 ms"));
        for (BudgetResult r : budgets) {
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%-10s %-14s %7d %,12d %9.1f %9.2f%% %,12d %10.2f %10.1f%n",
                            new ByteSize(r.budget()),
                            r.cache(),
                            r.subnets(),
                            r.entries(),
                            r.octetsPerEntry(),
                            100 * r.hitRatio(),
                            r.upstreamQueries(),
                            r.meanMillis(),
                            r.p99Millis()));
        }
    }

    private void policyTable(StringBuilder out) {
        final boolean sameEntries = policies.stream().allMatch(r -> r.capacity() == r.size());
        out.append(
                String.format(
                        Locale.ROOT,
                        "%n%-31s %6s",
                        sameEntries ? "hit ratio %, entries" : "hit ratio %, memory of ours for",
                        "octets"));
        sizes().forEach(size -> out.append(String.format(Locale.ROOT, " %,9d", size)));
        out.append('\n');
        for (String policy : policyNames()) {
            out.append(String.format(Locale.ROOT, "%-31s %6.2f", policy, octets(policy)));
            for (double ratio : ratios(policy)) {
                out.append(String.format(Locale.ROOT, " %9.2f", ratio));
            }
            out.append('\n');
        }
    }

    private List<Integer> sizes() {
        return policies.stream().map(PolicyResult::size).distinct().toList();
    }

    private List<String> policyNames() {
        return policies.stream().map(PolicyResult::policy).distinct().toList();
    }

    /** What a policy needs per entry. */
    private double octets(String policy) {
        return policies.stream()
                .filter(r -> r.policy().equals(policy))
                .mapToDouble(PolicyResult::policyOctets)
                .findFirst()
                .orElseThrow();
    }

    private double[] ratios(String policy) {
        return policies.stream()
                .filter(r -> r.policy().equals(policy))
                .mapToDouble(r -> 100 * r.hitRatio())
                .toArray();
    }

    /** Hit ratio by size and policy; without policies, by cache. */
    String chart() {
        if (policies.isEmpty()) {
            final List<String> steps =
                    budgets.stream().map(r -> r.cache() + "/" + r.subnets()).toList();
            return new SvgChart("Hit ratio at the same memory: " + trace, "cache / subnets", steps)
                    .bars(
                            "hit ratio, %",
                            budgets.stream().mapToDouble(r -> 100 * r.hitRatio()).toArray())
                    .render();
        }
        final SvgChart chart =
                new SvgChart(
                        "Hit ratio in percent by entries: " + trace,
                        "entries",
                        sizes().stream().map(String::valueOf).toList());
        for (String policy : policyNames()) {
            chart.line(policy, ratios(policy));
        }
        final double least = policies.stream().mapToDouble(r -> 100 * r.hitRatio()).min().orElse(0);
        return chart.from(Math.max(0, Math.floor(least / 5) * 5)).render();
    }
}

package io.ananas.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Makes the name model from lists of real names.
 *
 * <p>{@code java -cp ... io.ananas.cache.NameModelTrainer LABELS OUT NAMES...}: LABELS is the list
 * of host labels with weights ({@code host-labels.txt} beside the tests), NAMES are files with one
 * name a line, most popular first. Names of hosts are made of the domains by putting labels in
 * front; a share of machine-made labels (hexadecimal, base 36, numbers) keeps such names from being
 * dear. Every symbol keeps a small weight, so no name is impossible.
 */
final class NameModelTrainer {
    private static final int TLD_TOKENS = 150;
    private static final double MACHINE_MADE = 0.12;
    private static final double INNER_FLOOR = 0.0015;

    private final Map<NameModel.Token, Double> tokenWeights = new HashMap<>();
    private final double[][] inner = new double[NameModel.CONTEXTS][NameModel.INNER_SYMBOLS];
    private final Random random = new Random(42);
    private final List<String> hostLabels = new ArrayList<>();
    private final List<Double> hostWeights = new ArrayList<>();
    private double hostTotal;
    private double labels;
    private double roots = 1;

    private NameModelTrainer() {}

    public static void main(String[] arguments) throws IOException {
        final NameModelTrainer trainer = new NameModelTrainer();
        trainer.readLabels(Path.of(arguments[0]));
        final List<String> names = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            Files.readAllLines(Path.of(arguments[i])).stream()
                    .map(name -> name.endsWith(".") ? name.substring(0, name.length() - 1) : name)
                    .filter(name -> !name.isBlank())
                    .forEach(names::add);
        }
        final NameModel model = trainer.train(names);
        Files.writeString(
                Path.of(arguments[1]),
                model.toText(
                        "Code lengths of the name code, made by NameModelTrainer from "
                                + names.size()
                                + " names. Do not edit."));
    }

    private void readLabels(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                final String[] fields = line.trim().split("\\s+", -1);
                final double weight = Double.parseDouble(fields[0]);
                for (int i = 1; i < fields.length; i++) {
                    hostLabels.add(fields[i]);
                    hostWeights.add(weight);
                    hostTotal += weight;
                }
            }
        }
    }

    private NameModel train(List<String> names) {
        final Map<String, Integer> tlds = new HashMap<>();
        for (String name : names) {
            tlds.merge(
                    name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT),
                    1,
                    Integer::sum);
        }
        final List<String> common =
                tlds.entrySet().stream()
                        .filter(e -> e.getKey().length() <= NameModel.MAX_TOKEN_LENGTH)
                        .sorted(
                                Map.Entry.<String, Integer>comparingByValue()
                                        .reversed()
                                        .thenComparing(Map.Entry.comparingByKey()))
                        .limit(TLD_TOKENS)
                        .map(Map.Entry::getKey)
                        .toList();
        final List<NameModel.Token> tokens = new ArrayList<>();
        common.forEach(tld -> tokens.add(new NameModel.Token(tld, true)));
        hostLabels.stream()
                .distinct()
                .filter(label -> label.length() <= NameModel.MAX_TOKEN_LENGTH)
                .forEach(label -> tokens.add(new NameModel.Token(label, false)));
        tokens.forEach(token -> tokenWeights.put(token, 2.0));
        for (int round = 0; round < 3; round++) {
            for (String name : names) {
                count(host(name));
            }
        }
        return new NameModel(lengths(tokens), tokens);
    }

    /** A name as it is asked for: the domain, mostly with a label or two in front. */
    private String host(String domain) {
        String name = domain;
        final double draw = random.nextDouble();
        final int depth = draw < 0.25 ? 0 : draw < 0.8 ? 1 : 2;
        for (int i = 0; i < depth; i++) {
            name = (random.nextDouble() < MACHINE_MADE ? machineMade() : hostLabel()) + "." + name;
        }
        return name;
    }

    private String hostLabel() {
        double left = random.nextDouble() * hostTotal;
        int i = 0;
        while (i < hostLabels.size() - 1 && left > hostWeights.get(i)) {
            left -= hostWeights.get(i++);
        }
        return hostLabels.get(i);
    }

    private String machineMade() {
        final int length = 4 + random.nextInt(14);
        final int base = random.nextInt(4) == 0 ? 10 : random.nextInt(2) == 0 ? 16 : 36;
        final StringBuilder label = new StringBuilder();
        for (int i = 0; i < length; i++) {
            label.append(Character.forDigit(random.nextInt(base), base));
        }
        return label.toString();
    }

    private void count(String name) {
        final String[] parts = name.toLowerCase(Locale.ROOT).split("\\.", -1);
        for (int i = 0; i < parts.length; i++) {
            final boolean last = i == parts.length - 1;
            labels++;
            if (tokenWeights.computeIfPresent(new NameModel.Token(parts[i], last), (t, w) -> w + 1)
                    == null) {
                countCharacters(parts[i]);
                if (last) {
                    roots++;
                }
            }
        }
    }

    private void countCharacters(String label) {
        int context = NameModel.START;
        for (int i = 0; i < label.length(); i++) {
            final int symbol = NameModel.symbolOf(label.charAt(i));
            inner[context][symbol]++;
            context = symbol == NameModel.ESCAPE ? NameModel.AFTER_ESCAPE : symbol;
        }
        inner[context][NameModel.END]++;
    }

    private byte[][] lengths(List<NameModel.Token> tokens) {
        final byte[][] lengths = new byte[NameModel.CONTEXTS][];
        for (int context = 0; context < NameModel.START; context++) {
            lengths[context] = huffman(floored(inner[context]), NameModel.longest(context));
        }
        final double[] start = new double[NameModel.FIRST_TOKEN + tokens.size()];
        final double[] first = floored(inner[NameModel.START]);
        first[NameModel.END] = 0;
        System.arraycopy(first, 0, start, 0, first.length);
        start[NameModel.ROOT] = roots + labels * 0.002;
        for (int i = 0; i < tokens.size(); i++) {
            start[NameModel.FIRST_TOKEN + i] = tokenWeights.getOrDefault(tokens.get(i), 1.0);
        }
        lengths[NameModel.START] = huffman(start, NameModel.longest(NameModel.START));
        return lengths;
    }

    private static double[] floored(double[] counts) {
        final double total = Arrays.stream(counts).sum() + 20;
        final double[] weights = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            weights[i] = counts[i] + total * INNER_FLOOR;
        }
        return weights;
    }

    private sealed interface Node {
        double weight();

        int symbol();
    }

    private record Leaf(double weight, int symbol) implements Node {}

    private record Inner(Node left, Node right) implements Node {
        @Override
        public double weight() {
            return left.weight() + right.weight();
        }

        @Override
        public int symbol() {
            return Math.min(left.symbol(), right.symbol());
        }
    }

    /** Huffman lengths; weights are flattened until the longest code fits. */
    private static byte[] huffman(double[] weights, int longest) {
        for (double power = 1; ; power *= 0.95) {
            final byte[] lengths = new byte[weights.length];
            final PriorityQueue<Node> queue =
                    new PriorityQueue<>(
                            Comparator.comparingDouble(Node::weight)
                                    .thenComparingInt(Node::symbol));
            for (int i = 0; i < weights.length; i++) {
                if (weights[i] > 0) {
                    queue.add(new Leaf(Math.pow(weights[i], power), i));
                }
            }
            while (queue.size() > 1) {
                queue.add(new Inner(queue.remove(), queue.remove()));
            }
            if (fill(queue.remove(), 0, lengths) <= longest) {
                return lengths;
            }
        }
    }

    private static int fill(Node node, int depth, byte[] lengths) {
        return switch (node) {
            case Leaf leaf -> {
                lengths[leaf.symbol] = (byte) depth;
                yield depth;
            }
            case Inner inner ->
                    Math.max(
                            fill(inner.left, depth + 1, lengths),
                            fill(inner.right, depth + 1, lengths));
        };
    }
}

package io.ananas.benchmarks.measure;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * A chart as SVG text: bars or lines over labelled steps, and horizontal lines to compare with.
 *
 * <p>Plain enough for any viewer: no script, no style sheet, no font but the viewer's.
 */
public final class SvgChart {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 520;
    private static final int LEFT = 70;
    private static final int RIGHT = 250;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final String[] COLOURS = {
        "#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5",
        "#9c6b4e", "#757575"
    };

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Series(String name, double[] values) {}

    private record Mark(String name, double value) {}

    private final String title;
    private final String unit;
    private final List<String> steps;
    private final List<Series> bars = new ArrayList<>();
    private final List<Series> lines = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private double floor;

    /**
     * An empty chart.
     *
     * @param unit what the vertical axis counts
     * @param steps labels of the horizontal axis
     */
    public SvgChart(String title, String unit, List<String> steps) {
        this.title = title;
        this.unit = unit;
        this.steps = List.copyOf(steps);
    }

    /** Adds a bar per step; NaN for none. */
    public SvgChart bars(String name, double... values) {
        bars.add(new Series(name, values.clone()));
        return this;
    }

    /** Adds a line over the steps; NaN for a gap. */
    public SvgChart line(String name, double... values) {
        lines.add(new Series(name, values.clone()));
        return this;
    }

    /** Adds a horizontal line to compare with. */
    public SvgChart mark(String name, double value) {
        marks.add(new Mark(name, value));
        return this;
    }

    /** Lets the vertical axis start here instead of at 0. */
    public SvgChart from(double value) {
        floor = value;
        return this;
    }

    private double top() {
        double top = floor;
        for (Mark mark : marks) {
            top = Math.max(top, mark.value);
        }
        for (List<Series> all : List.of(bars, lines)) {
            for (Series series : all) {
                for (double value : series.values) {
                    top = Double.isNaN(value) ? top : Math.max(top, value);
                }
            }
        }
        return top == floor ? floor + 1 : floor + (top - floor) * 1.05;
    }

    private double x(double step) {
        return LEFT + (WIDTH - LEFT - RIGHT) * step / Math.max(1, steps.size());
    }

    private double y(double value, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - floor) / (top - floor);
    }

    /** The SVG document. */
    public String render() {
        final Formatter svg = new Formatter(Locale.ROOT);
        final double top = top();
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                WIDTH, HEIGHT);
        svg.format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", WIDTH, HEIGHT);
        svg.format("<text x=\"%d\" y=\"28\" font-size=\"17\">%s</text>%n", LEFT, escape(title));
        axes(svg, top);
        drawBars(svg, top);
        drawLines(svg, top);
        for (int i = 0; i < marks.size(); i++) {
            final double at = y(marks.get(i).value, top);
            svg.format(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#555555\" stroke-dasharray=\"6 4\"/>%n",
                    LEFT, WIDTH - RIGHT, at, at);
            svg.format(
                    "<text x=\"%d\" y=\"%.1f\" fill=\"#555555\">%s</text>%n",
                    WIDTH - RIGHT + 6, at + 4, escape(marks.get(i).name));
        }
        return svg.format("</svg>%n").toString();
    }

    private void axes(Formatter svg, double top) {
        final int ticks = 5;
        for (int i = 0; i <= ticks; i++) {
            final double value = floor + (top - floor) * i / ticks;
            svg.format(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
                    LEFT, WIDTH - RIGHT, y(value, top), y(value, top));
            svg.format(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    LEFT - 6, y(value, top) + 4, number(value));
        }
        for (int i = 0; i < steps.size(); i++) {
            svg.format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(i + 0.5), HEIGHT - BOTTOM + 18, escape(steps.get(i)));
        }
        svg.format("<text x=\"%d\" y=\"%d\">%s</text>%n", LEFT, HEIGHT - 14, escape(unit));
    }

    private void drawBars(Formatter svg, double top) {
        final double width = (x(1) - x(0)) * 0.8 / Math.max(1, bars.size());
        for (int s = 0; s < bars.size(); s++) {
            final Series series = bars.get(s);
            legend(svg, s, series.name);
            for (int i = 0; i < series.values.length; i++) {
                if (!Double.isNaN(series.values[i])) {
                    final double left = x(i + 0.1) + s * width;
                    final double at = y(series.values[i], top);
                    svg.format(
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                            left, at, width, HEIGHT - BOTTOM - at, COLOURS[s % COLOURS.length]);
                    svg.format(
                            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"10\">%s</text>%n",
                            left + width / 2, at - 3, number(series.values[i]));
                }
            }
        }
    }

    private void drawLines(Formatter svg, double top) {
        for (int s = 0; s < lines.size(); s++) {
            final Series series = lines.get(s);
            final String colour = COLOURS[(bars.size() + s) % COLOURS.length];
            legend(svg, bars.size() + s, series.name);
            final Formatter points = new Formatter(Locale.ROOT);
            for (int i = 0; i < series.values.length; i++) {
                if (!Double.isNaN(series.values[i])) {
                    points.format("%.1f,%.1f ", x(i + 0.5), y(series.values[i], top));
                }
            }
            svg.format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                    points, colour);
        }
    }

    private static void legend(Formatter svg, int index, String name) {
        final int at = HEIGHT - BOTTOM - 18 * index;
        svg.format(
                "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>%n",
                WIDTH - 130, at - 10, COLOURS[index % COLOURS.length]);
        svg.format("<text x=\"%d\" y=\"%d\">%s</text>%n", WIDTH - 112, at, escape(name));
    }

    private static String number(double value) {
        if (value != 0 && Math.abs(value) < 2) {
            return String.format(Locale.ROOT, "%.3f", value);
        }
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.1f" : "%.0f", value);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

package io.ananas.benchmarks.measure;

import java.io.Console;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on standard error where that is a terminal, otherwise nothing. */
public final class Progress implements AutoCloseable {
    private static final int STEPS = 1_000;

    private final @Nullable ProgressBar bar;
    private final int parts;
    private int part;

    private Progress(@Nullable ProgressBar bar, int parts) {
        this.bar = bar;
        this.parts = parts;
    }

    /** A bar for work of {@code parts} equal parts. */
    @SuppressWarnings("SystemConsoleNull") // it may be null: -Djdk.console=java.base
    public static Progress of(String task, int parts) {
        final Console console = System.console();
        final boolean terminal = console != null && console.isTerminal();
        final ProgressBar bar =
                terminal
                        ? new ProgressBarBuilder()
                                .setTaskName(task)
                                .setInitialMax(STEPS)
                                .setStyle(ProgressBarStyle.ASCII)
                                .setUpdateIntervalMillis(250)
                                .build()
                        : null;
        return new Progress(bar, parts);
    }

    /** The share of the present part that is done, 0 to 1. */
    public void within(double share) {
        if (bar != null) {
            bar.stepTo(Math.round(STEPS * (part + share) / parts));
        }
    }

    /** A part is done; {@code what} comes next. */
    public void next(String what) {
        part++;
        if (bar != null) {
            bar.setExtraMessage(what);
            within(0);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}

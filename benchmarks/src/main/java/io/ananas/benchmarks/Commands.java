package io.ananas.benchmarks;

import io.ananas.server.CommandProvider;
import java.util.List;

/** The subcommands that this module brings: {@code bench} and {@code plan}. */
public final class Commands implements CommandProvider {
    @Override
    public List<Object> commands() {
        return List.of(new BenchCommand());
    }
}

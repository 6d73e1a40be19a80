package io.ananas.server;

import io.ananas.transport.Addresses;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ananas cache}: looks into the cache of a running server, and empties it. */
@Command(
        name = "cache",
        mixinStandardHelpOptions = true,
        description = "Looks into the cache of a running server through its admin listener.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:lookup found nothing, or the server has failed",
            "2:a wrong option, or no admin listener there"
        })
final class CacheCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int OK = 200;
    private static final int WRONG_REQUEST = 400;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--admin",
            paramLabel = "ADDRESS[:PORT]",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Where the server's admin listener is. Without: 127.0.0.1:5380.")
    private String admin = "127.0.0.1";

    @Command(
            description = "Shows what is held of a name, with its records.",
            mixinStandardHelpOptions = true)
    int lookup(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "TYPE", arity = "0..1") @Nullable String type,
            @Option(names = "--subtree", description = "And of all below it.") boolean subtree)
            throws InterruptedException {
        final String what =
                subtree
                        ? "/cache/list?under=" + encode(name)
                        : "/cache?name=" + encode(name) + parameter("type", type);
        final JsonNode found = ask("GET", what);
        if (found == null) {
            return code;
        }
        for (JsonNode answer : found) {
            out().printf(
                            "%-40s %-8s %-9s ttl %-7d %d octets%s%n",
                            text(answer, "name"),
                            text(answer, "type"),
                            text(answer, "rcode"),
                            answer.path("ttl").asLong(),
                            answer.path("octets").asLong(),
                            notes(answer));
            answer.path("records")
                    .propertyStream()
                    .forEach(s -> printSection(s.getKey(), s.getValue()));
        }
        if (found.isEmpty()) {
            out().printf("nothing is held of %s%n", name);
        }
        out().flush();
        return found.isEmpty() ? 1 : 0;
    }

    private void printSection(String name, JsonNode records) {
        if (!name.equals("answer")) {
            out().printf("    ; %s%n", name);
        }
        records.valueStream().forEach(record -> out().printf("    %s%n", record.asString()));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString();
    }

    private static String notes(JsonNode answer) {
        return answer.path("notes")
                .valueStream()
                .map(note -> ", " + note.asString())
                .collect(Collectors.joining());
    }

    @Command(description = "Forgets answers.", mixinStandardHelpOptions = true)
    int flush(
            @Parameters(paramLabel = "NAME", arity = "0..1") @Nullable String name,
            @Option(names = "--type", paramLabel = "TYPE", description = "Of this type only.")
                    @Nullable String type,
            @Option(names = "--subtree", description = "And all below it.") boolean subtree,
            @Option(names = "--negatives", description = "All denials and failures.")
                    boolean negatives,
            @Option(names = "--all", description = "Everything.") boolean all)
            throws InterruptedException {
        final String what =
                parameter("name", name)
                        + parameter("type", type)
                        + (subtree ? "&subtree" : "")
                        + (negatives ? "&negatives" : "")
                        + (all ? "&all" : "");
        final JsonNode done =
                ask("POST", "/cache/flush" + (what.isEmpty() ? "" : "?" + what.substring(1)));
        if (done == null) {
            return code;
        }
        out().printf("%d answers forgotten%n", done.path("flushed").asLong());
        out().flush();
        return 0;
    }

    @Command(
            description =
                    "Changes the budget, up to that of the start; who has to leave leaves at once.",
            mixinStandardHelpOptions = true)
    int limit(@Parameters(paramLabel = "SIZE", description = "Such as 64MiB.") String size)
            throws InterruptedException {
        final JsonNode done = ask("POST", "/cache/limit?size=" + encode(size));
        if (done == null) {
            return code;
        }
        out().printf(
                        "limit %s, %d answers held%n",
                        ConfigValues.describeSize(done.path("limit").asLong()),
                        done.path("entries").asLong());
        out().flush();
        return 0;
    }

    @Command(description = "Shows the server's figures.", mixinStandardHelpOptions = true)
    int stats(@Option(names = "--json", description = "As JSON.") boolean json)
            throws InterruptedException {
        final JsonNode stats = ask("GET", "/stats");
        if (stats == null) {
            return code;
        }
        if (json) {
            out().println(JSON.writeValueAsString(stats));
        } else {
            stats.propertyStream().forEach(figure -> print(figure.getKey(), figure.getValue()));
        }
        out().flush();
        return 0;
    }

    private void print(String name, JsonNode value) {
        if (value.isObject()) {
            value.propertyStream().forEach(v -> print(name + " " + v.getKey(), v.getValue()));
        } else {
            out().printf("%-40s %s%n", name, value.asString());
        }
    }

    private int code;

    /** What the server says; null after an error, which is told and in {@link #code}. */
    private @Nullable JsonNode ask(String method, String what) throws InterruptedException {
        final InetSocketAddress address;
        try {
            address = ConfigValues.admin(admin);
        } catch (IllegalArgumentException e) {
            return fail(
                    CommandLine.ExitCode.USAGE,
                    "--admin: found '%s', expected %s".formatted(admin, e.getMessage()));
        }
        final String at = Addresses.format(address);
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            final HttpResponse<String> response =
                    client.send(
                            HttpRequest.newBuilder(URI.create("http://" + at + what))
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .timeout(PATIENCE)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            final JsonNode body = JSON.readTree(response.body());
            if (response.statusCode() == OK) {
                return body;
            }
            return fail(
                    response.statusCode() == WRONG_REQUEST ? CommandLine.ExitCode.USAGE : 1,
                    text(body, "error"));
        } catch (ConnectException e) {
            return fail(
                    CommandLine.ExitCode.USAGE,
                    "no admin listener at %1$s; start the server with --admin %1$s, or say with --admin where it is"
                            .formatted(at));
        } catch (IOException e) {
            return fail(1, "%s: %s".formatted(at, e.getMessage()));
        }
    }

    private @Nullable JsonNode fail(int exitCode, String what) {
        code = exitCode;
        final PrintWriter err = spec.commandLine().getErr();
        err.println("ananas: " + what);
        err.flush();
        return null;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private static String parameter(String key, @Nullable String value) {
        return value == null ? "" : "&" + key + "=" + encode(value);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

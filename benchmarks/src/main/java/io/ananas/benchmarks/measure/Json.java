package io.ananas.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Results as JSON, indented, properties in the order of the record. */
public final class Json {
    public static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /** A value on one line. */
    public static String line(Object value) {
        return MAPPER.writer()
                .without(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(value);
    }

    /** Writes a file whole: readers never see half of it. */
    public static void write(Path file, Object value) {
        try {
            final Path absolute = file.toAbsolutePath();
            final Path parent = absolute.getParent();
            final Path half = Files.createTempFile(parent, ".ananas", ".json");
            Files.writeString(half, MAPPER.writeValueAsString(value) + "\n");
            Files.move(half, absolute, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write "
                            + file
                            + ": "
                            + e.getMessage()
                            + "; name a file in a folder that can be written",
                    e);
        }
    }
}

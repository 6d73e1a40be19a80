package io.ananas.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What is alive on the heap, counted by the JVM itself after a full collection.
 *
 * @param objects live objects, arrays included
 * @param octets their size, headers and padding included
 */
public record HeapCensus(long objects, long octets) {
    private static final Pattern TOTAL = Pattern.compile("Total\\s+(\\d+)\\s+(\\d+)");

    /** Collects garbage and counts. */
    public static HeapCensus take() {
        System.gc();
        try {
            final Object table =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                    "gcClassHistogram",
                                    new Object[] {new String[0]},
                                    new String[] {String[].class.getName()});
            final Matcher total = TOTAL.matcher(String.valueOf(table));
            if (!total.find()) {
                throw new IllegalStateException("the JVM's class histogram has no total");
            }
            return new HeapCensus(Long.parseLong(total.group(1)), Long.parseLong(total.group(2)));
        } catch (JMException e) {
            throw new IllegalStateException(
                    "this JVM gives no class histogram; measure with an OpenJDK build of 25", e);
        }
    }

    /** What came since an earlier census. */
    public HeapCensus since(HeapCensus earlier) {
        return new HeapCensus(objects - earlier.objects, octets - earlier.octets);
    }
}

package io.ananas.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;

/** Each module uses what its row of the module map says, and nothing else. */
@AnalyzeClasses(packages = "io.ananas", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final List<String> ALL =
            List.of(
                    "message",
                    "cache",
                    "policy",
                    "recursor",
                    "transport",
                    "cluster",
                    "server",
                    "benchmarks");

    @ArchTest static final ArchRule MESSAGE_USES_NOTHING = mayUse("message");
    @ArchTest static final ArchRule CACHE_USES_MESSAGE = mayUse("cache", "message");
    @ArchTest static final ArchRule TRANSPORT_USES_MESSAGE = mayUse("transport", "message");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.ananas.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_UNSAFE =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("sun.misc..", "jdk.internal..");

    @ArchTest
    static final ArchRule MESSAGE_AND_CACHE_USE_NO_LIBRARY =
            noClasses()
                    .that()
                    .resideInAnyPackage("io.ananas.message..", "io.ananas.cache..")
                    .should()
                    .dependOnClassesThat()
                    .resideOutsideOfPackages("io.ananas..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule ONLY_TRANSPORT_KNOWS_NETTY =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.ananas.transport..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.netty..");

    private static ArchRule mayUse(String module, String... others) {
        final List<String> allowed = List.of(others);
        final String[] forbidden =
                ALL.stream()
                        .filter(name -> !name.equals(module) && !allowed.contains(name))
                        .map(name -> "io.ananas." + name + "..")
                        .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage("io.ananas." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .because(module + " may use " + Arrays.toString(others));
    }
}

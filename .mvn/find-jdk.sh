# Sourced by mvnw and ananas. find_jdk prints the home of a JDK 25, or says in one line what to install and fails.
# Looked at, in this order: ANANAS_JAVA_HOME, JAVA_HOME, the java on PATH, the usual places.

is_jdk_25() {
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] && grep -Eq '^JAVA_VERSION="25[".]' "$1/release"
}

find_jdk() {
    path_java=$(command -v java 2>/dev/null || true)
    [ -z "$path_java" ] || path_java=$(dirname "$(dirname "$(readlink -f "$path_java")")")
    for candidate in "${ANANAS_JAVA_HOME:-}" "${JAVA_HOME:-}" "$path_java" \
        /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home; do
        if [ -n "$candidate" ] && is_jdk_25 "$candidate"; then
            echo "$candidate"
            return 0
        fi
    done
    echo "ananas: no JDK 25 found; install one (for example the package temurin-25-jdk or openjdk-25-jdk) or set JAVA_HOME" >&2
    return 1
}

# Ananas for a harness that compares caching resolvers: sourced by it, which sets ADDR, PORT, AUTH_ADDR, AUTH_PORT, WORKERS,
# ENTRIES, DIR and PIN, and calls srv_version and srv_start. ANANAS is the checkout; unset, the one this file lies in.
ANANAS=${ANANAS:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
srv_version() { "$ANANAS/ananas" --version; }
SRV_MAX_WORKERS=16
srv_start() {
  # 105 octets an entry, with some slack, so that nothing is evicted; a tiny cache is the smallest there is
  size=$((ENTRIES * 108 + 1048576))
  [ "$size" -gt 1048576 ] || size=1048576
  cat > "$DIR/ananas.yaml" <<CONF
listen: ["$ADDR:$PORT"]
forward: ["$AUTH_ADDR:$AUTH_PORT"]
workers: $WORKERS
cache: {size: $size}
access: {allow: ["127.0.0.0/8"]}
rate-limit: {per-second: 1000000, burst: 1000000}
CONF
  [ -z "${ADMIN:-}" ] || echo "admin: {listen: \"127.0.0.1:$ADMIN\"}" >> "$DIR/ananas.yaml"
  export JAVA_TOOL_OPTIONS=
  exec $PIN "$ANANAS/ananas" serve --config "$DIR/ananas.yaml"
}

#!/bin/sh
# kill -9 at random moments: no half-written file is ever left, and the next run goes on from the measurements.
# usage: tests/kill_chart.sh [ROUNDS]
set -eu
cd "$(dirname -- "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
previous=0
for round in $(seq "${1:-6}"); do
  scripts/portolan chart --out "$out" --evaluate 50 >/dev/null 2>&1 &
  pid=$!
  sleep "$(awk -v r="$round" 'BEGIN { srand(r); printf "%.2f", 0.5 + r * rand() }')"
  kill -9 $pid 2>/dev/null || true
  wait $pid 2>/dev/null || true
  for file in "$out"/*.json; do
    [ ! -e "$file" ] || scripts/portolan repl -e "assert(require('portolan.json').decode(io.open('$file'):read('a'), '$file'))"
  done
  [ ! -e "$out/report.html" ] || tail -c 8 "$out/report.html" | grep -q '</html>'
  count=$(scripts/portolan repl -e "print(assert(require('portolan.store').open('$out/measurements.db')):count())")
  echo "round $round: killed; $count measurements kept, files: $(cd "$out" && echo *)"
  [ "$count" -ge "$previous" ]
  previous=$count
done
[ "$previous" -gt 0 ] && exit 0
timeout -s KILL 60 scripts/portolan chart --out "$out" --evaluate 50 >/dev/null 2>&1 || true
count=$(scripts/portolan repl -e "print(assert(require('portolan.store').open('$out/measurements.db')):count())")
[ "$count" -gt 0 ] || echo "skipped: the machine is too noisy to measure anything in a minute"

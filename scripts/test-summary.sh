#!/usr/bin/env bash
# Counts the tests in the log of `make test`, and those left out, by reason: scripts/test-summary.sh LOG
set -euo pipefail
awk '
/^test result:/ { passed += $4; next }
/ \.\.\. ignored, / { sub(/.* ignored, /, ""); left_out[$0]++; next }
# Python, for example: SKIPPED [3] python/tests/test_farm.py:20: needs Ray
/^SKIPPED \[/ { count = $2; gsub(/[][]/, "", count); sub(/^SKIPPED \[[0-9]+\] [^ ]+ /, ""); left_out[$0] += count; next }
/ passed.* in [0-9.]+s/ { for (at = 2; at <= NF; at++) if ($at ~ /^passed/) passed += $(at - 1) }
END {
    printf "%d tests passed", passed
    for (why in left_out) { total += left_out[why] }
    if (total) printf "; %d were left out:", total
    print ""
    for (why in left_out) printf "%6d  %s\n", left_out[why], why | "sort -rn"
}' "$1"

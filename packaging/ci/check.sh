#!/usr/bin/env bash
# Checks models and writes reports for GitHub Actions. The action in action.yml runs it, and it can be tried locally:
#
#   RIGSCOPE_PATHS=exports GITHUB_STEP_SUMMARY=/tmp/summary.md packaging/ci/check.sh
#
#   RIGSCOPE_COMMAND   check (the default) or validate
#   RIGSCOPE_PATHS     files and folders, one path per line; by default .
#   RIGSCOPE_BASELINE  the baseline of check; by default rigscope.lock.jsonl
#   RIGSCOPE_ARGS      further arguments, separated by white space; quotes have no meaning
#   RIGSCOPE_SUMMARY   false: no Markdown report; otherwise it is appended to $GITHUB_STEP_SUMMARY
#   RIGSCOPE_HTML      the HTML report to write; by default none
#
# The exit code is the one of rigscope. Works with bash 3.2, which macOS has.
set -euo pipefail

fail() {
    echo "::error::$1"
    exit 2
}

command=${RIGSCOPE_COMMAND:-check}
html=${RIGSCOPE_HTML:-}
case $command in
    check | validate) ;;
    *) fail "the command must be check or validate" ;;
esac
case $html in
    *$'\n'* | *$'\r'*) fail "the path of the HTML report must be a single line" ;;
esac
type rigscope > /dev/null 2>&1 || fail "rigscope isn't on PATH; install it in an earlier step"

temp=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/rigscope.XXXXXX")
trap 'rm -rf "$temp"' EXIT

# With the cache, the reports after the first one don't read the files again.
arguments=()
if [[ " ${RIGSCOPE_ARGS:-}" != *[[:space:]]--cache* ]]; then
    arguments+=(--cache "$temp/cache")
fi
[[ $command == validate ]] || arguments+=(--baseline "${RIGSCOPE_BASELINE:-rigscope.lock.jsonl}")
read -r -d '' -a words <<< "${RIGSCOPE_ARGS:-}" || true
arguments+=(${words[@]+"${words[@]}"} --)
while IFS= read -r path; do
    path=${path%$'\r'}
    [[ -z $path ]] || arguments+=("$path")
done <<< "${RIGSCOPE_PATHS:-.}"

run() {
    rigscope "$command" --report "$1" "${arguments[@]}"
}

# Names of files must not be taken for workflow commands.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
status=0
run text 2>&1 || status=$?
echo "::$token::"

echo "::group::Annotations"
run github 2> "$temp/errors" || true
[[ $status -lt 2 ]] || echo "::error::rigscope $command failed with exit code $status; the log has the reason"
echo "::endgroup::"

if [[ ${RIGSCOPE_SUMMARY:-true} != false && -n ${GITHUB_STEP_SUMMARY:-} ]]; then
    run markdown > "$temp/summary" 2> /dev/null || true
    if [[ $status -ge 2 ]]; then
        # The report has only the files that could be found.
        printf '## ❌ rigscope %s\n\nFailed with exit code %s; the log has the reason.\n' "$command" "$status" \
            > "$temp/summary"
    fi
    cat "$temp/summary" >> "$GITHUB_STEP_SUMMARY"
fi

report=
if [[ -n $html ]]; then
    run html > "$temp/report" 2> /dev/null || true
    if [[ $status -lt 2 ]]; then
        mkdir -p "$(dirname -- "$html")"
        cp -- "$temp/report" "$html"
        report=$html
    fi
fi
[[ -z ${GITHUB_OUTPUT:-} ]] || printf 'report=%s\n' "$report" >> "$GITHUB_OUTPUT"

exit "$status"

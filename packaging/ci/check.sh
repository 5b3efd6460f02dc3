#!/bin/sh
# One quality run for a CI job, as docs/ci.md describes it; installed with the command line as unified-explorer-ci.
# The key comes from UNIFIED_EXPLORER_APIKEY (or UNIFIED_EXPLORER_TOKEN), and is never an argument nor printed.
# What to check comes from the variables below; the exit code is that of `check`.
set -eu

base_url=${EXPLORER_BASE_URL:-}       # the service's address
connections=${EXPLORER_CONNECTIONS:-} # ids of connections, separated by commas
lists=${EXPLORER_LISTS:-}             # resources such as ats/job, separated by commas; empty: all
recipe=${EXPLORER_RECIPE:-}           # a recipe file
baseline=${EXPLORER_BASELINE:-}       # the file of accepted findings
accept=${EXPLORER_ACCEPT:-false}      # true: accept all that is found, and write it into the baseline
seconds=${EXPLORER_SECONDS:-}         # take no longer than this on the whole of a connection
reports=${EXPLORER_REPORTS:-quality}  # the folder for the reports

if [ -z "$base_url" ]; then
    echo "EXPLORER_BASE_URL is empty: it is the address of the service to check." >&2
    exit 2
fi
mkdir -p "$reports"
for name in quality.sarif junit.xml summary.md quality.html evidence.zip accepted-baseline.json; do
    rm -f "$reports/$name" # of an earlier run
done
case $accept in
    true | false) ;;
    *)
        echo "EXPLORER_ACCEPT is $accept: it is true or false." >&2
        exit 2
        ;;
esac
if [ -z "${UNIFIED_EXPLORER_HOME:-}" ]; then
    # What the run keeps, the third party's data among it, goes with the job.
    UNIFIED_EXPLORER_HOME=$(mktemp -d)
    export UNIFIED_EXPLORER_HOME
    trap 'rm -rf "$UNIFIED_EXPLORER_HOME"' EXIT
fi

set -f # no file names in place of a * in the lists
# shellcheck disable=SC2046 # several lists are several words
set -- check $(printf %s "$lists" | tr , ' ') --base-url "$base_url" \
    --sarif "$reports/quality.sarif" --junit "$reports/junit.xml" --summary "$reports/summary.md" \
    --html "$reports/quality.html" --bundle "$reports/evidence.zip"
if [ -n "$connections" ]; then set -- "$@" --connections "$connections"; fi
if [ -n "$recipe" ]; then set -- "$@" --recipe "$recipe"; fi
if [ -n "$seconds" ]; then set -- "$@" --max-seconds "$seconds"; fi
if [ -n "$baseline" ]; then set -- "$@" --baseline "$baseline"; fi
if [ "$accept" = true ]; then set -- "$@" --baseline-update; fi

code=0
unified-explorer "$@" || code=$?

if [ -f "$reports/summary.md" ]; then
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
        cat "$reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
    else
        cat "$reports/summary.md"
    fi
fi
# Beside the reports, so that a baseline that was written leaves the job with them.
if [ "$accept" = true ] && [ -f "$baseline" ]; then
    cp "$baseline" "$reports/accepted-baseline.json"
fi
exit "$code"

#!/usr/bin/env bash
# Previews the stack and puts the result into the pull request, also when the preview failed; then fails as it did.
# Runs in the folder of the program, which has trustplane in its node_modules.
#
#   TRUSTPLANE_STACK    the stack
#   TRUSTPLANE_IGNORE   file of exceptions (default: none)
#   TRUSTPLANE_MAX_TTL  longest lifetime that needs no reason (default: 24h)
set -euo pipefail
: "${TRUSTPLANE_STACK:?the stack to preview}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

flags=(--stack "$TRUSTPLANE_STACK" --log "$scratch/preview.log" --output "$scratch/comment.md")
if [[ -n ${TRUSTPLANE_IGNORE:-} ]]; then flags+=(--ignore "$TRUSTPLANE_IGNORE"); fi
if [[ -n ${TRUSTPLANE_MAX_TTL:-} ]]; then flags+=(--max-ttl "$TRUSTPLANE_MAX_TTL"); fi

code=0
pulumi preview --json --non-interactive --stack "$TRUSTPLANE_STACK" \
  >"$scratch/preview.json" 2>"$scratch/preview.log" || code=$?
commented=0
npx --no-install trustplane comment "$scratch/preview.json" "${flags[@]}" || commented=$?
# The job's own output has all of it, also when a comment has no room or could not be made.
cat "$scratch/preview.log"
if [[ -s $scratch/comment.md ]]; then cat "$scratch/comment.md"; fi
if ((code == 0)); then code=$commented; fi
exit "$code"

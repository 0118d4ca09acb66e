#!/usr/bin/env bash
# Previews the stack and puts the result into the pull request, also when the preview failed; then fails as it did, or as the
# trust tests did.
# Runs in the folder of the program, which has trustplane in its node_modules.
#
#   TRUSTPLANE_STACK    the stack
#   TRUSTPLANE_PLAN     file with what `terraform show -json` printed of a saved plan (default: none, `pulumi preview` is run)
#   TRUSTPLANE_IGNORE   file of exceptions (default: none)
#   TRUSTPLANE_TRUST    file with tests for `trustplane test` (default: none)
#   TRUSTPLANE_BASE     commit or branch that the change is compared with (default: that of the pull or merge request)
#   TRUSTPLANE_MAX_TTL  longest lifetime that gets no note (default: 24h)
#   TRUSTPLANE_KEEP     variables that job-environment.sh leaves to the program
set -euo pipefail
: "${TRUSTPLANE_STACK:?the stack to preview}"
# shellcheck source=job-environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/job-environment.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The file of exceptions as the base branch has it, read before the program runs, which could change the repository. Fails
# where it cannot be had: the comment then says that nothing was compared.
exceptions_of_base() {
  local base=${TRUSTPLANE_BASE:-${CI_MERGE_REQUEST_DIFF_BASE_SHA:-${GITHUB_BASE_REF:-}}} entry depth=()
  if [[ -z $base || $base == -* || $TRUSTPLANE_IGNORE == /* ]]; then return 1; fi
  # Forges check out one commit only. What is here already is believed of a commit, whose name is its content.
  if [[ ! $base =~ ^[0-9a-f]{40,64}$ ]]; then base=refs/heads/$base; fi
  if [[ $base == refs/* ]] || ! git cat-file -e "$base^{commit}" 2>/dev/null; then
    if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) == true ]]; then depth=(--depth=1); fi
    GIT_TERMINAL_PROMPT=0 git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$base" 2>/dev/null || return 1
    base=FETCH_HEAD
  fi
  entry=$(git ls-tree "$base" -- "$TRUSTPLANE_IGNORE" 2>/dev/null) || return 1
  if [[ -n $entry ]]; then git show "$base:./$TRUSTPLANE_IGNORE" 2>/dev/null; else echo '{}'; fi
}

flags=(--stack "$TRUSTPLANE_STACK" --log "$scratch/preview.log" --output "$scratch/comment.md")
if [[ -n ${TRUSTPLANE_IGNORE:-} ]]; then
  flags+=(--ignore "$TRUSTPLANE_IGNORE")
  if exceptions_of_base >"$scratch/base.yml"; then flags+=(--base-ignore "$scratch/base.yml"); fi
fi
if [[ -n ${TRUSTPLANE_TRUST:-} ]]; then flags+=(--trust "$TRUSTPLANE_TRUST"); fi
if [[ -n ${TRUSTPLANE_MAX_TTL:-} ]]; then flags+=(--max-ttl "$TRUSTPLANE_MAX_TTL"); fi

code=0
if [[ -n ${TRUSTPLANE_PLAN:-} ]]; then
  cat -- "$TRUSTPLANE_PLAN" >"$scratch/preview.json" 2>"$scratch/preview.log" || code=$?
else
  # The tests, and the sentences about who can become what, need what does not change as well.
  without_job_tokens pulumi preview --json --show-sames --non-interactive --stack "$TRUSTPLANE_STACK" \
    >"$scratch/preview.json" 2>"$scratch/preview.log" || code=$?
fi
commented=0
npx --no-install trustplane comment "$scratch/preview.json" "${flags[@]}" || commented=$?
# The job's own output has all of it, also when a comment has no room or could not be made.
cat "$scratch/preview.log"
if [[ -s $scratch/comment.md ]]; then cat "$scratch/comment.md"; fi
if ((code == 0)); then code=$commented; fi
exit "$code"

#!/usr/bin/env bash
# Compares the stack with its servers, and keeps one issue open as long as they differ. Fails when it cannot tell.
# Runs in the folder of the program, which has trustplane in its node_modules.
#
#   TRUSTPLANE_STACK   the stack
#   TRUSTPLANE_STATE   file with a state of Terraform, as `terraform state pull` prints it (default: none, the stack is Pulumi's)
#   TRUSTPLANE_IGNORE  file of exceptions (default: none)
#   TRUSTPLANE_KEEP    variables that job-environment.sh leaves to the command
set -euo pipefail
: "${TRUSTPLANE_STACK:?the stack to compare}"
# shellcheck source=job-environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/job-environment.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

stack=(--stack "$TRUSTPLANE_STACK")
if [[ -n ${TRUSTPLANE_STATE:-} ]]; then stack=(--state "$TRUSTPLANE_STATE"); fi
flags=("${stack[@]}" --json "$scratch/drift.json")
if [[ -n ${TRUSTPLANE_IGNORE:-} ]]; then flags+=(--ignore "$TRUSTPLANE_IGNORE"); fi

code=0
without_job_tokens npx --no-install trustplane drift "${flags[@]}" || code=$?
# Without a report there is nothing to tell, and an open issue stays as it is.
if [[ -s $scratch/drift.json ]]; then
  npx --no-install trustplane comment "$scratch/drift.json" --issue --stack "$TRUSTPLANE_STACK"
fi
# 2 is drift, which the issue tells.
if ((code == 2)); then code=0; fi
exit "$code"

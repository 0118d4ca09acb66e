#!/usr/bin/env bash
# Read by preview.sh and drift.sh. `without_job_tokens COMMAND` runs a command that has the token of login.sh, where there
# was a login, and none of the tokens by which the job acts on the forge or logs in elsewhere: the program of a pull
# request, and all the packages that it loads, would otherwise find them in its environment.
#
# This keeps them from whoever reads the environment. It is no wall: the program runs as the job's user.
#
#   TRUSTPLANE_KEEP   variables that the program needs all the same, such as "GITHUB_TOKEN" for a provider of GitHub
set -euo pipefail

job_variables=(
  # GitHub: its tokens, the job's OIDC token, and the files by which a step changes those after it.
  GITHUB_TOKEN GH_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_RUNTIME_TOKEN
  GITHUB_ENV GITHUB_PATH GITHUB_OUTPUT GITHUB_STATE GITHUB_STEP_SUMMARY
  # GitLab: its tokens, under all the names by which a job has them.
  GITLAB_TOKEN GL_TOKEN CI_JOB_TOKEN CI_JOB_JWT CI_JOB_JWT_V1 CI_JOB_JWT_V2 CI_DEPLOY_PASSWORD CI_REGISTRY_PASSWORD
  CI_DEPENDENCY_PROXY_PASSWORD CI_REPOSITORY_URL TRUSTPLANE_ID_TOKEN
)

# Their names, and those of whatever holds one of their tokens or is an ID token itself (`id_tokens:` of GitLab).
hidden_variables() {
  node -e '
    const [kept, ...names] = process.argv.slice(1);
    const secrets = names
      .filter((name) => name.endsWith("TOKEN"))
      .map((name) => process.env[name] ?? "")
      .filter((secret) => secret.length >= 8);
    const isHidden = ([name, value]) =>
      names.includes(name) ||
      /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/.test(value) ||
      secrets.some((secret) => value.includes(secret));
    for (const [name, value] of Object.entries(process.env))
      if (isHidden([name, value]) && !kept.split(" ").includes(name)) console.log(name);' \
    "${TRUSTPLANE_KEEP:-}" "${job_variables[@]}"
}

without_job_tokens() {
  local names name options=() token=${TRUSTPLANE_LOGIN_FOLDER:-}/token
  # Without the list nothing runs.
  names=$(hidden_variables) || return 1
  while read -r name; do
    if [[ -n $name ]]; then options+=(-u "$name"); fi
  done <<<"$names"
  if [[ -s $token ]]; then
    # The provider asks OpenBao's variable first, which must not stand in the way of the login.
    VAULT_TOKEN=$(<"$token") env -u BAO_TOKEN ${options[@]+"${options[@]}"} "$@"
  else
    env ${options[@]+"${options[@]}"} "$@"
  fi
}

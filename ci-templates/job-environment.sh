#!/usr/bin/env bash
# Read by preview.sh and drift.sh. `without_job_tokens COMMAND` runs a command that has none of the tokens by which the job
# acts on the forge or logs in elsewhere: the program of a pull request, and all the packages that it loads, would otherwise
# find them in its environment. Where there is a login, it has one JWT, which is for the server alone: the provider logs in
# with it, and revokes the token that it got at the end of the run.
#
# This keeps them from whoever reads the environment. It is no wall: the program runs as the job's user.
#
#   TRUSTPLANE_LOGIN_ROLE      role of the JWT auth method to log in with (default: no login)
#   TRUSTPLANE_LOGIN_MOUNT     where the auth method is mounted (default: jwt)
#   TRUSTPLANE_LOGIN_AUDIENCE  audience of the JWT that GitHub is asked for (default: VAULT_ADDR)
#   TRUSTPLANE_LOGIN_NAMESPACE namespace that the auth method is in (default: VAULT_NAMESPACE)
#   VAULT_ID_TOKEN             the JWT itself, on GitLab (`id_tokens:`)
#   TRUSTPLANE_KEEP            variables that the program needs all the same, such as "GITHUB_TOKEN" for a provider of GitHub
set -euo pipefail

job_variables=(
  # GitHub: its tokens, the job's OIDC token, and the files by which a step changes those after it.
  GITHUB_TOKEN GH_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_RUNTIME_TOKEN
  GITHUB_ENV GITHUB_PATH GITHUB_OUTPUT GITHUB_STATE GITHUB_STEP_SUMMARY
  # GitLab: its tokens, under all the names by which a job has them.
  GITLAB_TOKEN GL_TOKEN CI_JOB_TOKEN CI_JOB_JWT CI_JOB_JWT_V1 CI_JOB_JWT_V2 CI_DEPLOY_PASSWORD CI_REGISTRY_PASSWORD
  CI_DEPENDENCY_PROXY_PASSWORD CI_REPOSITORY_URL VAULT_ID_TOKEN
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
      /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/.test(value.trim()) ||
      secrets.some((secret) => value.includes(secret));
    for (const [name, value] of Object.entries(process.env))
      if (isHidden([name, value]) && !kept.split(/[\s,]+/).includes(name)) console.log(name);' \
    "${TRUSTPLANE_KEEP:-}" "${job_variables[@]}"
}

# The JWT of the job for this server. Secrets go through pipes, as arguments are in the process list.
job_jwt() {
  if [[ -n ${VAULT_ID_TOKEN:-} ]]; then
    printf '%s' "$VAULT_ID_TOKEN"
    return
  fi
  if [[ -z ${ACTIONS_ID_TOKEN_REQUEST_URL:-} ]]; then
    echo 'login: the job has no JWT: on GitHub it needs "permissions: id-token: write", on GitLab VAULT_ID_TOKEN in id_tokens. A pull request from a fork never has one.' >&2
    return 1
  fi
  local audience=${TRUSTPLANE_LOGIN_AUDIENCE:-${VAULT_ADDR:-}}
  if [[ -z $audience ]]; then
    echo "login: the JWT needs an audience: set login-audience, or VAULT_ADDR." >&2
    return 1
  fi
  audience=$(node -p 'encodeURIComponent(process.argv[1])' "$audience")
  # What curl says of a failure names the status and the host. Nothing of the answer is shown: it is a secret.
  printf 'header = "Authorization: Bearer %s"\n' "${ACTIONS_ID_TOKEN_REQUEST_TOKEN:-}" |
    curl --silent --show-error --fail --max-time 30 --config - "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$audience" |
    node -e '
      let jwt;
      try {
        jwt = JSON.parse(require("node:fs").readFileSync(0, "utf8")).value;
      } catch {}
      if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt)) process.stdout.write(jwt);
      else process.exitCode = 1;' || {
    echo "login: the forge gave no JWT." >&2
    return 1
  }
}

login_jwt=
if [[ -n ${TRUSTPLANE_LOGIN_ROLE:-} ]]; then
  login_jwt=$(job_jwt)
  # GitHub hides in its log what it has been told; GitLab hides the tokens that it makes itself.
  if [[ ${GITHUB_ACTIONS:-} == true ]]; then printf '::add-mask::%s\n' "$login_jwt"; fi
fi

without_job_tokens() {
  local names name options=()
  # Without the list nothing runs.
  names=$(hidden_variables) || return 1
  while read -r name; do
    if [[ -n $login_jwt && $name == VAULT_ID_TOKEN ]]; then continue; fi
    if [[ -n $name ]]; then options+=(-u "$name"); fi
  done <<<"$names"
  # A shell of its own sets the variable: an argument of `env` is in the process list.
  (
    if [[ -n $login_jwt ]]; then export VAULT_ID_TOKEN=$login_jwt; fi
    exec env ${options[@]+"${options[@]}"} "$@"
  )
}

#!/usr/bin/env bash
# Logs in to Vault or OpenBao with the OIDC token of the CI job, and leaves the token in a folder of the job's own, where
# preview.sh and drift.sh look for it: no secret is stored with the forge, and nobody's ~/.vault-token is replaced.
# logout.sh revokes it. Secrets go through pipes, as arguments are in the process list.
#
#   VAULT_ADDR, VAULT_NAMESPACE, VAULT_CACERT   the server, as for its own tools
#   TRUSTPLANE_LOGIN_FOLDER                     the folder to make; its parent is there
#   TRUSTPLANE_LOGIN_ROLE                       role of the JWT auth method
#   TRUSTPLANE_LOGIN_MOUNT                      where the auth method is mounted (default: jwt)
#   TRUSTPLANE_LOGIN_AUDIENCE                   audience of the token on GitHub (default: VAULT_ADDR)
#   TRUSTPLANE_ID_TOKEN                         the token itself, on GitLab (`id_tokens:`)
set -euo pipefail
umask 077
: "${VAULT_ADDR:?the address of the server}" "${TRUSTPLANE_LOGIN_ROLE:?the role to log in with}"
: "${TRUSTPLANE_LOGIN_FOLDER:?the folder to make for the token}"
here=$(dirname "${BASH_SOURCE[0]}")

fail() {
  echo "login: $1" >&2
  exit 1
}

# What another job or another user has made, also a link, is not ours to write to.
mkdir -m 0700 "$TRUSTPLANE_LOGIN_FOLDER" || fail "the folder for the token has to be a new one."
# A login that does not end as it should leaves nothing behind, also when the server has answered in the meantime: a
# signal waits until curl has ended.
trap 'code=$?; if ((code != 0)); then bash "$here/logout.sh"; fi' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# What curl says of a failure names the status and the host, and nothing of the answer.
ask() { curl --silent --show-error --fail --max-time 30 "$@"; }

# The member of an answer that holds a token, and nothing of the answer in messages: it is a secret. A token in an answer
# that was cut is said, too, as somebody has to revoke it; the exit code is then 1.
token_in() {
  node -e '
    const answer = require("node:fs").readFileSync(0, "utf8");
    const path = process.argv[1].split(".");
    let token;
    try {
      token = path.reduce((value, name) => value?.[name], JSON.parse(answer));
    } catch {
      process.exitCode = 1;
      token = new RegExp(`"${path.at(-1)}"\\s*:\\s*"([^"]+)"`).exec(answer)?.[1];
    }
    const text = typeof token === "string" ? token.trim() : "";
    // The characters of a bearer token (RFC 6750): what has others is none, and could not be sent in a header.
    if (/^[A-Za-z0-9._~+\/=-]+$/.test(text)) console.log(text);
    else process.exitCode = 1;' "$1"
}

# GitHub hides in its log what it has been told; GitLab hides the tokens that it makes itself.
mask() { if [[ ${GITHUB_ACTIONS:-} == true ]]; then printf '::add-mask::%s\n' "$1"; fi; }

id_token=${TRUSTPLANE_ID_TOKEN:-}
if [[ -z $id_token ]]; then
  [[ -n ${ACTIONS_ID_TOKEN_REQUEST_URL:-} ]] ||
    fail 'the job has no OIDC token: it needs "permissions: id-token: write". A pull request from a fork never has one.'
  audience=$(node -p 'encodeURIComponent(process.argv[1])' "${TRUSTPLANE_LOGIN_AUDIENCE:-$VAULT_ADDR}")
  id_token=$(
    printf 'header = "Authorization: Bearer %s"\n' "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" |
      ask --config - "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$audience" | token_in value
  ) || fail "the forge gave no OIDC token."
  mask "$id_token"
fi

options=(--header 'Content-Type: application/json')
if [[ -n ${VAULT_NAMESPACE:-} ]]; then options+=(--header "X-Vault-Namespace: $VAULT_NAMESPACE"); fi
if [[ -n ${VAULT_CACERT:-} ]]; then options+=(--cacert "$VAULT_CACERT"); fi

printf '%s' "$id_token" |
  node -p 'JSON.stringify({ role: process.argv[1], jwt: require("node:fs").readFileSync(0, "utf8").trim() })' \
    "$TRUSTPLANE_LOGIN_ROLE" |
  ask "${options[@]}" --data @- "${VAULT_ADDR%/}/v1/auth/${TRUSTPLANE_LOGIN_MOUNT:-jwt}/login" |
  token_in auth.client_token >"$TRUSTPLANE_LOGIN_FOLDER/token" ||
  fail "the server at $VAULT_ADDR answered no token for the role $TRUSTPLANE_LOGIN_ROLE. Check the role, its audience and what it is bound to."
mask "$(<"$TRUSTPLANE_LOGIN_FOLDER/token")"
echo "Logged in as $TRUSTPLANE_LOGIN_ROLE."

#!/usr/bin/env bash
# Logs in to Vault or OpenBao with the OIDC token of the CI job, and leaves the token where the provider looks for it:
# no secret is stored with the forge. Secrets go through pipes, as arguments are in the process list.
#
#   VAULT_ADDR, VAULT_NAMESPACE, VAULT_CACERT   the server, as for its own tools
#   TRUSTPLANE_LOGIN_ROLE                       role of the JWT auth method
#   TRUSTPLANE_LOGIN_MOUNT                      where the auth method is mounted (default: jwt)
#   TRUSTPLANE_LOGIN_AUDIENCE                   audience of the token on GitHub (default: VAULT_ADDR)
#   TRUSTPLANE_ID_TOKEN                         the token itself, on GitLab (`id_tokens:`)
set -euo pipefail
umask 077
: "${VAULT_ADDR:?the address of the server}" "${TRUSTPLANE_LOGIN_ROLE:?the role to log in with}"

member() {
  node -p 'const [, path] = process.argv; path.split(".").reduce((value, name) => value[name], JSON.parse(require("node:fs").readFileSync(0, "utf8")))' "$1"
}

if [[ -z ${TRUSTPLANE_ID_TOKEN:-} ]]; then
  : "${ACTIONS_ID_TOKEN_REQUEST_URL:?the job needs \"permissions: id-token: write\"}"
  audience=$(node -p 'encodeURIComponent(process.argv[1])' "${TRUSTPLANE_LOGIN_AUDIENCE:-$VAULT_ADDR}")
  TRUSTPLANE_ID_TOKEN=$(
    printf 'header = "Authorization: Bearer %s"\n' "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" |
      curl --silent --show-error --fail --config - "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$audience" | member value
  )
fi

options=(--silent --show-error --fail --header 'Content-Type: application/json')
if [[ -n ${VAULT_NAMESPACE:-} ]]; then options+=(--header "X-Vault-Namespace: $VAULT_NAMESPACE"); fi
if [[ -n ${VAULT_CACERT:-} ]]; then options+=(--cacert "$VAULT_CACERT"); fi

TRUSTPLANE_ID_TOKEN=$TRUSTPLANE_ID_TOKEN node -p '
  const { TRUSTPLANE_LOGIN_ROLE: role, TRUSTPLANE_ID_TOKEN: jwt } = process.env;
  JSON.stringify({ role, jwt });' |
  curl "${options[@]}" --data @- "${VAULT_ADDR%/}/v1/auth/${TRUSTPLANE_LOGIN_MOUNT:-jwt}/login" |
  member auth.client_token >"$HOME/.vault-token.new"
mv "$HOME/.vault-token.new" "$HOME/.vault-token"
echo "Logged in as ${TRUSTPLANE_LOGIN_ROLE}."

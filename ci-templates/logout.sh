#!/usr/bin/env bash
# Revokes the token of login.sh and removes its folder. Runs at the end of the job, however it ended, and does nothing
# where there was no login. Ends with 0 in any case: the job is judged by what it was for.
#
#   VAULT_ADDR, VAULT_NAMESPACE, VAULT_CACERT   the server, as for its own tools
#   TRUSTPLANE_LOGIN_FOLDER                     the folder of the token
set -euo pipefail
folder=${TRUSTPLANE_LOGIN_FOLDER:-}
# Of another user's folder nothing is sent anywhere, and nothing is removed.
if [[ -z $folder || -L $folder || ! -O $folder ]]; then exit 0; fi
trap 'rm -rf "$folder"' EXIT
if [[ ! -s $folder/token ]]; then exit 0; fi

options=(--silent --show-error --request POST --max-time 30 --retry 2 --output /dev/null --write-out '%{http_code}')
if [[ -n ${VAULT_NAMESPACE:-} ]]; then options+=(--header "X-Vault-Namespace: $VAULT_NAMESPACE"); fi
if [[ -n ${VAULT_CACERT:-} ]]; then options+=(--cacert "$VAULT_CACERT"); fi
status=$(
  printf 'header = "X-Vault-Token: %s"\n' "$(<"$folder/token")" |
    curl "${options[@]}" --config - "${VAULT_ADDR%/}/v1/auth/token/revoke-self"
) || true
if [[ $status == 2* ]]; then
  echo "Logged out."
else
  echo "logout: the token could not be revoked (HTTP status ${status:-none}); it ends by itself after its lifetime." >&2
fi

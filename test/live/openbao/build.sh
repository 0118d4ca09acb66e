#!/bin/sh
# Builds OpenBao for `TRUSTPLANE_OPENBAO`: build.sh <checkout of openbao at v2.6.2> <checkout of openbao-plugins> <binary>.
# Where a proxy lacks the wrappers of the clouds' seals, take them out of helper/kmsplugin/wrapper.go and vault/core.go first:
# the recordings are of such a build. Its modules replace one another by folders, so no module proxy has them: it takes the sources themselves.
set -eu
source=$1 plugins=$2 output=$3
mkdir -p "$source/trustplane" "$source/http/web_ui"
cp "$(dirname "$0")/main.go" "$source/trustplane/"
cp -r "$plugins/secrets/aws" "$source/trustplane/"
rm -rf "$source"/trustplane/aws/cmd "$source"/trustplane/aws/*_test.go
touch "$source/http/web_ui/index.html"
cd "$source"
GOFLAGS="-mod=mod -buildvcs=false" go build -trimpath \
  -ldflags "-s -w -X github.com/openbao/openbao/version.fullVersion=2.6.2" -o "$output" ./trustplane

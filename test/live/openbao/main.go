// An OpenBao server with the JWT auth method, AppRole and the AWS secrets engine, in memory: the core of OpenBao, without what tests
// do not need. It prints its address, root token and unseal key as one line of JSON, and ends when its stdin does.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/openbao/openbao/builtin/credential/approle"
	jwtauth "github.com/openbao/openbao/builtin/credential/jwt"
	"github.com/openbao/openbao/helper/configutil"
	"github.com/openbao/openbao/helper/namespace"
	vaulthttp "github.com/openbao/openbao/http"
	"github.com/openbao/openbao/sdk/v2/helper/consts"
	"github.com/openbao/openbao/sdk/v2/logical"
	"github.com/openbao/openbao/sdk/v2/physical/inmem"
	"github.com/openbao/openbao/trustplane/aws"
	"github.com/openbao/openbao/vault"
)

func main() {
	addr := flag.String("listen", "127.0.0.1:0", "")
	level := flag.String("log", "error", "")
	flag.Parse()
	logger := hclog.New(&hclog.LoggerOptions{Output: os.Stderr, Level: hclog.LevelFromString(*level)})
	store, err := inmem.NewInmem(nil, logger)
	check(err)
	core, err := vault.NewCore(&vault.CoreConfig{
		Physical:           store,
		Logger:             logger,
		DisableSSCTokens:   true,
		LogicalBackends:    map[string]logical.Factory{"aws": aws.Factory},
		CredentialBackends: map[string]logical.Factory{"jwt": jwtauth.Factory, "oidc": jwtauth.Factory, "approle": approle.Factory},
		BuiltinRegistry:    builtins{},
	})
	check(err)
	ctx := namespace.RootContext(context.Background())
	res, err := core.Initialize(ctx, &vault.InitParams{BarrierConfig: &vault.SealConfig{SecretShares: 1, SecretThreshold: 1}, RecoveryConfig: &vault.SealConfig{}})
	check(err)
	key := res.SecretShares[0]
	_, err = core.Unseal(key)
	check(err)
	l, err := net.Listen("tcp", *addr)
	check(err)
	out, _ := json.Marshal(map[string]string{"address": "http://" + l.Addr().String(), "token": res.RootToken, "unsealKey": hex.EncodeToString(key)})
	fmt.Println(string(out))
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	h := vaulthttp.Handler.Handler(&vault.HandlerProperties{Core: core, ListenerConfig: &configutil.Listener{}})
	check(http.Serve(l, h))
}

// builtins is the plugin catalogue: what sys/mounts and sys/auth may enable.
type builtins struct{}

var factories = map[consts.PluginType]map[string]logical.Factory{
	consts.PluginTypeCredential: {"jwt": jwtauth.Factory, "oidc": jwtauth.Factory, "approle": approle.Factory},
	consts.PluginTypeSecrets:    {"aws": aws.Factory},
}

func (builtins) Contains(name string, t consts.PluginType) bool {
	_, ok := factories[t][name]
	return ok
}
func (builtins) Get(name string, t consts.PluginType) (func() (interface{}, error), bool) {
	f, ok := factories[t][name]
	return func() (interface{}, error) { return f, nil }, ok
}
func (builtins) Keys(t consts.PluginType) (keys []string) {
	for k := range factories[t] {
		keys = append(keys, k)
	}
	return keys
}
func (builtins) DeprecationStatus(name string, t consts.PluginType) (consts.DeprecationStatus, bool) {
	return consts.Supported, true
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

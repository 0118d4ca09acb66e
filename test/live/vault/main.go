// A Vault server with the JWT auth method, AppRole and the AWS secrets engine, in memory: Vault's own core, without what tests
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
	jwtauth "github.com/hashicorp/vault-plugin-auth-jwt"
	"github.com/hashicorp/vault/builtin/credential/approle"
	"github.com/hashicorp/vault/builtin/logical/aws"
	vaulthttp "github.com/hashicorp/vault/http"
	"github.com/hashicorp/vault/internalshared/configutil"
	"github.com/hashicorp/vault/sdk/helper/consts"
	"github.com/hashicorp/vault/sdk/logical"
	"github.com/hashicorp/vault/sdk/physical/inmem"
	"github.com/hashicorp/vault/vault"
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
		DisableMlock:       true,
		LogicalBackends:    map[string]logical.Factory{"aws": aws.Factory},
		CredentialBackends: map[string]logical.Factory{"jwt": jwtauth.Factory, "oidc": jwtauth.Factory, "approle": approle.Factory},
		BuiltinRegistry:    builtins{},
	})
	check(err)
	ctx := context.Background()
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
func (builtins) IsBuiltinEntPlugin(string, consts.PluginType) bool { return false }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

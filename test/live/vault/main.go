// A Vault server with the auth methods JWT, AppRole, certificate and AWS, and the AWS secrets engine, in memory: Vault's own core,
// without what tests do not need. It listens twice: in plain text, and with TLS, where it asks for a client certificate and takes
// none, too, as Vault's own listener does. It prints both addresses, the certificate of the second, the root token and the unseal
// key as one line of JSON, and ends when its stdin does.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	jwtauth "github.com/hashicorp/vault-plugin-auth-jwt"
	"github.com/hashicorp/vault/builtin/credential/approle"
	awsauth "github.com/hashicorp/vault/builtin/credential/aws"
	"github.com/hashicorp/vault/builtin/credential/cert"
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
		LogicalBackends:    factories[consts.PluginTypeSecrets],
		CredentialBackends: factories[consts.PluginTypeCredential],
		BuiltinRegistry:    builtins{},
	})
	check(err)
	ctx := context.Background()
	res, err := core.Initialize(ctx, &vault.InitParams{BarrierConfig: &vault.SealConfig{SecretShares: 1, SecretThreshold: 1}, RecoveryConfig: &vault.SealConfig{}})
	check(err)
	key := res.SecretShares[0]
	_, err = core.Unseal(key)
	check(err)
	plain, err := net.Listen("tcp", *addr)
	check(err)
	encrypted, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	identity, ca := serverCertificate()
	out, _ := json.Marshal(map[string]string{
		"address":    "http://" + plain.Addr().String(),
		"tlsAddress": "https://" + encrypted.Addr().String(),
		"tlsCa":      ca,
		"token":      res.RootToken,
		"unsealKey":  hex.EncodeToString(key),
	})
	fmt.Println(string(out))
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	h := vaulthttp.Handler.Handler(&vault.HandlerProperties{Core: core, ListenerConfig: &configutil.Listener{}})
	settings := &tls.Config{Certificates: []tls.Certificate{identity}, ClientAuth: tls.RequestClientCert}
	go func() { check((&http.Server{Handler: h, TLSConfig: settings}).ServeTLS(encrypted, "", "")) }()
	check(http.Serve(plain, h))
}

// serverCertificate is one for loopback that signs itself, so a client takes it as the CA, in PEM.
func serverCertificate() (tls.Certificate, string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "127.0.0.1"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		DNSNames:              []string{"localhost"},
		NotBefore:             time.Now().Add(-time.Minute),
		NotAfter:              time.Now().AddDate(0, 0, 2),
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	check(err)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(text)
}

// builtins is the plugin catalogue: what sys/mounts and sys/auth may enable.
type builtins struct{}

var factories = map[consts.PluginType]map[string]logical.Factory{
	consts.PluginTypeCredential: {
		"jwt": jwtauth.Factory, "oidc": jwtauth.Factory, "approle": approle.Factory, "cert": cert.Factory, "aws": awsauth.Factory,
	},
	consts.PluginTypeSecrets: {"aws": aws.Factory},
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

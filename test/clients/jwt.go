package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"strings"
)

func (s *secretsServer) checkJwt(mount string) {
	first, second := publicKeyPem(), publicKeyPem()
	s.checkRecord(record{
		resource: "jwt.Config",
		path:     "auth/" + mount + "/config",
		create: map[string]any{
			"jwt_validation_pubkeys": []string{first},
			"bound_issuer":           "https://issuer.example",
			"default_role":           "Deploy",
			"jwt_supported_algs":     []string{"ES256"},
		},
		created: map[string]any{
			"jwt_validation_pubkeys": []string{strings.TrimSpace(first)},
			"bound_issuer":           "https://issuer.example",
			"default_role":           "deploy",
			"jwt_supported_algs":     []string{"ES256"},
			"oidc_discovery_url":     "",
			"jwks_pairs":             []string{},
			"namespace_in_state":     true,
		},
		// The server replaces the whole record.
		update: map[string]any{"jwt_validation_pubkeys": []string{second}, "namespace_in_state": false},
		updated: map[string]any{
			"jwt_validation_pubkeys": []string{strings.TrimSpace(second)},
			"bound_issuer":           "",
			"default_role":           "",
			"jwt_supported_algs":     []string{},
			"namespace_in_state":     false,
		},
		mistake: mistake{
			path: "auth/" + mount + "/config",
			body: map[string]any{"bound_issuer": "https://issuer.example"},
			text: "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set",
		},
	})
	s.checkRecord(record{
		resource: "jwt.Role",
		path:     "auth/" + mount + "/role/deploy",
		create: map[string]any{
			"role_type":         "jwt",
			"user_claim":        "sub",
			"bound_audiences":   []string{"https://vault.example"},
			"bound_claims":      map[string]any{"ref": []string{"main", "release/*"}, "protected": true},
			"bound_claims_type": "string",
			"token_ttl":         "10m",
			"token_policies":    []string{"deploy"},
			"token_bound_cidrs": []string{"10.0.0.1/32"},
		},
		created: map[string]any{
			"role_type":         "jwt",
			"user_claim":        "sub",
			"bound_audiences":   []string{"https://vault.example"},
			"bound_claims":      map[string]any{"ref": []string{"main", "release/*"}, "protected": true},
			"claim_mappings":    nil,
			"token_ttl":         600,
			"token_policies":    []string{"deploy"},
			"token_bound_cidrs": []string{"10.0.0.1"},
			"token_type":        "default",
		},
		listed: "deploy",
		// The server keeps what is not sent, but for the role type.
		update: map[string]any{
			"role_type": "jwt", "token_ttl": 0, "token_bound_cidrs": []string{}, "claim_mappings": map[string]string{"a": "b"},
		},
		updated: map[string]any{
			"user_claim":        "sub",
			"bound_audiences":   []string{"https://vault.example"},
			"claim_mappings":    map[string]string{"a": "b"},
			"token_ttl":         0,
			"token_bound_cidrs": []string{},
		},
		deletes: true,
		mistake: mistake{
			path: "auth/" + mount + "/role/unbound",
			body: map[string]any{"role_type": "jwt", "user_claim": "sub"},
			text: "must have at least one bound constraint when creating/updating a role",
		},
	})
}

func publicKeyPem() string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		fail(err.Error())
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		fail(err.Error())
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}
